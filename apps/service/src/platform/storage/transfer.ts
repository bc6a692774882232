/** Whole files between the storage and a folder of this process. */

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Storage } from './storage.ts';

export type StoredFile = {
  readonly key: string;
  readonly sizeBytes: number;
  readonly sha256: string;
};

/** Long enough for the largest file (4 GB) over a slow network. */
const urlSeconds = 3_600;
const sentAtOnceMax = 4_194_304;
const chunkBytes = 1_048_576;

export async function download(
  storage: Storage,
  key: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  await pipeline(await storage.read(key), createWriteStream(path, { highWaterMark: chunkBytes }), {
    signal,
  });
}

type OnBytes = (bytes: Buffer) => void;

/** Safe to repeat: the same file under the same key. `onBytes` gets what is sent. */
export async function upload(
  storage: Storage,
  path: string,
  key: string,
  signal: AbortSignal,
  onBytes: OnBytes = () => undefined,
): Promise<Omit<StoredFile, 'sha256'>> {
  const { size: sizeBytes } = await stat(path);
  const terms = { contentType: 'application/octet-stream', sizeBytes };
  const url = await storage.presignPut(key, { ...terms, expiresInSeconds: urlSeconds });
  const status = await put(url, path, { ...terms, onBytes, signal });
  if (status < 200 || status > 299) throw new Error(`the storage answered ${status} to PUT ${key}`);
  return { key, sizeBytes };
}

/** The digest takes three times as long as the rest, so only those who need it compute it. */
export async function uploadWithDigest(
  storage: Storage,
  path: string,
  key: string,
  signal: AbortSignal,
): Promise<StoredFile> {
  const sha256 = createHash('sha256');
  const stored = await upload(storage, path, key, signal, (bytes) => sha256.update(bytes));
  return { ...stored, sha256: sha256.digest('hex') };
}

type Put = {
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly onBytes: OnBytes;
  readonly signal: AbortSignal;
};

/**
 * A run stores thousands of small files: each is sent at once. `fetch` with a stream takes five times the processor time.
 * Connections are kept by Node's own agents.
 */
async function put(
  url: string,
  path: string,
  { contentType, sizeBytes, onBytes, signal }: Put,
): Promise<number> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  const headers = { 'content-type': contentType, 'content-length': sizeBytes };
  const sent = request(url, { method: 'PUT', headers, signal });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  // Reading the file may fail first; then nobody waits for the answer.
  answered.catch(() => undefined);
  if (sizeBytes <= sentAtOnceMax) {
    const bytes = await readFile(path);
    onBytes(bytes);
    sent.end(bytes);
  } else {
    const bytes = createReadStream(path, { highWaterMark: chunkBytes });
    bytes.on('data', (chunk) => onBytes(chunk as Buffer));
    await pipeline(bytes, sent, { signal });
  }
  const [response] = await answered;
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}
