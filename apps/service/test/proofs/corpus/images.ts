/** Images made with sharp: JPEG of every kind, interlaced PNG, and formats that the service refuses. */

import sharp, { type Sharp } from 'sharp';
import { picture } from './signal.ts';

function drawn(width: number, height: number): Sharp {
  return sharp(picture(width, height), { raw: { width, height, channels: 3 } });
}

export async function makeImages() {
  const cover = drawn(640, 640);
  const of = (width: number, height: number) => drawn(width, height).jpeg().toBuffer();
  return {
    plain: await cover.clone().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
    large: await of(3000, 3000),
    wide: await of(1200, 300),
    dot: await of(1, 1),
    progressive: await cover.clone().jpeg({ progressive: true }).toBuffer(),
    grey: await cover.clone().toColourspace('b-w').jpeg().toBuffer(),
    cmyk: await cover.clone().toColourspace('cmyk').jpeg().toBuffer(),
    oriented: await cover.clone().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    profiled: await cover.clone().withIccProfile('p3').jpeg().toBuffer(),
    thumbnail: await of(64, 64),
    webp: await cover.clone().webp().toBuffer(),
    gif: await cover.clone().gif().toBuffer(),
    tiff: await cover.clone().tiff().toBuffer(),
    avif: await drawn(64, 64).avif({ effort: 0 }).toBuffer(),
    interlaced: await cover.clone().png({ progressive: true }).toBuffer(),
  };
}

export type Images = Awaited<ReturnType<typeof makeImages>>;
