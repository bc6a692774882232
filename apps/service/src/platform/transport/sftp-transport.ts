/** Files on an SFTP server. A file is written under another name, then renamed. */

import type { Readable } from 'node:stream';
import type { FileEntryWithStats } from 'ssh2';
import { openSftpSession, type SftpSession, type SftpSettings } from './sftp-session.ts';
import { FileTooLarge, foldersOf, type RemoteFile, type Transport } from './transport.ts';
import { openVerified } from './verify-content.ts';

/** Requests of 64 KiB that may wait for their answers at the same time: 2 MiB are in memory for a file of any size. */
const writesAtOnce = 32;
const writeBytes = 65_536;
/** Codes of answers. */
const endOfFolder = 1;
const noSuchFile = 2;
/** Of a folder: a server that never ends its list is not read for ever. */
const entriesMax = 20_000;
/** Some may be empty: ssh2 leaves `.` and `..` out. */
const piecesMax = 2_000;
/** Readers of a batch look for names; they leave this ending alone. */
const unfinished = '.part';

export async function openSftpTransport(
  settings: SftpSettings,
  signal: AbortSignal,
): Promise<Transport> {
  const session = await openSftpSession(settings, signal);
  const { sftp, ask, close } = session;
  const at = (path: string) => (settings.folder === '' ? path : `${settings.folder}/${path}`);
  const known = new Set<string>();

  const makeFolders = async (path: string) => {
    for (const folder of foldersOf(path)) {
      if (known.has(folder)) continue;
      await makeFolder(session, at(folder));
      known.add(folder);
    }
  };
  return {
    put: async (path, content) => {
      await makeFolders(path);
      const temporary = at(path + unfinished);
      const handle = await ask<Buffer>((done) => sftp.open(temporary, 'w', done));
      try {
        await writeAll(session, handle, await openVerified(content));
      } finally {
        await ask((done) => sftp.close(handle, done)).catch(() => undefined);
      }
      const { size } = await ask<{ size: number }>((done) => sftp.stat(temporary, done));
      if (size !== content.sizeBytes) throw new Error(`the server has ${size} bytes of ${path}`);
      // Replaces an existing file at once; the plain rename of SFTP refuses to.
      await ask((done) => sftp.ext_openssh_rename(temporary, at(path), done));
    },
    find: async (path) => {
      const stats = await orUndefined(
        ask<{ size: number }>((done) => sftp.stat(at(path), done)),
        noSuchFile,
      );
      return stats && { sizeBytes: stats.size };
    },
    list: (folder, max) => listFolder(session, at(folder), max),
    read: (path, bytesMax) => readFile(session, at(path), bytesMax),
    remove: async (path) => {
      await orUndefined(
        ask((done) => sftp.unlink(at(path), done)),
        noSuchFile,
      );
    },
    close,
  };
}

/** A piece at a time: `readdir` of ssh2 would have a folder of any size in memory. */
async function listFolder(
  { sftp, ask }: SftpSession,
  path: string,
  max: number,
): Promise<readonly RemoteFile[]> {
  const handle = await orUndefined(
    ask<Buffer>((done) => sftp.opendir(path, done)),
    noSuchFile,
  );
  if (handle === undefined) return [];
  const readPiece = () =>
    orUndefined(
      ask<FileEntryWithStats[]>((done) => sftp.readdir(handle, done)),
      endOfFolder,
    );
  let first: readonly RemoteFile[] = [];
  let [entryCount, pieceCount] = [0, 0];
  try {
    for (let piece = await readPiece(); piece !== undefined; piece = await readPiece()) {
      const files = piece
        .filter(({ attrs, filename }) => attrs.isFile() && !filename.endsWith(unfinished))
        .map(({ filename, attrs }): RemoteFile => ({ name: filename, sizeBytes: attrs.size }));
      first = [...first, ...files]
        .toSorted((one, other) => (one.name < other.name ? -1 : 1))
        .slice(0, max);
      entryCount += piece.length;
      pieceCount += 1;
      if (entryCount >= entriesMax || pieceCount >= piecesMax) break;
    }
    return first;
  } finally {
    await ask((done) => sftp.close(handle, done)).catch(() => undefined);
  }
}

async function makeFolder({ sftp, ask }: SftpSession, path: string): Promise<void> {
  try {
    await ask((done) => sftp.mkdir(path, done));
  } catch (error) {
    // Servers answer the same code to an existing folder and to a real failure.
    const stats = await orUndefined(
      ask<{ isDirectory: () => boolean }>((done) => sftp.stat(path, done)),
      noSuchFile,
    );
    if (stats?.isDirectory() !== true) throw error;
  }
}

/** Without waiting for each answer: over a long line one request at a time is a hundredth of its speed. */
async function writeAll(
  { sftp, ask }: SftpSession,
  handle: Buffer,
  source: Readable,
): Promise<void> {
  const waiting = new Set<Promise<void>>();
  let failure: unknown;
  let position = 0;
  const write = (bytes: Buffer) => {
    const at = position;
    position += bytes.length;
    const written = ask((done) => sftp.write(handle, bytes, 0, bytes.length, at, done))
      .catch((error: unknown) => void (failure ??= error))
      .finally(() => waiting.delete(written));
    waiting.add(written);
  };
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      for (let start = 0; start < chunk.length; start += writeBytes) {
        if (waiting.size >= writesAtOnce) await Promise.race(waiting);
        if (failure !== undefined) throw failure;
        write(chunk.subarray(start, start + writeBytes));
      }
    }
  } finally {
    await Promise.all(waiting);
  }
  if (failure !== undefined) throw failure;
}

/** A loop over `sftp.read`: `readFile` of ssh2 has no limit. */
async function readFile(
  { sftp, ask }: SftpSession,
  path: string,
  bytesMax: number,
): Promise<Buffer> {
  const handle = await ask<Buffer>((done) => sftp.open(path, 'r', done));
  try {
    const { size } = await ask<{ size: number }>((done) => sftp.fstat(handle, done));
    if (size > bytesMax) throw new FileTooLarge(`${path} has ${size} bytes, more than ${bytesMax}`);
    const content = Buffer.alloc(size);
    for (let position = 0; position < size;) {
      const count = await ask<number>((done) =>
        sftp.read(handle, content, position, size - position, position, done),
      );
      if (count === 0) return content.subarray(0, position);
      position += count;
    }
    return content;
  } finally {
    await ask((done) => sftp.close(handle, done)).catch(() => undefined);
  }
}

/** Undefined if the answer has this code. */
async function orUndefined<T>(answer: Promise<T>, expected: number): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === expected) return undefined;
    throw error;
  }
}
