/** The same file, renamed or compressed again, has the same digest; the same report gives the same bytes. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { upload } from '../src/platform/storage/transfer.ts';
import { digestFiles, digestStoredFiles } from '../src/royalties/connectors/digest-files.ts';
import { ReportRejected } from '../src/royalties/domain/report-rejected.ts';
import { dsrFile, header, sale, summary } from './dsr-builder.ts';
import { openReportFixture, type ReportFixture } from './report-fixture.ts';
import { zipOf } from './zip-builder.ts';

const folder = mkdtempSync(join(tmpdir(), 'tonearm-digest-'));
const { signal } = new AbortController();
let fixture: ReportFixture;
before(async () => {
  fixture = await openReportFixture();
});
after(() => {
  fixture.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, content: Buffer) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return { name, path };
}

const [one, two] = ['one\n', 'two\n'].map((text) => Buffer.from(text.repeat(1_000))) as [
  Buffer,
  Buffer,
];

describe('digests', () => {
  test('files that are renamed, compressed or in another order have the digest of the same set', async () => {
    const plain = await digestFiles([write('a', one), write('b', two)], signal);
    assert.equal(plain.files[0]?.sha256, createHash('sha256').update(one).digest('hex'));
    const other = await digestFiles(
      [
        write('b.zip', zipOf([{ name: 'renamed.csv', content: two }])),
        write('a.gz', gzipSync(one, { level: 1 })),
      ],
      signal,
    );
    assert.equal(other.setDigest, plain.setDigest);
    assert.deepEqual(
      other.files.map(({ sha256 }) => sha256).toReversed(),
      plain.files.map(({ sha256 }) => sha256),
    );
    const changed = await digestFiles(
      [write('c', one), write('d', Buffer.concat([two, one]))],
      signal,
    );
    assert.notEqual(changed.setDigest, plain.setDigest);
  });

  test('files on the storage have the digests of local files', async () => {
    const local = write('a.gz', gzipSync(one));
    await upload(fixture.storage, local.path, 'incoming/a', signal);
    const stored = await digestStoredFiles(
      fixture,
      [{ name: 'a.gz', objectKey: 'incoming/a' }],
      signal,
    );
    assert.deepEqual(stored, await digestFiles([local], signal));
  });

  test('a damaged archive is rejected with its name', async () => {
    const damaged = write('damaged.gz', gzipSync(one).subarray(0, 20));
    await assert.rejects(digestFiles([damaged], signal), (error) => {
      assert.ok(error instanceof ReportRejected);
      assert.equal(error.rejection.file, 'damaged.gz');
      return true;
    });
  });
});

test('parts have the same digests with one and with two threads', async () => {
  const rows = 250_000;
  const lines = Array.from({ length: rows }, (_, i) =>
    sale('0.0000000001', {
      ResourceISRC: `QZAAA26${String((i * 7919) % 3_000).padStart(5, '0')}`,
      ResourceTitle: `Title ${i % 17}`,
      ...(i % 1_000 === 5 && { NetUsage: '1' }),
    }),
  );
  const total = `0.${String(rows).padStart(10, '0')}`;
  const files = [{ name: 'a', content: dsrFile([header(), summary(total), ...lines]) }];
  const holdings = Array.from({ length: 2_900 }, (_, n) => ({
    code: `QZAAA26${String(n).padStart(5, '0')}`,
    org: n % 40,
    release: n,
    track: n,
  }));
  const digestsOf = async (threads: number) => {
    const { reading } = await fixture.read({ format: 'dsr', files, holdings, threads });
    assert.equal(reading.rowsMatched + reading.rowsSuspense + reading.rowsRejected, rows);
    assert.ok(reading.rowsSuspense > 0 && reading.rowsRejected > 0);
    return reading.parts.map(({ kind, sha256 }) => [kind, sha256]);
  };
  assert.deepEqual(await digestsOf(1), await digestsOf(2));
});
