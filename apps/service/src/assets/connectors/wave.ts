/**
 * Reads the chunks of a WAVE file as strictly as stores do. ffmpeg accepts a header that declares more bytes than the
 * file has; stores reject it.
 */

import type { FileHandle } from 'node:fs/promises';
import type { Failure } from '../domain/asset.ts';

export type WaveHeader = {
  readonly formatTag: number;
  readonly channels: number;
  readonly sampleRateHz: number;
  readonly bitDepth: number;
};

const riffHeaderBytes = 12;
const chunkHeaderBytes = 8;
const formatBytesMin = 16;
const chunksMax = 1_000;
const pcm = 0x0001;
const float = 0x0003;
const extensible = 0xfffe;

const damaged = (what: string): Failure => ({
  code: 'damaged',
  reason: `The WAV file is damaged: ${what}. Export it again and upload the complete file.`,
});

type Chunk = { readonly id: string; readonly at: number; readonly bytes: number };

export async function readWaveHeader(file: FileHandle): Promise<WaveHeader | Failure> {
  const { size } = await file.stat();
  const end = riffHeaderBytes - 4 + (await readUInt32(file, 4));
  if (end > size) return damaged('its header promises more than there is');
  // A last chunk of odd length may have one byte of padding.
  if (size - end > 1) return trailing(size - end);
  const chunks = await readChunks(file, end);
  if ('code' in chunks) return chunks;
  const format = chunks.find(({ id }) => id === 'fmt ');
  const data = chunks.find(({ id }) => id === 'data');
  if (format === undefined || format.bytes < formatBytesMin) return damaged('it has no fmt chunk');
  if (data === undefined) return damaged('it has no data chunk');
  if (data.bytes === 0)
    return { code: 'empty', reason: 'The WAV file contains no audio. Export it again.' };
  return readFormat(file, format, data);
}

const trailing = (bytes: number): Failure => ({
  code: 'trailing_data',
  reason: `${bytes} bytes follow the end of the WAVE file. Export it again.`,
});

async function readChunks(file: FileHandle, end: number): Promise<readonly Chunk[] | Failure> {
  const chunks: Chunk[] = [];
  for (let at = riffHeaderBytes; at + chunkHeaderBytes <= end;) {
    if (chunks.length === chunksMax) return damaged(`it has more than ${chunksMax} chunks`);
    const id = (await readBytes(file, at, 4)).toString('latin1');
    const bytes = await readUInt32(file, at + 4);
    const next = at + chunkHeaderBytes + bytes;
    if (next > end) return damaged(`its ${JSON.stringify(id)} chunk is longer than the file`);
    chunks.push({ id, at: at + chunkHeaderBytes, bytes });
    at = next + (bytes % 2);
  }
  return chunks;
}

async function readFormat(
  file: FileHandle,
  { at }: Chunk,
  data: Chunk,
): Promise<WaveHeader | Failure> {
  const bytes = await readBytes(file, at, formatBytesMin);
  const header: WaveHeader = {
    formatTag: bytes.readUInt16LE(0),
    channels: bytes.readUInt16LE(2),
    sampleRateHz: bytes.readUInt32LE(4),
    bitDepth: bytes.readUInt16LE(14),
  };
  if (![pcm, float, extensible].includes(header.formatTag)) {
    return {
      code: 'unsupported_codec',
      reason: `The WAV file contains compressed audio (format tag 0x${header.formatTag.toString(16).padStart(4, '0')}). Export it as PCM.`,
    };
  }
  const frameBytes = bytes.readUInt16LE(12);
  const isSound =
    header.channels > 0 &&
    header.sampleRateHz > 0 &&
    frameBytes === header.channels * Math.ceil(header.bitDepth / 8) &&
    frameBytes > 0;
  if (!isSound) return damaged('its fmt chunk contradicts itself');
  if (data.bytes % frameBytes !== 0) return damaged('its last sample is cut off');
  return header;
}

async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  await file.read(buffer, 0, length, at);
  return buffer;
}

const readUInt32 = async (file: FileHandle, at: number): Promise<number> =>
  (await readBytes(file, at, 4)).readUInt32LE();
