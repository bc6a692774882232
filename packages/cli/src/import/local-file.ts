/** A file that an import uploads, and what its first bytes say. Everything else is measured by the service. */

import { createHash } from 'node:crypto';
import { createReadStream, closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { pipeline } from 'node:stream/promises';

export type AssetType = 'audio' | 'artwork';

const contentTypes = {
  '.wav': 'audio/wav',
  '.wave': 'audio/wav',
  '.flac': 'audio/flac',
  '.m4a': 'audio/mp4',
  '.mp4': 'audio/mp4',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
} as const;

export type ContentType = (typeof contentTypes)[keyof typeof contentTypes];

export type LocalFile = {
  readonly path: string;
  readonly name: string;
  readonly type: AssetType;
  readonly contentType: ContentType;
  readonly sizeBytes: number;
  /** Of a WAVE file, from its header. */
  readonly durationMs: number | undefined;
};

/** As the API: 2 GiB of audio, 50 MiB of artwork. */
const sizeBytesMax: Readonly<Record<AssetType, number>> = { audio: 2 ** 31, artwork: 50 * 2 ** 20 };

export function contentTypeOf(path: string): ContentType | undefined {
  const extension = extname(path).toLowerCase();
  return Object.hasOwn(contentTypes, extension)
    ? contentTypes[extension as keyof typeof contentTypes]
    : undefined;
}

export const assetTypeOf = (contentType: ContentType): AssetType =>
  contentType.startsWith('audio/') ? 'audio' : 'artwork';

const beginnings: Readonly<Record<ContentType, (head: Buffer) => boolean>> = {
  'audio/wav': (head) => /^(RIFF|RF64)....WAVE/s.test(head.toString('latin1', 0, 12)),
  'audio/flac': (head) => head.toString('latin1', 0, 4) === 'fLaC',
  'audio/mp4': (head) => head.toString('latin1', 4, 8) === 'ftyp',
  'image/jpeg': (head) => head[0] === 0xff && head[1] === 0xd8,
  'image/png': (head) => head.toString('latin1', 1, 4) === 'PNG',
};

const headBytes = 4_096;

function readHead(path: string): Buffer {
  const head = Buffer.alloc(headBytes);
  const file = openSync(path, 'r');
  try {
    return head.subarray(0, readSync(file, head, 0, headBytes, 0));
  } finally {
    closeSync(file);
  }
}

/** From the chunks `fmt ` and `data`, if both are in the first bytes. */
function waveDurationMs(head: Buffer): number | undefined {
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= head.length;) {
    const name = head.toString('latin1', at, at + 4);
    const size = head.readUInt32LE(at + 4);
    if (name === 'fmt ' && at + 20 <= head.length) bytesPerSecond = head.readUInt32LE(at + 16);
    if (name === 'data') return bytesPerSecond === 0 ? undefined : (size / bytesPerSecond) * 1_000;
    at += 8 + size + (size % 2);
  }
  return undefined;
}

export type Inspected =
  | { readonly ok: true; readonly file: LocalFile }
  | { readonly ok: false; readonly problem: string };

/** `wanted` is what the file is used for; undefined: what its name says. */
export function inspectFile(path: string, wanted?: AssetType): Inspected {
  const name = basename(path);
  const refuse = (problem: string): Inspected => ({ ok: false, problem: `${name} ${problem}` });
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return refuse('is not there');
  const contentType = contentTypeOf(path);
  if (contentType === undefined) return refuse('must be .wav, .flac, .m4a, .jpg or .png');
  const type = assetTypeOf(contentType);
  if (wanted !== undefined && type !== wanted) return refuse(`is not ${wanted}`);
  if (stats.size === 0) return refuse('is empty');
  if (stats.size > sizeBytesMax[type])
    return refuse(`is larger than ${sizeBytesMax[type] / 2 ** 20} MiB`);
  const head = readHead(path);
  if (!beginnings[contentType](head))
    return refuse(`is not ${contentType}, whatever its name says`);
  const durationMs = contentType === 'audio/wav' ? waveDurationMs(head) : undefined;
  return { ok: true, file: { path, name, type, contentType, sizeBytes: stats.size, durationMs } };
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
