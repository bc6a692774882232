/**
 * A program that decodes one image and prints its facts as JSON. It runs as a separate process, so that a hostile file
 * that crashes the decoder, uses all its memory or has millions of tiny chunks does not affect the worker.
 */

import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { ArtworkFormat } from '../domain/asset.ts';
import { outlineOf } from '../domain/image-outline.ts';

export type ReadImageResult =
  | { readonly isTooLarge: true }
  | {
      readonly isTooLarge: false;
      readonly image: DecodedImage;
      /** Bytes after the end of the image; undefined when the image has no end. */
      readonly trailingBytes: number | undefined;
    };

type DecodedImage = {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly space: string;
  readonly depth: string;
  readonly channels: number;
};

/** The decoder rejects the file. Any other exit code is a failure of this program. */
const undecodableExitCode = 3;

async function readImage(
  path: string,
  declared: ArtworkFormat,
  pixelsMax: number,
): Promise<ReadImageResult | undefined> {
  const bytes = await readFile(path);
  const outline = outlineOf[declared](bytes);
  if (outline.width * outline.height > pixelsMax) return { isTooLarge: true };
  const image = await decode(path, pixelsMax);
  if (image === undefined) return undefined;
  const rest = outline.end === undefined ? undefined : bytes.subarray(outline.end);
  return { isTooLarge: false, image, trailingBytes: rest && contentBytes(rest) };
}

/** Zeros after the end are padding, not content. */
const contentBytes = (rest: Buffer): number => (rest.some((byte) => byte !== 0) ? rest.length : 0);

async function decode(path: string, pixelsMax: number): Promise<DecodedImage | undefined> {
  sharp.cache(false);
  sharp.concurrency(1);
  const image = sharp(path, { failOn: 'error', limitInputPixels: pixelsMax, sequentialRead: true });
  try {
    const { format, width, height, space, depth, channels } = await image.metadata();
    // stats() decodes every pixel, so a truncated file fails here.
    await image.stats();
    return { format, width, height, space, depth, channels };
  } catch (error) {
    process.stderr.write(String(error));
    return undefined;
  }
}

const [path = '', declared, pixelsMax] = process.argv.slice(2);
// The arguments that measure-artwork.ts passes.
const result = await readImage(path, declared as ArtworkFormat, Number(pixelsMax));
if (result === undefined) process.exitCode = undecodableExitCode;
else process.stdout.write(JSON.stringify(result));
