/** Storage in a folder of this machine, for development. `disk-server.ts` serves its signed URLs. */

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../kernel/clock.ts';
import type { Keyring } from '../crypto/keyring.ts';
import { type FileRange, readExactly, requireRange } from './byte-range.ts';
import { IncompleteUpload, type Storage, type StoredPart, type UploadPart } from './storage.ts';

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
  /** A file, or a part of it. */
  readonly open: (key: string, range: FileRange | undefined) => Readable;
};

const permitName = (text: string) => `storage/${text}`;

export function openDisk({ folder, url, clock, keyring }: DiskOptions): Disk {
  const pathOf = (key: string) => join(folder, 'files', key);
  const partsOf = (uploadId: string) => join(folder, 'parts', uploadId);
  const partOf = (uploadId: string, partNumber: number) =>
    join(partsOf(uploadId), String(partNumber));
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
    openMultipart: async () => {
      const uploadId = randomUUID();
      await mkdir(partsOf(uploadId), { recursive: true });
      return uploadId;
    },
    listParts: (_key, uploadId) => listPartFiles(partsOf(uploadId)),
    finishMultipart: async (key, uploadId, parts) => {
      const path = pathOf(key);
      if ((await sizeOf(path)) !== undefined) return;
      throwIfOther(parts, (await listPartFiles(partsOf(uploadId))) ?? []);
      const files = parts.map(({ partNumber }) => partOf(uploadId, partNumber));
      await joinFiles(files, path);
      await rm(partsOf(uploadId), { recursive: true, force: true });
    },
    abandonMultipart: (_key, uploadId) => rm(partsOf(uploadId), { recursive: true, force: true }),
    find: async (key) => {
      const sizeBytes = await sizeOf(pathOf(key));
      return sizeBytes === undefined ? undefined : { sizeBytes };
    },
    open: (key, range) => createReadStream(pathOf(key), range),
    read: async (key) => createReadStream(pathOf(key)),
    readRange: async (key, start, endExclusive) => {
      requireRange(start, endExclusive);
      const body = createReadStream(pathOf(key), { start, end: endExclusive - 1 });
      return readExactly(body, endExclusive - start);
    },
    copy: async (from, to) => {
      await mkdir(dirname(pathOf(to)), { recursive: true });
      await copyFile(pathOf(from), pathOf(to));
    },
    list: async (prefix) => {
      const inFolder = dirname(`${prefix}.`);
      const names = await readdir(pathOf(inFolder)).catch(() => []);
      return names.map((name) => `${inFolder}/${name}`).filter((key) => key.startsWith(prefix));
    },
    listBelow: async (prefix, max) => {
      const options = { recursive: true, withFileTypes: true } as const;
      const entries = await readdir(pathOf(prefix), options).catch(() => []);
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(pathOf(''), join(entry.parentPath, entry.name)))
        .toSorted()
        .slice(0, max);
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

/** The ETag of a part is the MD5 of its bytes, as S3 has it. */
async function listPartFiles(folder: string): Promise<StoredPart[] | undefined> {
  const names = await readdir(folder).catch(() => undefined);
  const numbers = names?.map(Number).filter(Number.isInteger);
  if (numbers === undefined) return undefined;
  const parts: StoredPart[] = [];
  for (const partNumber of numbers.toSorted((a, b) => a - b)) {
    const file = join(folder, String(partNumber));
    const md5 = createHash('md5');
    for await (const chunk of createReadStream(file)) md5.update(chunk as Buffer);
    const etag = `"${md5.digest('hex')}"`;
    parts.push({ partNumber, etag, sizeBytes: (await sizeOf(file)) ?? 0 });
  }
  return parts;
}

function throwIfOther(parts: readonly UploadPart[], stored: readonly StoredPart[]): void {
  const etags = new Map(stored.map(({ partNumber, etag }) => [partNumber, etag]));
  const other = parts.find(({ partNumber, etag }) => etags.get(partNumber) !== etag);
  if (other !== undefined) throw new IncompleteUpload(`part ${other.partNumber}`);
}

async function joinFiles(files: readonly string[], path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const whole = `${path}.${randomUUID()}.partial`;
  for (const file of files) {
    await pipeline(createReadStream(file), createWriteStream(whole, { flags: 'a' }));
  }
  await rename(whole, path);
}
