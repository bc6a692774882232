/**
 * Reads as bytes everything that an installation stores or logs (tables, Redis, the engine's files), and searches it
 * for secrets. For `canary-secrets.test.ts`.
 */

import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { Redis } from 'ioredis';
import pg from 'pg';

export type ByteSource = { readonly name: string; readonly bytes: Buffer };

/** `COPY … TO STDOUT` of every table and every partition. */
export async function dumpTables(databaseUrl: string): Promise<ByteSource[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(`
      select format('%I.%I', nspname, relname) as name
        from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'm') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`);
    const sources: ByteSource[] = [];
    for (const { name } of rows) sources.push({ name, bytes: await dumpTable(client, name) });
    return sources;
  } finally {
    await client.end();
  }
}

/** The driver discards the data of a COPY unless the query has a `handleCopyData`. */
async function dumpTable(client: pg.Client, table: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const query = Object.assign(new pg.Query(`copy ${table} to stdout`), {
    handleCopyData: ({ chunk }: { readonly chunk: Buffer }) => chunks.push(Buffer.from(chunk)),
  });
  client.query(query);
  await once(query, 'end');
  return Buffer.concat(chunks);
}

/** Every file of the engine as it is, and its write-ahead logs also unpacked: every message passes through them. */
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
 * A log of RocksDB: blocks of records, each with CRC (4 bytes), length (2), type (1) and a fragment of an entry (full,
 * first, middle or last). Entries are compressed with zstd, so a search of the packed bytes would find a secret only
 * by chance.
 */
function unpackLog(log: Buffer): Buffer {
  const unpacked: Buffer[] = [];
  let fragments: Buffer[] = [];
  for (let start = 0; start < log.length; start += logBlockBytes) {
    const block = log.subarray(start, start + logBlockBytes);
    for (let at = 0; at + logHeaderBytes <= block.length;) {
      const length = block.readUInt16LE(at + 4);
      const type = block.readUInt8(at + 6);
      // The rest of the block is empty.
      if (type === 0) break;
      const fragment = block.subarray(at + logHeaderBytes, at + logHeaderBytes + length);
      // This record is still being written.
      if (fragment.length < length) break;
      at += logHeaderBytes + length;
      if (type > lastRecord) continue;
      fragments.push(fragment);
      if (type !== fullRecord && type !== lastRecord) continue;
      const packed = Buffer.concat(fragments);
      fragments = [];
      const isPacked = packed.length > 4 && packed.readUInt32LE() === zstdMagic;
      unpacked.push(isPacked ? zstdDecompressSync(packed) : packed);
    }
  }
  return Buffer.concat(unpacked);
}

/** Every key of Redis with its value. */
export async function readRedis(url: string): Promise<ByteSource[]> {
  const redis = new Redis(url);
  try {
    const sources: ByteSource[] = [];
    for (const key of await redis.keys('*')) {
      sources.push({ name: key, bytes: Buffer.from(`${key} ${await valueOf(redis, key)}`) });
    }
    return sources;
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
    // The key expired after `keys`.
    case 'none':
      return '';
    default:
      throw new Error(`${key} is a ${type}: add the type to valueOf in secret-search.ts`);
  }
}

/**
 * A secret in every encoding in which it could be stored: its text and the bytes it encodes, plain, in hex and in
 * base64 at each of the three alignments. In halves, because files divide their content into blocks.
 */
export function encodingsOf(secret: string): Buffer[] {
  const text = Buffer.from(secret);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const encodings = [
    text,
    key,
    Buffer.from(encodeURIComponent(secret)),
    ...[text, key].flatMap((bytes) => [hex(bytes), upper(hex(bytes)), ...base64Variants(bytes)]),
  ];
  return encodings.flatMap((bytes) => {
    const middle = Math.floor(bytes.length / 2);
    return [bytes.subarray(0, middle), bytes.subarray(middle)];
  });
}

const hex = (bytes: Buffer) => Buffer.from(bytes.toString('hex'));
const upper = (bytes: Buffer) => Buffer.from(bytes.toString().toUpperCase());

/** Without the characters that also depend on the bytes before and after. */
const base64Variants = (bytes: Buffer): Buffer[] =>
  [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]);
    return (['base64', 'base64url'] as const).map((kind) =>
      Buffer.from(encoded.toString(kind).slice(before === 0 ? 0 : 4, -4)),
    );
  });

/** The names of the sources that contain the secret in any encoding. */
export const findSecretIn = (secret: string, sources: readonly ByteSource[]): string[] =>
  findAnyIn(encodingsOf(secret), sources);

/** As `findSecretIn`, for a text that is too short to be searched in halves, such as an account number. */
export const findTextIn = (text: string, sources: readonly ByteSource[]): string[] => {
  const bytes = Buffer.from(text);
  const encodings = [bytes, Buffer.from(encodeURIComponent(text)), hex(bytes), upper(hex(bytes))];
  return findAnyIn([...encodings, ...base64Variants(bytes)], sources);
};

const findAnyIn = (encodings: readonly Buffer[], sources: readonly ByteSource[]): string[] =>
  sources
    .filter(({ bytes }) => encodings.some((encoding) => bytes.includes(encoding)))
    .map(({ name }) => name);
