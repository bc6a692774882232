/** Packets of SFTP version 3, as far as a store's server needs them: length, type, fields. */

export const requests = {
  init: 1,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  lstat: 7,
  fstat: 8,
  setstat: 9,
  fsetstat: 10,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  rmdir: 15,
  realpath: 16,
  stat: 17,
  rename: 18,
  extended: 200,
} as const;

const answers = { version: 2, status: 101, handle: 102, data: 103, name: 104, attrs: 105 } as const;

export const statuses = {
  ok: 0,
  endOfFile: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  badMessage: 5,
  unsupported: 8,
} as const;
export type Status = (typeof statuses)[keyof typeof statuses];

export const openFlags = { write: 2, append: 4, create: 8, truncate: 16, exclusive: 32 } as const;

/** Replaces an existing file; the plain rename must not. */
export const replacingRename = 'posix-rename@openssh.com';

const protocolVersion = 3;
/** As OpenSSH's. */
const packetBytesMax = 262_144;
const lengthBytes = 4;

/** The session cannot go on: its next bytes could be anything. */
export class BadPacket extends Error {
  override readonly name = 'BadPacket';
}

/** Packets without their length. At most one and the chunk that is being read are in memory. */
export async function* readPackets(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= lengthBytes) {
      const length = pending.readUInt32BE(0);
      if (length === 0 || length > packetBytesMax)
        throw new BadPacket(`a packet cannot have ${length} bytes`);
      if (pending.length < lengthBytes + length) break;
      yield pending.subarray(lengthBytes, lengthBytes + length);
      pending = pending.subarray(lengthBytes + length);
    }
  }
}

export type PacketReader = {
  readonly uint32: () => number;
  readonly uint64: () => number;
  readonly bytes: () => Buffer;
  readonly text: () => string;
};

/** Reads one field after the other. Throws `BadPacket` behind the end. */
export function openPacket(packet: Buffer): PacketReader {
  let position = 0;
  const take = (length: number): Buffer => {
    if (position + length > packet.length) throw new BadPacket('a packet is too short');
    position += length;
    return packet.subarray(position - length, position);
  };
  const uint32 = () => take(4).readUInt32BE();
  const bytes = () => take(uint32());
  return {
    uint32,
    uint64: () => Number(take(8).readBigUInt64BE()),
    bytes,
    text: () => bytes().toString('utf8'),
  };
}

export const typeOf = (packet: Buffer): number => packet[0] ?? 0;
/** What follows the type. */
export const contentOf = (packet: Buffer): Buffer => packet.subarray(1);

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const text = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
};
const packetOf = (type: number, ...fields: readonly Buffer[]): Buffer => {
  const content = Buffer.concat([Buffer.from([type]), ...fields]);
  return Buffer.concat([uint32(content.length), content]);
};

export type FileAttributes = {
  readonly size: number;
  readonly mode: number;
  readonly modifiedAt: Date;
};

const attributeFlags = 1 | 4 | 8; // size, permissions, times

const attributesOf = ({ size, mode, modifiedAt }: FileAttributes): Buffer => {
  const sizeBytes = Buffer.alloc(8);
  sizeBytes.writeBigUInt64BE(BigInt(size));
  const seconds = uint32(Math.floor(modifiedAt.getTime() / 1_000));
  return Buffer.concat([uint32(attributeFlags), sizeBytes, uint32(mode), seconds, seconds]);
};

export type NamedFile = FileAttributes & { readonly name: string };

export const versionPacket = (): Buffer =>
  packetOf(answers.version, uint32(protocolVersion), text(replacingRename), text('1'));

export const statusPacket = (id: number, status: Status, message = ''): Buffer =>
  packetOf(answers.status, uint32(id), uint32(status), text(message), text('en'));

export const handlePacket = (id: number, handle: number): Buffer =>
  packetOf(answers.handle, uint32(id), text(uint32(handle)));

export const dataPacket = (id: number, data: Buffer): Buffer =>
  packetOf(answers.data, uint32(id), text(data));

export const attributesPacket = (id: number, attributes: FileAttributes): Buffer =>
  packetOf(answers.attrs, uint32(id), attributesOf(attributes));

/** The second of the two names is what `ls -l` would show, which no program reads. */
export const namesPacket = (id: number, files: readonly NamedFile[]): Buffer =>
  packetOf(
    answers.name,
    uint32(id),
    uint32(files.length),
    ...files.flatMap((file) => [text(file.name), text(file.name), attributesOf(file)]),
  );
