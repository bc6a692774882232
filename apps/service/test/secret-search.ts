/** Everything an installation keeps or says, read as bytes, and a search for secrets in it. */

import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { Redis } from 'ioredis';
import pg from 'pg';

export type ByteSource = { readonly name: string; readonly bytes: Buffer };

/** `COPY … TO STDOUT` of every table; a partition is a table of its own. */
export async function dumpTables(databaseUrl: string): Promise<ByteSource[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(`
      select format('%I.%I', nspname, relname) as name
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'm') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`);
    const places: ByteSource[] = [];
    for (const { name } of rows) places.push({ name, bytes: await dumpTable(client, name) });
    return places;
  } finally {
    await client.end();
  }
}

/** The driver throws away what a COPY says, unless somebody takes it. */
async function dumpTable(client: pg.Client, table: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const query = Object.assign(new pg.Query(`copy ${table} to stdout`), {
    handleCopyData: ({ chunk }: { readonly chunk: Buffer }) => chunks.push(Buffer.from(chunk)),
  });
  client.query(query);
  await once(query, 'end');
  return Buffer.concat(chunks);
}

/** Every file of the engine: as it is, and its logs unpacked, through which everything it was ever told has gone. */
export const readEngineFiles = (folder: string): ByteSource[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const bytes = readFileSync(path);
      const name = path.slice(folder.length);
      const isLog = /^\d+\.log$/.test(entry.name);
      return [
        { name, bytes },
        ...(isLog ? [{ name: `${name}, unpacked`, bytes: unpackLog(bytes) }] : []),
      ];
    });

const logBlockBytes = 32_768;
const logHeaderBytes = 7;
const fullRecord = 1;
const lastRecord = 4;
const zstdMagic = 0xfd2fb528;

/**
 * A log of RocksDB: blocks with records, each CRC (4 bytes), length (2), type (1) and a piece of something, whole or
 * first, middle and last; packed with zstd. Found as it is, a secret would be there only by chance.
 */
function unpackLog(log: Buffer): Buffer {
  const unpacked: Buffer[] = [];
  let pieces: Buffer[] = [];
  for (let start = 0; start < log.length; start += logBlockBytes) {
    const block = log.subarray(start, start + logBlockBytes);
    for (let at = 0; at + logHeaderBytes <= block.length;) {
      const length = block.readUInt16LE(at + 4);
      const type = block.readUInt8(at + 6);
      // The rest of the block is empty.
      if (type === 0) break;
      const piece = block.subarray(at + logHeaderBytes, at + logHeaderBytes + length);
      // Just being written.
      if (piece.length < length) break;
      at += logHeaderBytes + length;
      if (type > lastRecord) continue;
      pieces.push(piece);
      if (type !== fullRecord && type !== lastRecord) continue;
      const packed = Buffer.concat(pieces);
      pieces = [];
      const isPacked = packed.length > 4 && packed.readUInt32LE() === zstdMagic;
      unpacked.push(isPacked ? zstdDecompressSync(packed) : packed);
    }
  }
  return Buffer.concat(unpacked);
}

/** Every key of Redis with what it holds. */
export async function readRedis(url: string): Promise<ByteSource[]> {
  const redis = new Redis(url);
  try {
    const places: ByteSource[] = [];
    for (const key of await redis.keys('*')) {
      places.push({ name: key, bytes: Buffer.from(`${key} ${await valueOf(redis, key)}`) });
    }
    return places;
  } finally {
    redis.disconnect();
  }
}

async function valueOf(redis: Redis, key: string): Promise<string> {
  const type = await redis.type(key);
  switch (type) {
    case 'string':
      return (await redis.get(key)) ?? '';
    case 'hash':
      return JSON.stringify(await redis.hgetall(key));
    case 'list':
      return (await redis.lrange(key, 0, -1)).join('\n');
    // It expired in between.
    case 'none':
      return '';
    default:
      throw new Error(`${key} is a ${type}: teach the search to read it`);
  }
}

/**
 * A secret in every spelling it could stand somewhere: its text and the bytes it stands for, as they are, in hex and
 * in base64, wherever in a longer text it began. In halves, because files cut what they hold into blocks.
 */
export function encodingsOf(secret: string): Buffer[] {
  const text = Buffer.from(secret);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const spellings = [
    text,
    key,
    Buffer.from(encodeURIComponent(secret)),
    ...[text, key].flatMap((bytes) => [hex(bytes), upper(hex(bytes)), ...base64Variants(bytes)]),
  ];
  return spellings.flatMap((bytes) => {
    const middle = Math.floor(bytes.length / 2);
    return [bytes.subarray(0, middle), bytes.subarray(middle)];
  });
}

const hex = (bytes: Buffer) => Buffer.from(bytes.toString('hex'));
const upper = (bytes: Buffer) => Buffer.from(bytes.toString().toUpperCase());

/** Without the characters that also depend on what stands before and after. */
const base64Variants = (bytes: Buffer): Buffer[] =>
  [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]);
    return (['base64', 'base64url'] as const).map((kind) =>
      Buffer.from(encoded.toString(kind).slice(before === 0 ? 0 : 4, -4)),
    );
  });

/** The names of the places where any of them stands. */
export const findSecretIn = (secret: string, places: readonly ByteSource[]): string[] => {
  const spellings = encodingsOf(secret);
  return places
    .filter(({ bytes }) => spellings.some((spelling) => bytes.includes(spelling)))
    .map(({ name }) => name);
};
