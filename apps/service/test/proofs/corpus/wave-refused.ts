/** WAVE files with one defect each. */

import type { FailureCode } from '../../../src/assets/domain/asset.ts';
import type { EncodedAudio } from './encoded.ts';
import { zipOf } from './foreign-bytes.ts';
import { noise } from './signal.ts';
import { refused, type Specimen } from './specimen.ts';
import { cd } from './wave-ready.ts';
import { chunk, formatBody, formatTags, riff, samples, wave, type WaveFormat } from './wave.ts';

const frames = 8820;
const unfilled = 0xffffffff;

type Defect = readonly [name: string, bytes: Buffer];

const all = (code: FailureCode, defects: readonly Defect[]): readonly Specimen[] =>
  defects.map(([name, bytes]) => refused(`wave-${name}`, 'wav', bytes, code));

/** A copy, changed in place. */
function altered(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
}

const fmt = chunk('fmt ', formatBody(cd));
const data = chunk('data', samples(cd, frames));
const validWave = riff([fmt, data]);

// Offsets in `validWave`: the RIFF size at 4, the body of fmt at 20, the size of data at 40.
const riffSizeAt = 4;
const fmtAt = 20;
const dataSizeAt = 40;

function brokenStructure(): readonly Defect[] {
  return [
    ['without-any-chunk', riff([])],
    ['without-fmt', riff([data])],
    ['without-data', riff([fmt])],
    ['with-a-short-fmt', riff([chunk('fmt ', formatBody(cd).subarray(0, 14)), data])],
    ['cut-in-half', validWave.subarray(0, validWave.length / 2)],
    ['cut-inside-fmt', validWave.subarray(0, 30)],
    ['cut-by-one-byte', validWave.subarray(0, -1)],
    [
      'riff-size-beyond-the-file',
      altered(validWave, (copy) => copy.writeUInt32LE(2 ** 31, riffSizeAt)),
    ],
    [
      'data-size-beyond-the-file',
      altered(validWave, (copy) => copy.writeUInt32LE(data.length + 4096, dataSizeAt)),
    ],
    ['sizes-never-filled-in', altered(validWave, fillNoSizes)],
    ['list-that-swallows-the-data', swallowed()],
    ['of-random-chunks', randomChunks()],
  ];
}

/** The sizes that a recorder leaves when it writes into a pipe or loses its power. */
function fillNoSizes(copy: Buffer): void {
  copy.writeUInt32LE(unfilled, riffSizeAt);
  copy.writeUInt32LE(unfilled, dataSizeAt);
}

function swallowed(): Buffer {
  const list = altered(chunk('LIST', Buffer.from('INFO')), (copy) =>
    copy.writeUInt32LE(unfilled, 4),
  );
  return riff([fmt, list, data]);
}

function randomChunks(): Buffer {
  const random = noise(7);
  return riff([Buffer.from(Array.from({ length: 4096 }, () => random() * 256))]);
}

const withFormat = (format: WaveFormat) => riff([chunk('fmt ', formatBody(format)), data]);
const withFormatByte = (offset: number, value: number) =>
  altered(validWave, (copy) => copy.writeUInt16LE(value, fmtAt + offset));

function absurdFormats(): readonly Defect[] {
  return [
    ['of-no-channels', withFormat({ ...cd, channels: 0 })],
    ['of-zero-hertz', withFormat({ ...cd, rateHz: 0 })],
    ['of-no-block-align', withFormatByte(12, 0)],
    ['of-a-block-align-that-does-not-fit', withFormatByte(12, 3)],
    ['of-bits-that-do-not-fit-the-block', withFormatByte(14, 24)],
  ];
}

function trailing(): readonly Defect[] {
  const after = (...rest: readonly Buffer[]) => Buffer.concat([validWave, ...rest]);
  return [
    ['then-two-bytes', after(Buffer.from('xy'))],
    ['then-a-zip', after(zipOf('payload.txt', Buffer.from('payload')))],
    ['then-an-id3v1-tag', after(Buffer.from(`TAG${'x'.repeat(125)}`))],
    ['then-another-wave', after(validWave)],
    ['then-a-script', after(Buffer.from('\n<script>alert(1)</script>\n'))],
  ];
}

/** A fmt chunk with the extra length field that every codec but plain PCM has. */
function otherCodec(tag: number, bits: number): Buffer {
  const body = Buffer.concat([formatBody({ ...cd, tag, bits }), Buffer.alloc(2)]);
  return riff([chunk('fmt ', body), data]);
}

/** At 100 Hz, so that a file of really thirteen hours is small. */
function long(): Buffer {
  const format = { ...cd, channels: 1, bits: 8, rateHz: 100 };
  const hours = 13;
  const silence = Buffer.alloc(hours * 3600 * format.rateHz, 0x80);
  return riff([chunk('fmt ', formatBody(format)), chunk('data', silence)]);
}

export function refusedWaves(audio: EncodedAudio): readonly Specimen[] {
  return [
    ...all('damaged', [...brokenStructure(), ...absurdFormats()]),
    ...all('trailing_data', trailing()),
    ...all('empty', [
      ['of-no-samples', wave(cd, 0)],
      ['extensible-of-no-samples', wave({ ...cd, tag: formatTags.extensible }, 0)],
    ]),
    ...all('unsupported_codec', [
      ['with-mp3-inside', audio['mp3.wav']],
      ['with-ms-adpcm-inside', audio['adpcm-ms.wav']],
      ['with-ima-adpcm-inside', audio['adpcm-ima.wav']],
      ['with-a-law-inside', otherCodec(formatTags.alaw, 8)],
      ['with-mu-law-inside', otherCodec(formatTags.mulaw, 8)],
      ['with-an-unknown-codec-inside', otherCodec(0x7777, 16)],
    ]),
    ...all('too_long', [['of-thirteen-hours', long()]]),
  ];
}
