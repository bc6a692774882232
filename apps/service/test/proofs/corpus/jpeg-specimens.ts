/** JPEG files, valid and broken. */

import type { FailureCode } from '../../../src/assets/domain/asset.ts';
import { html, php, zipOf } from './foreign-bytes.ts';
import type { Images } from './images.ts';
import { markers, renamed, segmentAt, withSegment, withSize } from './jpeg.ts';
import { ready, refused, type Specimen, type Technical } from './specimen.ts';

type Named = readonly [name: string, bytes: Buffer];

const rgb = { format: 'jpeg', colour_space: 'rgb', bit_depth: 8, channels: 3 } as const;
const square: Technical = { ...rgb, width: 640, height: 640 };
const endMarker = Buffer.from([0xff, markers.end]);

/** A complete small JPEG with its end marker inside a segment of the large one, as cameras write it. */
function withThumbnail({ plain, thumbnail }: Images): Buffer {
  return withSegment(plain, markers.app5, thumbnail);
}

function valid(images: Images): readonly Specimen[] {
  const { plain } = images;
  const made = (name: string, bytes: Buffer, facts: Technical = square) =>
    ready(`jpeg-${name}`, 'jpg', bytes, facts);
  return [
    made('rgb', plain),
    made('3000-by-3000', images.large, { ...rgb, width: 3000, height: 3000 }),
    made('1200-by-300', images.wide, { ...rgb, width: 1200, height: 300 }),
    made('1-by-1', images.dot, { ...rgb, width: 1, height: 1 }),
    made('progressive', images.progressive),
    made('grey', images.grey, { ...square, colour_space: 'grey', channels: 1 }),
    made('cmyk', images.cmyk, { ...square, colour_space: 'cmyk', channels: 4 }),
    made('with-an-orientation', images.oriented),
    made('with-a-profile', images.profiled),
    made('with-a-thumbnail', withThumbnail(images)),
    made('with-scripts-in-its-comments', withSegment(plain, markers.comment, html)),
    made('then-zeros', Buffer.concat([plain, Buffer.alloc(300)])),
  ];
}

function brokenHuffman(jpeg: Buffer): Buffer {
  const table = segmentAt(jpeg, markers.huffman);
  return Buffer.from(jpeg).fill(0xff, table + 5, table + 21);
}

function damaged(images: Images): readonly Named[] {
  const { plain, progressive } = images;
  const scan = segmentAt(plain, markers.scan);
  const camera = withThumbnail(images);
  return [
    ['start-only', plain.subarray(0, 3)],
    ['start-and-end-only', Buffer.concat([plain.subarray(0, 2), endMarker])],
    ['cut-inside-its-header', plain.subarray(0, 100)],
    ['cut-in-half', plain.subarray(0, Math.floor(plain.length / 2))],
    ['without-its-end', plain.subarray(0, -2)],
    ['progressive-cut-in-half', progressive.subarray(0, Math.floor(progressive.length / 2))],
    // The only end marker left is the thumbnail's: the bytes after it are not trailing data.
    ['with-a-thumbnail-cut-in-half', camera.subarray(0, Math.floor(camera.length / 2))],
    ['without-a-scan', Buffer.concat([plain.subarray(0, scan), endMarker])],
    ['without-a-frame', renamed(plain, markers.frame, markers.app5)],
    ['that-calls-itself-lossless', renamed(plain, markers.frame, markers.lossless)],
    ['without-its-quantization', renamed(plain, markers.quantization, markers.app5)],
    ['with-broken-huffman-tables', brokenHuffman(plain)],
    ['of-no-height', withSize(plain, 640, 0)],
  ];
}

function trailing({ plain, thumbnail }: Images): readonly Named[] {
  const then = (...rest: readonly Buffer[]) => Buffer.concat([plain, ...rest]);
  return [
    ['then-a-zip', then(zipOf('payload.txt', html))],
    // The last end marker of the file is inside the ZIP, before the ZIP's directory.
    ['then-a-zip-of-a-jpeg', then(zipOf('small.jpg', thumbnail))],
    ['then-html', then(html)],
    ['then-zeros-then-php', then(Buffer.alloc(4096), php)],
    ['then-one-byte', then(Buffer.from('x'))],
  ];
}

function tooLarge({ plain }: Images): readonly Named[] {
  return [
    ['of-nine-hundred-megapixels', withSize(plain, 30_000, 30_000)],
    ['just-over-forty-megapixels', withSize(plain, 8000, 5001)],
    ['of-the-largest-size-there-is', withSize(plain, 65_535, 65_535)],
  ];
}

export function jpegs(images: Images): readonly Specimen[] {
  const all = (code: FailureCode, files: readonly Named[]) =>
    files.map(([name, bytes]) => refused(`jpeg-${name}`, 'jpg', bytes, code));
  return [
    ...valid(images),
    ...all('damaged', damaged(images)),
    ...all('trailing_data', trailing(images)),
    ...all('too_large', tooLarge(images)),
  ];
}
