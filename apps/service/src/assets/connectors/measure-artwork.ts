/** Measures an image in a separate process, which decodes all of it and counts the bytes after its end. */

import { join } from 'node:path';
import { minuteMs } from '../../kernel/duration.ts';
import { runBounded } from '../../platform/process/run-bounded.ts';
import type { ArtworkFacts, ArtworkFormat, Failure } from '../domain/asset.ts';
import type { ReadImageResult } from './read-image.ts';

const program = join(import.meta.dirname, 'read-image.ts');

/** A limit on address space: Node reserves far more than it uses. */
const bounds = { timeoutMs: minuteMs, memoryBytes: 8 * 1024 ** 3 };

const pixelsMax = 40_000_000;

/** The exit code of read-image.ts when the decoder rejects the file. */
const undecodableExitCode = 3;

const damaged: Failure = {
  code: 'damaged',
  reason:
    'The image is damaged: it cannot be decoded completely. Export it again and upload the complete file.',
};
const tooLarge: Failure = {
  code: 'too_large',
  reason: 'The image has more than 40 megapixels. Upload at most 6,300 × 6,300 pixels.',
};

export async function measureArtwork(
  path: string,
  format: ArtworkFormat,
  signal: AbortSignal,
): Promise<ArtworkFacts | Failure> {
  const args = ['--max-old-space-size=128', program, path, format, String(pixelsMax)];
  const { code, output, errors } = await runBounded(process.execPath, args, { ...bounds, signal });
  // Null means that the decoder crashed or was stopped; any other code is a failure of the program itself.
  if (code !== null && code !== 0 && code !== undecodableExitCode) throw new Error(errors);
  const result = code === 0 ? (JSON.parse(output) as ReadImageResult) : undefined;
  if (result?.isTooLarge === true) return tooLarge;
  if (result?.image.format !== format || result.trailingBytes === undefined) return damaged;
  const { image, trailingBytes } = result;
  if (trailingBytes > 0) return trailing(trailingBytes);
  return {
    format,
    width: image.width,
    height: image.height,
    colourSpace: colourSpaces[image.space] ?? image.space,
    bitDepth: depths[image.depth] ?? 0,
    channels: image.channels,
  };
}

/** Keys are the names of libvips. */
const colourSpaces: Readonly<Record<string, string>> = {
  srgb: 'rgb',
  rgb: 'rgb',
  rgb16: 'rgb',
  'b-w': 'grey',
  grey16: 'grey',
  cmyk: 'cmyk',
};
const depths: Readonly<Record<string, number>> = { uchar: 8, ushort: 16, float: 32 };

const trailing = (bytes: number): Failure => ({
  code: 'trailing_data',
  reason: `${bytes} bytes follow the end of the image. Export it again.`,
});
