/**
 * One golden file for each format, with its expected reading beside it. `UPDATE_GOLDEN=1` writes the expected readings;
 * the differences are for a person to judge.
 */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { toWire } from '../src/kernel/ids.ts';
import { dsrFile, header, sale, summary } from './dsr-builder.ts';
import {
  type HoldingCase,
  openReportFixture,
  type ReadCase,
  type ReportFixture,
  uuidOf,
} from './report-fixture.ts';

const folder = join(import.meta.dirname, 'golden/reports');
const goldenHoldings = JSON.parse(
  readFileSync(join(folder, 'holdings.json'), 'utf8'),
) as readonly HoldingCase[];

let fixture: ReportFixture;
before(async () => {
  fixture = await openReportFixture();
});
after(() => fixture.close());

describe('golden files', () => {
  for (const [format, name] of [
    ['dsr', 'dsr.tsv'],
    ['fiscal_csv', 'fiscal.txt'],
    ['plain_csv', 'plain.csv'],
  ] as const) {
    test(`${name} is read as expected`, async () => {
      const content = readFileSync(join(folder, name));
      const read = await fixture.read({
        format,
        files: [{ name, content }],
        holdings: goldenHoldings,
      });
      const expectedPath = join(folder, `${name}.expected.json`);
      const found = {
        ...read,
        reading: {
          ...read.reading,
          parts: read.reading.parts.map(({ kind, rowCount }) => ({ kind, rowCount })),
        },
      };
      if (process.env['UPDATE_GOLDEN'] !== undefined)
        writeFileSync(expectedPath, `${JSON.stringify(found, null, 2)}\n`);
      assert.deepEqual(found, JSON.parse(readFileSync(expectedPath, 'utf8')));
    });
  }
});

const one = (content: string) => [{ name: 'report.tsv', content }];
const readDsr = (lines: readonly string[], holdings: readonly HoldingCase[]) =>
  fixture.read({ format: 'dsr', files: one(dsrFile(lines)), holdings });
const isrc = 'QZAAA2600001';
const reasonsOf = ({ rows }: ReadCase) => rows.suspense.map(({ reason }) => reason);
const orgsOf = ({ rows }: ReadCase) => rows.matched.map(({ org_id }) => org_id);

describe('matching', () => {
  const single = [header(), summary('1'), sale('1')];

  test('a code that the store never had stays in suspense as unknown_code', async () => {
    assert.deepEqual(reasonsOf(await readDsr(single, [])), ['unknown_code']);
  });

  test('a recording is paid if the store held it on one day of the month, and not held before or after it', async () => {
    const held = { code: isrc, org: 1, release: 10, track: 100 };
    const takenDown = await readDsr(single, [{ ...held, to: '2026-07-03' }]);
    assert.deepEqual(orgsOf(takenDown), [uuidOf(1)]);
    assert.deepEqual(reasonsOf(await readDsr(single, [{ ...held, to: '2026-06-30' }])), [
      'not_held',
    ]);
    assert.deepEqual(reasonsOf(await readDsr(single, [{ ...held, from: '2026-08-01' }])), [
      'not_held',
    ]);
  });

  test('a row about one day inside the period is paid only if the store held the recording on that day', async () => {
    const lines = [header(), summary('1'), sale('1', { SalesTransactionDate: '2026-07-10' })];
    const held = { code: isrc, org: 1, release: 10, track: 100 };
    assert.deepEqual(reasonsOf(await readDsr(lines, [{ ...held, to: '2026-07-09' }])), [
      'not_held',
    ]);
    assert.deepEqual(orgsOf(await readDsr(lines, [{ ...held, to: '2026-07-10' }])), [uuidOf(1)]);
  });

  test('a recording that the store holds in another territory is not held', async () => {
    const held = { code: isrc, org: 1, release: 10, track: 100, territories: ['FR', 'US'] };
    assert.deepEqual(reasonsOf(await readDsr(single, [held])), ['not_held']);
  });

  test('two organizations with one ISRC at one place: shared_code; in different territories: each its own', async () => {
    const both = [
      { code: isrc, org: 1, release: 10, track: 100 },
      { code: isrc, org: 2, release: 20, track: 200 },
    ];
    assert.deepEqual(reasonsOf(await readDsr(single, both)), ['shared_code']);
    const lines = [
      header(),
      summary('1'),
      summary('2', { SummaryRecordId: '2', Territory: 'US' }),
      sale('1'),
      sale('2', { SummaryRecordId: '2' }),
    ];
    const apart = both.map((held, i) => ({ ...held, territories: [i === 0 ? 'DE' : 'US'] }));
    assert.deepEqual(orgsOf(await readDsr(lines, apart)), [uuidOf(1), uuidOf(2)]);
  });

  test('the product code decides between two organizations with one ISRC', async () => {
    const holdings = [
      { code: isrc, org: 1, release: 10, track: 100 },
      { code: isrc, org: 2, release: 20, track: 200 },
      { code: '123456789012', org: 1, release: 10 },
      { code: '223456789012', org: 2, release: 20 },
    ];
    const named = [header(), summary('1'), sale('1', { ReleaseICPN: '0223456789012' })];
    assert.deepEqual(orgsOf(await readDsr(named, holdings)), [uuidOf(2)]);
  });

  test('an ISRC on two releases of one organization is paid on the release that the row names', async () => {
    const holdings = [
      { code: isrc, org: 1, release: 10, track: 100 },
      { code: isrc, org: 1, release: 11, track: 110 },
      { code: '223456789012', org: 1, release: 11 },
    ];
    const { rows } = await readDsr(
      [header(), summary('3'), sale('1'), sale('2', { ReleaseICPN: '223456789012' })],
      holdings,
    );
    assert.deepEqual(
      rows.matched.map(({ release_id, amount }) => [release_id, amount]),
      [
        [uuidOf(10), '1.0000000000'],
        [uuidOf(11), '2.0000000000'],
      ],
    );
  });

  test('a release is divided over the tracks that the store held there, to the last unit', async () => {
    const holdings: HoldingCase[] = [
      { code: '123456789012', org: 1, release: 10 },
      ...[1, 2, 3].map((n) => ({ code: `QZAAA260000${n}`, org: 1, release: 10, track: 100 + n })),
      { code: 'QZAAA2600004', org: 1, release: 10, track: 104, territories: ['US'] },
    ];
    const album = { ResourceISRC: '', DspResourceId: '', ReleaseICPN: '123456789012' };
    const { rows, reading } = await readDsr(
      [
        header(),
        summary('0'),
        sale('10', { ...album, TotalUsages: '5', NetUsage: '5' }),
        sale('-10', { ...album, TotalUsages: '0', Returns: '5', NetUsage: '-5' }),
      ],
      holdings,
    );
    assert.equal(reading.rowsMatched, 2);
    assert.deepEqual(
      rows.matched.map(({ isrc: code, play_count, amount, allocated }) => [
        code,
        play_count,
        amount,
        allocated,
      ]),
      [
        ['QZAAA2600001', '2', '3.3333333334', true],
        ['QZAAA2600001', '-2', '-3.3333333334', true],
        ['QZAAA2600002', '2', '3.3333333333', true],
        ['QZAAA2600002', '-2', '-3.3333333333', true],
        ['QZAAA2600003', '1', '3.3333333333', true],
        ['QZAAA2600003', '-1', '-3.3333333333', true],
      ],
    );
  });

  test('a release of which the store held no track is not held; a recording without an ISRC is not a release', async () => {
    const holdings = [{ code: '123456789012', org: 1, release: 10 }];
    const release = { ResourceISRC: '', ReleaseICPN: '123456789012' };
    const read = await readDsr(
      [header(), summary('2'), sale('1', { ...release, DspResourceId: '' }), sale('1', release)],
      holdings,
    );
    assert.deepEqual(reasonsOf(read), ['not_held', 'unknown_code']);
  });

  test('a report of a sandbox organization matches only what that organization delivered', async () => {
    const content = dsrFile(single);
    const holdings = [{ code: isrc, org: 2, release: 20, track: 200 }];
    const read = (org: number) =>
      fixture.read({
        format: 'dsr',
        files: one(content),
        holdings,
        orgId: toWire('org', uuidOf(org)),
      });
    assert.deepEqual(reasonsOf(await read(1)), ['unknown_code']);
    assert.deepEqual(orgsOf(await read(2)), [uuidOf(2)]);
  });
});

describe('files', () => {
  test('several files are one report; a summary record may be repeated; compressed files are read', async () => {
    const file = (number: number, amount: string) =>
      dsrFile([
        header({ FileNumber: String(number), NumberOfFiles: '2' }),
        summary('3'),
        sale(amount),
      ]);
    const files = [
      { name: '1.tsv.gz', content: gzipSync(file(1, '1')) },
      { name: '2.tsv', content: file(2, '2').replaceAll('\n', '\r\n') },
    ];
    const { reading, rows } = await fixture.read({
      format: 'dsr',
      files,
      holdings: [{ code: isrc, org: 1, release: 10, track: 100 }],
    });
    assert.equal(reading.rowsRead, 2);
    assert.deepEqual(
      rows.matched.map(({ amount }) => amount),
      ['1.0000000000', '2.0000000000'],
    );
  });

  test('an amount of eighteen digits and ten decimals is exact, as are rows beside it', async () => {
    const { reading, rows } = await readDsr(
      [
        header(),
        summary('999999999999999999.0000000001'),
        sale('123456789012345678.0000000001'),
        sale('876543210987654320', { ResourceISRC: 'QZAAA2600002' }),
        sale('1'),
      ],
      [{ code: isrc, org: 1, release: 10, track: 100 }],
    );
    assert.deepEqual(
      [rows.matched, rows.suspense].map((each) => each.map(({ amount }) => amount)),
      [['123456789012345678.0000000001', '1.0000000000'], ['876543210987654320.0000000000']],
    );
    assert.equal(reading.totals[0]?.matchedAmount, '123456789012345679.0000000001');
  });

  test('a report with fees and no rows is read', async () => {
    const fee = {
      UsageIndependentFeeType: 'Launch',
      UsageIndependentFeeInCurrencyOfAccounting: '5',
    };
    const { reading, rows } = await readDsr([header(), summary('5', fee)], []);
    assert.deepEqual(
      [reading.rowsRead, rows.other.length, reading.totals[0]?.otherAmount],
      [0, 1, '5.0000000000'],
    );
  });

  test('returns above sales are negative lines, and zero plays are kept', async () => {
    const holdings = [{ code: isrc, org: 1, release: 10, track: 100 }];
    const { rows } = await readDsr(
      [
        header(),
        summary('-3'),
        sale('-3', { TotalUsages: '1', Returns: '4', NetUsage: '-3' }),
        sale('0', { TotalUsages: '0', NetUsage: '0' }),
      ],
      holdings,
    );
    assert.deepEqual(
      rows.matched.map(({ transaction_type, play_count }) => [transaction_type, play_count]),
      [
        ['return', '-3'],
        ['usage', '0'],
      ],
    );
  });
});
