/** Writes PNG: the signature, then chunks of length, name, body and CRC. */

import { crc32, deflateSync } from 'node:zlib';

export const signature = Buffer.from('89504e470d0a1a0a', 'hex');

export const colours = { grey: 0, rgb: 2, palette: 3, greyAlpha: 4, rgba: 6 } as const;

const samplesPerPixel = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

export type PngHeader = {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly colour: keyof typeof samplesPerPixel;
};

export function chunk(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  const checked = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(checked));
  return Buffer.concat([head, checked, check]);
}

export const end = chunk('IEND', Buffer.alloc(0));

export function header({ width, height, bits, colour }: PngHeader): Buffer {
  const body = Buffer.alloc(13);
  body.writeUInt32BE(width, 0);
  body.writeUInt32BE(height, 4);
  body.writeUInt8(bits, 8);
  body.writeUInt8(colour, 9);
  return chunk('IHDR', body);
}

/** Each row begins with a byte for its filter (0: none). */
function scanlines({ width, height, bits, colour }: PngHeader, pixels?: Buffer): Buffer {
  const rowBytes = Math.ceil((width * samplesPerPixel[colour] * bits) / 8);
  const lines = Buffer.alloc((rowBytes + 1) * height);
  if (pixels === undefined) return lines;
  for (let row = 0; row < height; row += 1) {
    pixels.copy(lines, row * (rowBytes + 1) + 1, row * rowBytes, (row + 1) * rowBytes);
  }
  return lines;
}

/** Without `pixels` every sample is zero, which compresses a thousandfold. */
export function imageData(head: PngHeader, pixels?: Buffer): Buffer {
  return chunk('IDAT', deflateSync(scanlines(head, pixels), { level: 6 }));
}

export function png(
  head: PngHeader,
  options: { readonly pixels?: Buffer; readonly before?: readonly Buffer[] } = {},
): Buffer {
  const data = imageData(head, options.pixels);
  return Buffer.concat([signature, header(head), ...(options.before ?? []), data, end]);
}
