/** Finds the bytes of the only file of a zip archive (APPNOTE 6.3, with zip64). */

import type { FileHandle } from 'node:fs/promises';

type ZipEntry = {
  /** The position of its compressed bytes in the archive. */
  readonly start: number;
  /** Of the compressed bytes. */
  readonly sizeBytes: number;
  readonly isDeflated: boolean;
  /** Of the uncompressed bytes, as `crc`. */
  readonly contentBytes: number;
  readonly crc: number;
};

const endSignature = 0x06_05_4b_50;
const endBytes = 22;
const commentBytesMax = 65_535;
const entrySignature = 0x02_01_4b_50;
const entryBytes = 46;
const localBytes = 30;
const inZip64 = 0xff_ff_ff_ff;
const zip64ExtraId = 1;
const encryptedFlag = 1;
const methods: Readonly<Record<number, boolean>> = { 0: false, 8: true };

export const damaged = 'The zip archive is damaged. Send the complete archive again.';

/** A text says what is wrong with the archive. */
export async function findOnlyEntry(file: FileHandle): Promise<ZipEntry | string> {
  const { size } = await file.stat();
  const tail = await readAt(file, Math.max(0, size - endBytes - commentBytesMax), size);
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (at === -1 || tail.length - at < endBytes || tail.readUInt32LE(at) !== endSignature)
    return damaged;
  const entryCount = tail.readUInt16LE(at + 10);
  if (entryCount !== 1) {
    return `The zip archive has ${entryCount} files. Send one file in each archive.`;
  }
  // The directory of one entry ends where the record of its end begins: no need for its own offset, which zip64 moves.
  const directoryBytes = tail.readUInt32LE(at + 12);
  const directory = await findDirectory(file, tail, at, directoryBytes);
  return directory === undefined ? damaged : readEntry(file, directory);
}

async function findDirectory(
  file: FileHandle,
  tail: Buffer,
  at: number,
  directoryBytes: number,
): Promise<Buffer | undefined> {
  const offset = tail.readUInt32LE(at + 16);
  const { size } = await file.stat();
  const directory =
    offset === inZip64 || directoryBytes === inZip64
      ? tail.subarray(tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])))
      : await readAt(file, offset, Math.min(size, offset + directoryBytes));
  const isDirectory =
    directory.length >= entryBytes && directory.readUInt32LE(0) === entrySignature;
  return isDirectory ? directory : undefined;
}

async function readEntry(file: FileHandle, entry: Buffer): Promise<ZipEntry | string> {
  if ((entry.readUInt16LE(8) & encryptedFlag) !== 0) {
    return 'The zip archive is encrypted. Send it without a password.';
  }
  const isDeflated = methods[entry.readUInt16LE(10)];
  if (isDeflated === undefined) return 'The zip archive is not compressed by deflate. Use deflate.';
  const { contentBytes, sizeBytes, offset } = placeOf(entry);
  const local = await readAt(file, offset, offset + localBytes);
  if (local.length < localBytes) return damaged;
  const start = offset + localBytes + local.readUInt16LE(26) + local.readUInt16LE(28);
  return { start, sizeBytes, isDeflated, contentBytes, crc: entry.readUInt32LE(16) };
}

/** Numbers that do not fit into 32 bits are in the extra field, in this order: size, compressed size, offset. */
function placeOf(entry: Buffer) {
  const extra = zip64ExtraOf(entry);
  let next = 0;
  const read = (position: number): number => {
    const value = entry.readUInt32LE(position);
    if (value !== inZip64 || extra.length < next + 8) return value;
    next += 8;
    return Number(extra.readBigUInt64LE(next - 8));
  };
  const contentBytes = read(24);
  const sizeBytes = read(20);
  return { contentBytes, sizeBytes, offset: read(42) };
}

function zip64ExtraOf(entry: Buffer): Buffer {
  const start = entryBytes + entry.readUInt16LE(28);
  const extra = entry.subarray(start, start + entry.readUInt16LE(30));
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === zip64ExtraId) {
      return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    }
  }
  return Buffer.alloc(0);
}

/** Fewer bytes, or none, where the archive names a place outside of the file. */
async function readAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  if (to <= from) return Buffer.alloc(0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}
