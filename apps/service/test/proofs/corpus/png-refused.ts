/** PNG files with one defect each. */

import type { FailureCode } from '../../../src/assets/domain/asset.ts';
import { html, php, zipOf } from './foreign-bytes.ts';
import { plainHead, plainPng } from './png-ready.ts';
import { chunk, colours, end, header, imageData, png, signature, type PngHeader } from './png.ts';
import { refused, type Specimen } from './specimen.ts';

type Defect = readonly [name: string, bytes: Buffer];

const all = (code: FailureCode, defects: readonly Defect[]): readonly Specimen[] =>
  defects.map(([name, bytes]) => refused(`png-${name}`, 'png', bytes, code));

/** A header of any size with an image of a hundred bytes. */
function hollow(head: PngHeader): Buffer {
  const image = imageData({ width: 99, height: 1, bits: 8, colour: colours.grey });
  return Buffer.concat([signature, header(head), image, end]);
}

function flippedByte(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 0xff, at);
  return copy;
}

function damaged(): readonly Defect[] {
  const half = Math.floor(plainPng.length / 2);
  const noise = chunk('IDAT', Buffer.alloc(4096, 7));
  const palette: PngHeader = { ...plainHead, colour: colours.palette };
  return [
    ['signature-only', signature],
    ['header-only', plainPng.subarray(0, 33)],
    ['cut-inside-its-header', plainPng.subarray(0, 20)],
    ['cut-in-half', plainPng.subarray(0, half)],
    // All pixels are there, and decoders accept it.
    ['without-its-end', plainPng.subarray(0, -end.length)],
    ['cut-inside-its-end', plainPng.subarray(0, -5)],
    ['without-image-data', Buffer.concat([signature, header(plainHead), end])],
    ['with-too-few-rows', hollow(plainHead)],
    ['with-one-byte-changed', flippedByte(plainPng, half)],
    ['with-noise-for-image-data', Buffer.concat([signature, header(plainHead), noise, end])],
    ['of-a-palette-it-lacks', png(palette)],
    ['of-five-bits', hollow({ ...plainHead, bits: 5 })],
    ['of-no-size', hollow({ ...plainHead, width: 0, height: 0 })],
    ['with-an-unknown-critical-chunk', png(plainHead, { before: [chunk('EVIL', html)] })],
  ];
}

function tooLarge(): readonly Defect[] {
  const bilevel: PngHeader = { width: 8000, height: 8000, bits: 1, colour: colours.grey };
  return [
    ['of-ten-thousand-megapixels', hollow({ ...plainHead, width: 100_000, height: 100_000 })],
    ['bomb-of-sixty-four-megapixels', png({ ...plainHead, width: 8000, height: 8000 })],
    ['bilevel-bomb-of-sixty-four-megapixels', png(bilevel)],
    ['one-row-over-forty-megapixels', png({ ...bilevel, height: 5001 })],
    [
      'of-the-largest-size-there-is',
      hollow({ ...plainHead, width: 2 ** 31 - 1, height: 2 ** 31 - 1 }),
    ],
  ];
}

function trailing(): readonly Defect[] {
  const then = (...rest: readonly Buffer[]) => Buffer.concat([plainPng, ...rest]);
  return [
    ['then-html', then(html)],
    ['then-php', then(php)],
    ['then-a-zip', then(zipOf('payload.txt', html))],
    ['then-another-png', then(plainPng)],
    ['then-zeros-then-php', then(Buffer.alloc(4096), php)],
    ['then-one-byte', then(Buffer.from('x'))],
  ];
}

export function refusedPngs(): readonly Specimen[] {
  return [
    ...all('damaged', damaged()),
    ...all('too_large', tooLarge()),
    ...all('trailing_data', trailing()),
  ];
}
