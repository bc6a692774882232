/** Whole files between the storage and a folder of this process. */

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Storage } from './storage.ts';

export type StoredFile = {
  readonly key: string;
  readonly sizeBytes: number;
  readonly sha256: string;
};

/** Long enough for the largest file (4 GB) over a slow network. */
const urlSeconds = 3_600;

export async function download(
  storage: Storage,
  key: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  await pipeline(await storage.read(key), createWriteStream(path), { signal });
}

/** Safe to repeat: the same file under the same key. */
export async function upload(
  storage: Storage,
  path: string,
  key: string,
  signal: AbortSignal,
): Promise<StoredFile> {
  const { size: sizeBytes } = await stat(path);
  const contentType = 'application/octet-stream';
  const url = await storage.presignPut(key, {
    contentType,
    sizeBytes,
    expiresInSeconds: urlSeconds,
  });
  const sha256 = createHash('sha256');
  const bytes = createReadStream(path).on('data', (chunk) => sha256.update(chunk));
  const response = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': contentType, 'content-length': String(sizeBytes) },
    body: Readable.toWeb(bytes) as ReadableStream,
    duplex: 'half',
    signal,
  });
  if (!response.ok) throw new Error(`the storage answered ${response.status} to PUT ${key}`);
  await response.body?.cancel();
  return { key, sizeBytes, sha256: sha256.digest('hex') };
}
