/** Storage in a folder of this machine, for development. `disk-server.ts` serves its signed URLs. */

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../kernel/clock.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { IncompleteUpload, type UploadPart, type Storage } from './storage.ts';

export type DiskOptions = {
  readonly folder: string;
  /** The address of `disk-server.ts`. */
  readonly url: string;
  readonly clock: Clock;
  readonly keyring: Keyring;
};

/** What one signed URL allows. */
export type Permit = {
  readonly method: 'PUT' | 'GET';
  readonly key: string;
  readonly contentType?: string | undefined;
  readonly sizeBytes?: number | undefined;
  readonly uploadId?: string | undefined;
  readonly partNumber?: number | undefined;
  readonly fileName?: string | undefined;
  readonly expiresAtMs: number;
};

export type Disk = Storage & {
  /** The permit in a URL, if its signature is valid. */
  readonly permitOf: (url: URL) => Permit | undefined;
  readonly hasExpired: (permit: Permit) => boolean;
  /** Stores a body completely or not at all; returns its ETag. */
  readonly write: (permit: Permit, body: Readable) => Promise<string>;
};

const permitName = (text: string) => `storage/${text}`;

export function openDisk({ folder, url, clock, keyring }: DiskOptions): Disk {
  const pathOf = (key: string) => join(folder, 'files', key);
  const partOf = (uploadId: string, partNumber: number) =>
    join(folder, 'parts', uploadId, String(partNumber));
  const signedUrl = async (permit: Omit<Permit, 'expiresAtMs'>, expiresInSeconds: number) => {
    const expiresAtMs = clock.now().getTime() + expiresInSeconds * 1_000;
    const text = Buffer.from(JSON.stringify({ ...permit, expiresAtMs })).toString('base64url');
    const signature = keyring.sign(permitName(text)).toString('base64url');
    return `${url}/${permit.key}?permit=${text}&signature=${signature}`;
  };
  return {
    presignPut: (key, { expiresInSeconds, ...terms }) =>
      signedUrl({ method: 'PUT', key, ...terms }, expiresInSeconds),
    presignPart: (key, { expiresInSeconds, ...terms }) =>
      signedUrl({ method: 'PUT', key, ...terms }, expiresInSeconds),
    presignGet: (key, fileName, expiresInSeconds) =>
      signedUrl({ method: 'GET', key, fileName }, expiresInSeconds),
    permitOf: ({ searchParams }) => {
      const text = searchParams.get('permit') ?? '';
      const signature = Buffer.from(searchParams.get('signature') ?? '', 'base64url');
      if (!keyring.verify(permitName(text), signature)) return undefined;
      // The signature is valid, so it is what `signedUrl` wrote.
      return JSON.parse(Buffer.from(text, 'base64url').toString()) as Permit;
    },
    hasExpired: ({ expiresAtMs }) => expiresAtMs <= clock.now().getTime(),
    write: ({ key, uploadId, partNumber }, body) =>
      writeCompletely(
        uploadId === undefined ? pathOf(key) : partOf(uploadId, partNumber ?? 0),
        body,
      ),
    openMultipart: async () => randomUUID(),
    finishMultipart: async (key, uploadId, parts) => {
      const path = pathOf(key);
      if ((await sizeOf(path)) !== undefined) return;
      const files = parts.map(({ partNumber }) => partOf(uploadId, partNumber));
      await refuseOtherParts(parts, files);
      await joinFiles(files, path);
      await rm(join(folder, 'parts', uploadId), { recursive: true, force: true });
    },
    abandonMultipart: (_key, uploadId) =>
      rm(join(folder, 'parts', uploadId), { recursive: true, force: true }),
    find: async (key) => {
      const sizeBytes = await sizeOf(pathOf(key));
      return sizeBytes === undefined ? undefined : { sizeBytes };
    },
    read: async (key) => createReadStream(pathOf(key)),
    copy: async (from, to) => {
      await mkdir(dirname(pathOf(to)), { recursive: true });
      await copyFile(pathOf(from), pathOf(to));
    },
    list: async (prefix) => {
      const inFolder = dirname(`${prefix}.`);
      const names = await readdir(pathOf(inFolder)).catch(() => []);
      return names.map((name) => `${inFolder}/${name}`).filter((key) => key.startsWith(prefix));
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    close: async () => undefined,
  };
}

async function sizeOf(path: string): Promise<number | undefined> {
  const info = await stat(path).catch(() => undefined);
  return info?.isFile() === true ? info.size : undefined;
}

async function writeCompletely(path: string, body: Readable): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.${randomUUID()}.partial`;
  const md5 = createHash('md5');
  body.on('data', (chunk: Buffer) => md5.update(chunk));
  try {
    await pipeline(body, createWriteStream(partial));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return `"${md5.digest('hex')}"`;
}

async function refuseOtherParts(
  parts: readonly UploadPart[],
  files: readonly string[],
): Promise<void> {
  for (const [i, file] of files.entries()) {
    const bytes = await readFile(file).catch(() => undefined);
    const etag = bytes && `"${createHash('md5').update(bytes).digest('hex')}"`;
    if (etag !== parts[i]?.etag) throw new IncompleteUpload(`part ${parts[i]?.partNumber}`);
  }
}

async function joinFiles(files: readonly string[], path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const whole = `${path}.${randomUUID()}.partial`;
  for (const file of files) {
    await pipeline(createReadStream(file), createWriteStream(whole, { flags: 'a' }));
  }
  await rename(whole, path);
}
