/** Makes the files of the fictional catalogue, always the same bytes, and uploads them as a partner would. */

import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { createSemaphore } from '../../platform/process/semaphore.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { Cover, SeedFile, Song } from '../domain/seed-files.ts';

const compress = promisify(deflate);

/** A cover is 27 MB before it is compressed: one at a time, even if many sandboxes are reset at once. */
const inTurn = createSemaphore({ atOnce: 1 });

const bytesOf = (file: SeedFile): Promise<Buffer> =>
  inTurn('files', async () => (file.type === 'audio' ? waveOf(file) : pngOf(file)));

const sizes = new Map<string, number>();

/** Makes the file once to measure it; the size never changes. */
export async function sizeOf(file: SeedFile): Promise<number> {
  const size = sizes.get(file.fileName) ?? (await bytesOf(file)).length;
  sizes.set(file.fileName, size);
  return size;
}

const framesPerSecond = 44_100;
const bytesPerFrame = 4;
const headerBytes = 44;
const amplitude = 6_000;

/** 16 bit stereo at 44.1 kHz: one second, repeated. */
function waveOf({ seconds, chord }: Song): Buffer {
  const second = Buffer.alloc(framesPerSecond * bytesPerFrame);
  for (let frame = 0; frame < framesPerSecond; frame++) {
    const angle = (2 * Math.PI * frame) / framesPerSecond;
    const sum = chord.reduce((total, hertz) => total + Math.sin(angle * hertz), 0);
    const sample = Math.round((amplitude * sum) / chord.length);
    second.writeInt16LE(sample, frame * bytesPerFrame);
    second.writeInt16LE(sample, frame * bytesPerFrame + 2);
  }
  const header = waveHeader(second.length * seconds);
  return Buffer.concat([header, ...Array.from({ length: seconds }, () => second)]);
}

function waveHeader(dataBytes: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF    WAVEfmt ', 'latin1');
  header.writeUInt32LE(headerBytes - 8 + dataBytes, 4);
  // The length of this chunk, PCM in two channels, frames and bytes per second, 4 bytes a frame of 16 bits.
  const format = [16, 0x20001, framesPerSecond, framesPerSecond * bytesPerFrame, 0x100004];
  format.forEach((word, i) => header.writeUInt32LE(word, 16 + i * 4));
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}

/** The smallest cover that every store accepts. */
const sidePx = 3_000;
const bytesPerPixel = 3;
/** The picture compresses well at the lowest level. */
const compression = { level: 1 };

async function pngOf(cover: Cover): Promise<Buffer> {
  const rows = Buffer.concat(Array.from({ length: sidePx }, (_, y) => rowOf(cover, y)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(sidePx, 0);
  header.writeUInt32BE(sidePx, 4);
  header.set([8, 2], 8); // 8 bits a channel, RGB
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', await compress(rows, compression)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** One row of pixels, after the byte that marks it as unfiltered. */
function rowOf({ sky: [top, bottom], disc }: Cover, y: number): Buffer {
  const share = y / (sidePx - 1);
  const colour = top.map((from, i) => Math.round(from + ((bottom[i] ?? from) - from) * share));
  const row = Buffer.alloc(1 + sidePx * bytesPerPixel);
  row.fill(Buffer.from(colour), 1);
  const halfSquared = inPixels(disc.radius) ** 2 - (y - inPixels(disc.y)) ** 2;
  if (halfSquared <= 0) return row;
  const half = Math.floor(Math.sqrt(halfSquared));
  const byteAt = (x: number) => 1 + x * bytesPerPixel;
  const middle = inPixels(disc.x);
  return row.fill(Buffer.from(disc.colour), byteAt(middle - half), byteAt(middle + half));
}

const inPixels = (thousandths: number): number => (thousandths * sidePx) / 1_000;

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

const expiresInSeconds = 600;

/** To a presigned URL, as a partner does. */
export async function upload(
  storage: Storage,
  key: string,
  file: SeedFile,
  signal: AbortSignal,
): Promise<void> {
  const bytes = await bytesOf(file);
  const { contentType } = file;
  const terms = { contentType, sizeBytes: bytes.length, expiresInSeconds };
  const answer = await fetch(await storage.presignPut(key, terms), {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: bytes as Uint8Array<ArrayBuffer>,
    signal,
  });
  if (!answer.ok) throw new Error(`the upload of ${file.fileName} was answered ${answer.status}`);
}
