/**
 * Makes a song and a cover that stores accept, with Node only, so that you can try uploads without files of your own:
 *
 *   node examples/make-files.ts [FOLDER] [--minutes 10]
 *
 * It writes song.wav (40 s and 7 MB, or as many minutes as you say) and cover.png (3000 × 3000 pixels).
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crc32, deflateSync } from 'node:zlib';

/**
 * A chord as a WAVE file: 16 bit, stereo, 44.1 kHz. It is another chord each time, because preflight warns of one recording
 * with several ISRCs.
 */
export function chordWave(seconds = 40, rate = 44_100): Buffer {
  // Multiples of 0.2 Hz repeat after 5 seconds.
  const root = 160 + 0.8 * Math.floor(Math.random() * 200);
  const phase = Math.random() * 2 * Math.PI;
  const chord = Buffer.alloc(5 * rate * 4);
  for (let i = 0; i < 5 * rate; i++) {
    const tone = (hertz: number) => Math.sin(phase + (2 * Math.PI * hertz * i) / rate);
    const sample = Math.round(5_000 * (tone(root) + tone(root * 1.25) + tone(root * 1.5)));
    chord.writeInt16LE(sample, i * 4);
    chord.writeInt16LE(sample, i * 4 + 2);
  }
  const bytes = Buffer.alloc(44 + seconds * rate * 4, chord);
  bytes.write('RIFF    WAVEfmt ', 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  [16, 0x20001, rate, rate * 4, 0x100004].forEach((word, i) =>
    bytes.writeUInt32LE(word, 16 + i * 4),
  );
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(bytes.length - 44, 40);
  return bytes;
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), content]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(content.length);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A blue gradient as a square PNG. */
export function coverPng(size = 3_000): Buffer {
  const row = (y: number) =>
    Buffer.concat([Buffer.of(0), Buffer.alloc(size * 3, Buffer.of(20, 24, 60 + (y * 80) / size))]);
  const rows = Buffer.concat(Array.from({ length: size }, (_, y) => row(y)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2], 8); // 8 bits for each of red, green and blue
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.of()),
  ]);
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { minutes: { type: 'string' } },
  });
  const folder = positionals[0] ?? '.';
  const seconds = values.minutes === undefined ? 40 : Number(values.minutes) * 60;
  writeFileSync(join(folder, 'song.wav'), chordWave(seconds));
  writeFileSync(join(folder, 'cover.png'), coverPng());
}
