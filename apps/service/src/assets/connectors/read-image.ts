/**
 * Reads one image to its end and prints what it is, as JSON. A process of its own: a hostile file that crashes the
 * decoder, uses all its memory or has millions of tiny chunks affects neither the worker nor its event loop.
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
      /** What follows the image's end; undefined where it has no end. */
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

/** The decoder refuses the file; any other failure is this program's own. */
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

/** Some programs pad with zeros; that is no content. */
const contentBytes = (rest: Buffer): number => (rest.some((byte) => byte !== 0) ? rest.length : 0);

async function decode(path: string, pixelsMax: number): Promise<DecodedImage | undefined> {
  sharp.cache(false);
  sharp.concurrency(1);
  const image = sharp(path, { failOn: 'error', limitInputPixels: pixelsMax, sequentialRead: true });
  try {
    const { format, width, height, space, depth, channels } = await image.metadata();
    // Every pixel is decoded; a file that is cut off fails here.
    await image.stats();
    return { format, width, height, space, depth, channels };
  } catch (error) {
    process.stderr.write(String(error));
    return undefined;
  }
}

const [path = '', declared, pixelsMax] = process.argv.slice(2);
// As `measure-artwork.ts` calls it.
const result = await readImage(path, declared as ArtworkFormat, Number(pixelsMax));
if (result === undefined) process.exitCode = undecodableExitCode;
else process.stdout.write(JSON.stringify(result));
