/** Valid PNG files: every colour type, sizes up to the limit, and other chunks around the image. */

import { deflateSync } from 'node:zlib';
import { html, php } from './foreign-bytes.ts';
import { chunk, colours, end, header, imageData, png, signature, type PngHeader } from './png.ts';
import { noise, picture } from './signal.ts';
import { ready, type Specimen, type Technical } from './specimen.ts';

export const plainHead: PngHeader = { width: 640, height: 640, bits: 8, colour: colours.rgb };
export const plainPng = png(plainHead, { pixels: picture(640, 640, 4) });

const spaces = { 0: 'grey', 2: 'rgb', 3: 'rgb', 4: 'grey', 6: 'rgb' } as const;
const channels = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 } as const;

function facts({ width, height, bits, colour }: PngHeader): Technical {
  const space = { colour_space: spaces[colour], channels: channels[colour] };
  // Below eight bits decoders differ: some report the stored depth, some the depth after widening.
  return { format: 'png', width, height, ...space, ...(bits < 8 ? {} : { bit_depth: bits }) };
}

function grain(bytes: number): Buffer {
  const random = noise(bytes);
  return Buffer.from(Array.from({ length: bytes }, () => random() * 256));
}

const threeColours = chunk('PLTE', Buffer.from('ff000000ff000000ff', 'hex'));

function everyColour(): readonly Specimen[] {
  const small = { width: 64, height: 48 };
  const pixels = grain(64 * 48 * 8);
  const made = (name: string, bits: number, colour: PngHeader['colour']) => {
    const head = { ...small, bits, colour };
    return ready(`png-${name}`, 'png', png(head, { pixels }), facts(head));
  };
  return [
    made('rgb-16-bit', 16, colours.rgb),
    made('rgba', 8, colours.rgba),
    made('rgba-16-bit', 16, colours.rgba),
    made('grey', 8, colours.grey),
    made('grey-16-bit', 16, colours.grey),
    made('grey-1-bit', 1, colours.grey),
    made('grey-with-alpha', 8, colours.greyAlpha),
  ];
}

function palettes(): readonly Specimen[] {
  const head: PngHeader = { width: 64, height: 64, bits: 8, colour: colours.palette };
  const two = { ...head, bits: 2 };
  const clear = chunk('tRNS', Buffer.from([0]));
  return [
    ready('png-palette', 'png', png(head, { before: [threeColours] }), facts(head)),
    ready('png-palette-2-bit', 'png', png(two, { before: [threeColours] }), facts(two)),
    ready('png-palette-with-alpha', 'png', png(head, { before: [threeColours, clear] }), {
      ...facts(head),
      channels: 4,
    }),
  ];
}

function everySize(): readonly Specimen[] {
  const sized = (width: number, height: number): Specimen => {
    const head = { ...plainHead, width, height };
    const bytes = png(head, { pixels: picture(width, height, 0) });
    return ready(`png-${width}-by-${height}`, 'png', bytes, facts(head));
  };
  const limit: PngHeader = { width: 8000, height: 5000, bits: 1, colour: colours.grey };
  return [
    ready('png-640-by-640', 'png', plainPng, facts(plainHead)),
    sized(3000, 3000),
    sized(1, 1),
    sized(1200, 300),
    ready('png-of-exactly-forty-megapixels', 'png', png(limit), facts(limit)),
  ];
}

/** A small chunk that inflates to 200 MB. The image does not need it, and decoders drop it. */
function bombs(): readonly Specimen[] {
  const bomb = deflateSync(Buffer.alloc(200_000_000), { level: 1 });
  const inside = (name: string, prefix: string) =>
    png(plainHead, { before: [chunk(name, Buffer.concat([Buffer.from(prefix), bomb]))] });
  return [
    ready('png-with-a-text-bomb', 'png', inside('zTXt', 'Comment\0\0'), facts(plainHead)),
    ready('png-with-a-profile-bomb', 'png', inside('iCCP', 'profile\0\0'), facts(plainHead)),
  ];
}

/** Two frames; decoders without support for animation show the first. */
function animated(): Buffer {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(2);
  const frame = (sequence: number) => {
    const body = Buffer.alloc(26);
    body.writeUInt32BE(sequence, 0);
    body.writeUInt32BE(plainHead.width, 4);
    body.writeUInt32BE(plainHead.height, 8);
    body.writeUInt16BE(1, 20);
    body.writeUInt16BE(10, 22);
    return chunk('fcTL', body);
  };
  const image = imageData(plainHead);
  const second = Buffer.concat([Buffer.from([0, 0, 0, 2]), image.subarray(8, -4)]);
  const chunks = [chunk('acTL', control), frame(0), image, frame(1), chunk('fdAT', second)];
  return Buffer.concat([signature, header(plainHead), ...chunks, end]);
}

function surrounded(): readonly Specimen[] {
  const text = (body: Buffer) => chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), body]));
  const padded = Buffer.concat([plainPng, Buffer.alloc(512)]);
  const commented = png(plainHead, { before: [text(html), text(php)] });
  return [
    ready('png-then-zeros', 'png', padded, facts(plainHead)),
    // Scripts inside a text chunk are harmless.
    ready('png-with-scripts-in-its-text', 'png', commented, facts(plainHead)),
    ready('png-animated', 'png', animated(), facts(plainHead)),
  ];
}

export function readyPngs(interlaced: Buffer): readonly Specimen[] {
  return [
    ...everyColour(),
    ...palettes(),
    ...everySize(),
    ...bombs(),
    ...surrounded(),
    ready('png-interlaced', 'png', interlaced, facts(plainHead)),
  ];
}
