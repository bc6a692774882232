/**
 * Writes WAVE: `RIFF`, the length of the rest, `WAVE`, then chunks of id, length and body, each padded to an even
 * length. Encoders cannot be used, because they do not write broken files.
 */

import { tone } from './signal.ts';

export const formatTags = {
  pcm: 1,
  float: 3,
  alaw: 6,
  mulaw: 7,
  extensible: 0xfffe,
} as const;

export type WaveFormat = {
  readonly tag: number;
  readonly channels: number;
  readonly rateHz: number;
  readonly bits: number;
};

/** The end of every subformat GUID of the extensible format, after the tag. */
const guidTail = Buffer.from('000000001000800000aa00389b71', 'hex');

export function chunk(id: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, 0, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

export function riff(chunks: readonly Buffer[]): Buffer {
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks]));
}

function blockAlign({ channels, bits }: WaveFormat): number {
  return channels * Math.ceil(bits / 8);
}

export function formatBody(format: WaveFormat): Buffer {
  const body = Buffer.alloc(16);
  body.writeUInt16LE(format.tag, 0);
  body.writeUInt16LE(format.channels, 2);
  body.writeUInt32LE(format.rateHz, 4);
  body.writeUInt32LE((format.rateHz * blockAlign(format)) % 2 ** 32, 8);
  body.writeUInt16LE(blockAlign(format), 12);
  body.writeUInt16LE(format.bits, 14);
  return format.tag === formatTags.extensible ? extend(body, format) : body;
}

function extend(body: Buffer, { channels, bits }: WaveFormat): Buffer {
  const extension = Buffer.alloc(10);
  extension.writeUInt16LE(22, 0);
  extension.writeUInt16LE(bits, 2);
  extension.writeUInt32LE(channels === 1 ? 0b100 : 0b11, 4);
  extension.writeUInt16LE(formatTags.pcm, 8);
  return Buffer.concat([body, extension, guidTail]);
}

/** The samples of a tone in each channel, encoded in the format. */
export function samples(format: WaveFormat, frames: number): Buffer {
  const { channels, bits, tag } = format;
  const width = Math.ceil(bits / 8);
  const body = Buffer.alloc(frames * channels * width);
  const values = tone(frames * channels, format.rateHz * channels);
  const peak = 2 ** (bits - 1) - 1;
  values.forEach((value, at) => {
    if (tag === formatTags.float) body.writeFloatLE(value, at * width);
    // WAVE samples of eight bits are unsigned, all others are signed.
    else if (bits === 8) body.writeUInt8(Math.round(value * peak) + 128, at);
    else body.writeIntLE(Math.round(value * peak), at * width, width);
  });
  return body;
}

export function wave(
  format: WaveFormat,
  frames: number,
  around: { readonly before?: readonly Buffer[]; readonly after?: readonly Buffer[] } = {},
): Buffer {
  return riff([
    chunk('fmt ', formatBody(format)),
    ...(around.before ?? []),
    chunk('data', samples(format, frames)),
    ...(around.after ?? []),
  ]);
}
