/** A report whose archive has one wrong bit is refused, or has the same bytes: no amount changes unnoticed. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { uncompress } from '../src/royalties/connectors/uncompress.ts';
import { storedZipOf, zipOf } from './zip-builder.ts';

const content = Buffer.from(
  Array.from({ length: 60 }, (_, i) => `QZTST26${10_000 + i}\tDE\t${i * 37}\t100.00\n`).join(''),
);
const entry = { name: 'report.tsv', content };
/** Each flip allocates buffers of megabytes, which is dear in a process with a large heap: `.ci/full` has ten times as many. */
const share = process.env['TONEARM_FULL_TESTS'] === '1' ? 1 : 0.1;
const archives = {
  'a zip archive': { bytes: zipOf([entry]), flips: 2_000 * share },
  'a zip archive that is not compressed': { bytes: storedZipOf(entry), flips: 500 * share },
  'a gzip file': { bytes: gzipSync(content), flips: 500 * share },
};

describe('a report is noticed to be damaged in', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'damaged-'))));
  after(() => rmSync(folder, { recursive: true }));

  const readBack = async (bytes: Buffer): Promise<Buffer> => {
    const path = join(folder, 'report');
    writeFileSync(path, bytes);
    const chunks: Buffer[] = [];
    // A chunk is valid until the next one.
    for await (const chunk of uncompress(path, 'report')) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  };

  for (const [what, { bytes, flips }] of Object.entries(archives)) {
    test(`${what}: ${flips} flipped bits`, async () => {
      assert.deepEqual(await readBack(bytes), content);
      let refused = 0;
      for (let i = 0; i < flips; i++) {
        // Spread over the whole file, each another bit.
        const bit = Math.floor((i * bytes.length * 8) / flips);
        const damaged = Buffer.from(bytes);
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const read = await readBack(damaged).catch((error: unknown) => error);
        if (Buffer.isBuffer(read)) {
          // Without the first bytes of its kind, it is read as a file that is not compressed, and has no header line.
          assert.ok(read.equals(content) || read.equals(damaged), `bit ${bit}`);
        } else {
          assert.match(
            String(read),
            /Send the complete|cannot be uncompressed|Send (it|one)|Use deflate/,
          );
          refused += 1;
        }
      }
      assert.ok(refused > flips / 2, `${refused} refused`);
    });
  }
});
