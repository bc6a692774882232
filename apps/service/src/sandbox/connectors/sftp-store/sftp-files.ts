/**
 * The files of one SFTP session: requests of the protocol, as calls to the file system below one folder. That folder is
 * the root of all paths, absolute ones included. There are no links to make and no way up.
 */

import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  attributesPacket,
  BadPacket,
  contentOf,
  dataPacket,
  type FileAttributes,
  handlePacket,
  type NamedFile,
  namesPacket,
  openFlags,
  openPacket,
  type PacketReader,
  replacingRename,
  requests,
  type Status,
  statuses,
  statusPacket,
  typeOf,
  versionPacket,
} from './sftp-packets.ts';

const handlesMax = 64;
const pathBytesMax = 1_024;
const readBytesMax = 65_536;
/** Larger than a release of a hundred tracks in high resolution. */
const fileBytesMax = 16 * 2 ** 30;
/** The others of a folder are not listed. */
const namesListedMax = 10_000;
const namesPerPacket = 100;

type OpenFile = { readonly kind: 'file'; readonly file: FileHandle };
type OpenFolder = {
  readonly kind: 'folder';
  readonly path: string;
  readonly rest: string[];
};
type Handle = OpenFile | OpenFolder;

/** A request that is answered with a status. */
class Refusal extends Error {
  readonly status: Status;
  constructor(status: Status, message: string) {
    super(message);
    this.status = status;
  }
}

export type SftpFiles = {
  /** The packet that answers a packet. Rejects with `BadPacket` if the session must end. */
  readonly answer: (packet: Buffer) => Promise<Buffer>;
  readonly close: () => Promise<void>;
};

const ok = (id: number) => statusPacket(id, statuses.ok);

/** What a request does, by its type. */
type Handler = (id: number, packet: PacketReader) => Promise<Buffer>;

export function openSftpFiles(root: string): SftpFiles {
  const handles = new Map<number, Handle>();
  let lastHandle = 0;
  const pathIn = (packet: PacketReader) => localPath(root, packet.text());

  const keep = (id: number, handle: Handle): Buffer => {
    handles.set(++lastHandle, handle);
    return handlePacket(id, lastHandle);
  };
  const refuseManyHandles = () => {
    if (handles.size >= handlesMax)
      throw new Refusal(statuses.failure, `at most ${handlesMax} handles may be open`);
  };
  const handleIn = <Kind extends Handle['kind']>(packet: PacketReader, kind: Kind) => {
    const key = packet.bytes();
    const handle = key.length === 4 ? handles.get(key.readUInt32BE()) : undefined;
    if (handle?.kind !== kind) throw new Refusal(statuses.failure, 'there is no such handle');
    return handle as Extract<Handle, { kind: Kind }>;
  };
  const statHandler: Handler = async (id, packet) =>
    attributesPacket(id, toAttributes(await lstat(pathIn(packet))));

  const handlers: Readonly<Record<number, Handler>> = {
    [requests.open]: async (id, packet) => {
      refuseManyHandles();
      const path = pathIn(packet);
      return keep(id, { kind: 'file', file: await open(path, flagsOf(packet.uint32()), 0o600) });
    },
    [requests.close]: async (id, packet) => {
      const key = packet.bytes();
      const number = key.length === 4 ? key.readUInt32BE() : 0;
      const handle = handles.get(number);
      if (handle === undefined) throw new Refusal(statuses.failure, 'there is no such handle');
      handles.delete(number);
      if (handle.kind === 'file') await handle.file.close();
      return ok(id);
    },
    [requests.read]: async (id, packet) => {
      const { file } = handleIn(packet, 'file');
      const position = packet.uint64();
      const wanted = Buffer.alloc(Math.min(packet.uint32(), readBytesMax));
      const { bytesRead } = await file.read(wanted, 0, wanted.length, position);
      return bytesRead === 0
        ? statusPacket(id, statuses.endOfFile)
        : dataPacket(id, wanted.subarray(0, bytesRead));
    },
    [requests.write]: async (id, packet) => {
      const { file } = handleIn(packet, 'file');
      const position = packet.uint64();
      const data = packet.bytes();
      if (position + data.length > fileBytesMax)
        throw new Refusal(statuses.failure, `a file may have ${fileBytesMax} bytes`);
      await file.write(data, 0, data.length, position);
      return ok(id);
    },
    [requests.lstat]: statHandler,
    [requests.stat]: statHandler,
    [requests.fstat]: async (id, packet) =>
      attributesPacket(id, toAttributes(await handleIn(packet, 'file').file.stat())),
    // Clients set times and permissions after an upload. The store has its own.
    [requests.setstat]: async (id) => ok(id),
    [requests.fsetstat]: async (id) => ok(id),
    [requests.opendir]: async (id, packet) => {
      refuseManyHandles();
      const path = pathIn(packet);
      const names = (await readdir(path)).toSorted().slice(0, namesListedMax);
      return keep(id, { kind: 'folder', path, rest: names });
    },
    [requests.readdir]: async (id, packet) => {
      const { path, rest } = handleIn(packet, 'folder');
      const files = await describe(path, rest.splice(0, namesPerPacket));
      return files.length === 0 && rest.length === 0
        ? statusPacket(id, statuses.endOfFile)
        : namesPacket(id, files);
    },
    [requests.remove]: async (id, packet) => {
      const path = pathIn(packet);
      if ((await lstat(path)).isDirectory())
        throw new Refusal(statuses.failure, 'this is a folder');
      await rm(path);
      return ok(id);
    },
    [requests.mkdir]: async (id, packet) => {
      await mkdir(pathIn(packet), { mode: 0o700 });
      return ok(id);
    },
    [requests.realpath]: async (id, packet) => {
      const path = pathIn(packet).slice(root.length) || '/';
      return namesPacket(id, [{ name: path, size: 0, mode: 0, modifiedAt: new Date(0) }]);
    },
    [requests.rename]: async (id, packet) => {
      const [from, to] = [pathIn(packet), pathIn(packet)];
      if (await exists(to)) throw new Refusal(statuses.failure, 'this name is taken');
      await rename(from, to);
      return ok(id);
    },
    [requests.extended]: async (id, packet) => {
      if (packet.text() !== replacingRename)
        throw new Refusal(statuses.unsupported, 'this extension is not supported');
      await rename(pathIn(packet), pathIn(packet));
      return ok(id);
    },
  };

  return {
    answer: async (packet) => {
      const type = typeOf(packet);
      if (type === requests.init) return versionPacket();
      const fields = openPacket(contentOf(packet));
      const id = fields.uint32();
      const handler = handlers[type];
      try {
        if (handler === undefined)
          throw new Refusal(statuses.unsupported, 'this request is not supported');
        return await handler(id, fields);
      } catch (error) {
        if (error instanceof BadPacket) throw error;
        return statusPacket(id, statusOf(error), error instanceof Refusal ? error.message : '');
      }
    },
    close: async () => {
      const unclosed = [...handles.values()];
      handles.clear();
      for (const handle of unclosed) if (handle.kind === 'file') await handle.file.close();
    },
  };
}

/** Below the root, whatever the client calls it. */
function localPath(root: string, path: string): string {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..') || path.includes('\0') || Buffer.byteLength(path) > pathBytesMax)
    throw new Refusal(statuses.permissionDenied, 'this path is not allowed');
  return join(root, ...names);
}

/** No link is followed, even if another program made one. */
function flagsOf(flags: number): number {
  const isWrite = (flags & openFlags.write) !== 0;
  const has = (flag: number, wanted: number) => ((flags & flag) === 0 ? 0 : wanted);
  return (
    constants.O_NOFOLLOW |
    (isWrite
      ? constants.O_RDWR |
        has(openFlags.append, constants.O_APPEND) |
        has(openFlags.create, constants.O_CREAT) |
        has(openFlags.truncate, constants.O_TRUNC) |
        has(openFlags.exclusive, constants.O_EXCL)
      : constants.O_RDONLY)
  );
}

const toAttributes = ({ size, mode, mtime }: Stats): FileAttributes => ({
  size,
  mode,
  modifiedAt: mtime,
});

/** A file that was removed since is left out. */
async function describe(folder: string, names: readonly string[]): Promise<readonly NamedFile[]> {
  const found = await Promise.all(
    names.map(async (name) => {
      const stats = await lstat(join(folder, name)).catch(() => undefined);
      return stats && { name, ...toAttributes(stats) };
    }),
  );
  return found.filter((file) => file !== undefined);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

function statusOf(error: unknown): Status {
  if (error instanceof Refusal) return error.status;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return statuses.noSuchFile;
  return code === 'EACCES' || code === 'EPERM' || code === 'ELOOP'
    ? statuses.permissionDenied
    : statuses.failure;
}
