/** Valid WAVE files, plain and unusual ones. Whether a store accepts them is decided by preflight. */

import { ready, type Specimen, type Technical } from './specimen.ts';
import { chunk, formatTags, riff, samples, formatBody, wave, type WaveFormat } from './wave.ts';

export const cd: WaveFormat = { tag: formatTags.pcm, channels: 2, rateHz: 44_100, bits: 16 };
const studio: WaveFormat = { ...cd, rateHz: 96_000, bits: 24 };

const ratesHz = [44_100, 48_000, 88_200, 96_000, 176_400, 192_000];
const bitDepths = [16, 24];
const shortMs = 200;

const framesOf = (format: WaveFormat, durationMs: number) => (format.rateHz * durationMs) / 1000;

const codecs: Readonly<Record<number, string>> = {
  8: 'pcm_u8',
  16: 'pcm_s16le',
  24: 'pcm_s24le',
  32: 'pcm_s32le',
};

function facts(format: WaveFormat, durationMs: number): Technical {
  return {
    format: 'wav',
    codec: format.tag === formatTags.float ? 'pcm_f32le' : codecs[format.bits],
    bit_depth: format.bits,
    sample_rate: format.rateHz,
    channels: format.channels,
    duration_ms: durationMs,
    format_tag: format.tag,
  };
}

function plain(name: string, format: WaveFormat, durationMs = shortMs): Specimen {
  const bytes = wave(format, framesOf(format, durationMs));
  return ready(name, 'wav', bytes, facts(format, durationMs));
}

function everyRate(): readonly Specimen[] {
  return bitDepths.flatMap((bits) =>
    ratesHz.map((rateHz) => plain(`wave-${bits}-bit-${rateHz}-hz`, { ...cd, bits, rateHz })),
  );
}

function oddFormats(): readonly Specimen[] {
  return [
    plain('wave-mono', { ...cd, channels: 1 }),
    plain('wave-six-channels', { ...cd, channels: 6, rateHz: 48_000 }),
    plain('wave-8-bit', { ...cd, bits: 8 }),
    plain('wave-32-bit', { ...cd, bits: 32 }),
    plain('wave-float', { ...cd, tag: formatTags.float, bits: 32 }),
    plain('wave-8000-hz', { ...cd, rateHz: 8000 }),
    plain('wave-extensible-16-bit', { ...cd, tag: formatTags.extensible }),
    plain('wave-extensible-24-bit', { ...studio, tag: formatTags.extensible }),
    plain('wave-of-thirty-seconds', cd, 30_000),
  ];
}

const info = chunk(
  'LIST',
  Buffer.concat([Buffer.from('INFO'), chunk('INAM', Buffer.from('A name'))]),
);
const broadcast = chunk('bext', Buffer.alloc(602, 'Tonearm'));
const junk = chunk('JUNK', Buffer.alloc(28));
const odd = chunk('note', Buffer.from('seven b'));
const tag = chunk('id3 ', Buffer.from('ID3\u0003\0\0\0\0\0\0', 'latin1'));

function cue(): Buffer {
  const body = Buffer.alloc(28);
  body.writeUInt32LE(1, 0);
  body.writeUInt32LE(1, 4);
  body.write('data', 12);
  return chunk('cue ', body);
}

function manyChunks(): readonly Specimen[] {
  const frames = framesOf(cd, shortMs);
  const made = (name: string, bytes: Buffer) => ready(name, 'wav', bytes, facts(cd, shortMs));
  return [
    made('wave-list-before-data', wave(cd, frames, { before: [info] })),
    made('wave-bext-before-data', wave(cd, frames, { before: [broadcast, junk] })),
    made('wave-list-and-cue-after-data', wave(cd, frames, { after: [cue(), info] })),
    made('wave-id3-chunk-after-data', wave(cd, frames, { after: [tag] })),
    made('wave-odd-chunks-around-data', wave(cd, frames, { before: [odd, odd], after: [odd] })),
    made(
      'wave-junk-before-fmt',
      riff([junk, chunk('fmt ', formatBody(cd)), chunk('data', samples(cd, frames))]),
    ),
    made('wave-one-byte-after-the-end', Buffer.concat([wave(cd, frames), Buffer.from('x')])),
  ];
}

/** 8-bit mono with an odd number of samples, so that the data chunk needs a padding byte. */
function oddData(): readonly Specimen[] {
  const format = { ...cd, bits: 8, channels: 1, rateHz: 8000 };
  const frames = 1601;
  // 200.125 ms: the corpus does not test how the service rounds.
  const { duration_ms: _, ...technical } = facts(format, shortMs);
  const padded = wave(format, frames);
  const uncounted = Buffer.from(padded);
  uncounted.writeUInt32LE(padded.readUInt32LE(4) - 1, 4);
  return [
    ready('wave-odd-data-padded', 'wav', padded, technical),
    // Many tools write the padding byte but do not count it in the RIFF size.
    ready('wave-odd-data-padding-not-counted', 'wav', uncounted, technical),
    ready('wave-odd-data-then-list', 'wav', wave(format, frames, { after: [info] }), technical),
    ready('wave-of-one-frame', 'wav', wave(format, 1), technical),
  ];
}

export function readyWaves(): readonly Specimen[] {
  return [...everyRate(), ...oddFormats(), ...manyChunks(), ...oddData()];
}
