/**
 * The bytes of a report file: as they are, or uncompressed from gzip, or from a zip archive with one file. The kind
 * follows from the first bytes, not from the name. Limits end a file that would fill the disk.
 */

import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Transform } from 'node:stream';
import { crc32, createGunzip, createInflateRaw } from 'node:zlib';
import { refuseReport } from './report-task.ts';
import { damaged, findOnlyEntry } from './zip.ts';

/** DSR files have at most 4 GB (DSR part 1). Twice that is no report. */
const uncompressedBytesMax = 8 * 1024 ** 3;

/** Reports are compressed to 3 % at best; zlib reaches 0.1 % with zeros only. */
const ratioMax = 200;
/** Small files may have any ratio. */
const freeBytes = 16 * 1024 ** 2;

/** Each chunk has a cost of its own. */
const chunkBytes = 1024 * 1024;

const firstBytes = 4;
const gzipMagic = 0x1f_8b;
const zipMagic = 0x50_4b;

/** A chunk is valid until the next one. */
export async function* uncompress(path: string, name: string): AsyncGenerator<Buffer> {
  const { size } = await stat(path);
  const limit = Math.min(uncompressedBytesMax, Math.max(freeBytes, size * ratioMax));
  let total = 0;
  try {
    for await (const chunk of openBytes(path, name)) {
      total += chunk.length;
      if (total > limit)
        throw unreadable(
          name,
          `The file has more than ${limit} bytes uncompressed. Send it in several files.`,
        );
      yield chunk;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw unreadable(
      name,
      `The file cannot be uncompressed (${error.code}). Send the complete file again.`,
    );
  }
}

async function* openBytes(path: string, name: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const kind = await readKind(file);
    if (kind === gzipMagic) yield* streamOf(path, createGunzip({ chunkSize: chunkBytes }));
    else if (kind !== zipMagic) yield* readChunks(file, 0, Infinity);
    else yield* entryOf(file, path, name);
  } finally {
    await file.close();
  }
}

async function* entryOf(file: FileHandle, path: string, name: string): AsyncGenerator<Buffer> {
  const entry = await findOnlyEntry(file);
  if (typeof entry === 'string') throw unreadable(name, entry);
  const { start, sizeBytes } = entry;
  if (sizeBytes === 0) throw unreadable(name, 'The file is empty. Send the complete file again.');
  const range = { start, end: start + sizeBytes - 1 };
  const chunks = entry.isDeflated
    ? streamOf(path, createInflateRaw({ chunkSize: chunkBytes }), range)
    : readChunks(file, start, sizeBytes);
  // zlib checks gzip's own sum. That of a zip archive is in its directory: without it, one bit makes 900.00 of 100.00.
  let crc = 0;
  let total = 0;
  for await (const chunk of chunks) {
    crc = crc32(chunk, crc);
    total += chunk.length;
    yield chunk;
  }
  if (crc !== entry.crc || total !== entry.contentBytes) throw unreadable(name, damaged);
}

async function* streamOf(
  path: string,
  inflate: Transform,
  range: { readonly start?: number; readonly end?: number } = {},
): AsyncGenerator<Buffer> {
  const bytes = createReadStream(path, { ...range, highWaterMark: chunkBytes });
  for await (const chunk of bytes.pipe(inflate)) yield chunk as Buffer;
}

/** Into the same buffer each time, which takes a quarter of the processor time of a stream. */
async function* readChunks(
  file: FileHandle,
  start: number,
  sizeBytes: number,
): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  for (let at = 0; at < sizeBytes;) {
    const wanted = Math.min(chunkBytes, sizeBytes - at);
    const { bytesRead } = await file.read(buffer, 0, wanted, start + at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function readKind(file: FileHandle): Promise<number> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(firstBytes), 0, firstBytes, 0);
  return bytesRead < firstBytes ? 0 : buffer.readUInt16BE(0);
}

const isZlibError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

const unreadable = (file: string, message: string) =>
  refuseReport({ code: 'unreadable_file', message, file, line: null });
