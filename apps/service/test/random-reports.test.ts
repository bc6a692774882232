/**
 * Random reports against a matcher of a few lines, which looks at one row after another: rows read = matched + suspense +
 * rejected, each row in the same place, and no amount lost.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { dsrFile, header, sale, summary } from './dsr-builder.ts';
import {
  type HoldingCase,
  openReportFixture,
  type ReportFixture,
  uuidOf,
} from './report-fixture.ts';

let fixture: ReportFixture;
before(async () => {
  fixture = await openReportFixture();
});
after(() => fixture.close());

const territories = ['DE', 'FR', 'US'];
const isrcs = Array.from({ length: 6 }, (_, n) => `QZAAA260000${n}`);
const products = ['111111111111', '222222222222', '333333333333'];
const days = ['2026-06-15', '2026-07-01', '2026-07-10', '2026-07-31', '2026-08-02'];

/** Release n of organization n % 2 has product n and some of the ISRCs. */
const releaseOf = fc.record({
  org: fc.integer({ min: 1, max: 3 }),
  product: fc.constantFrom(...products),
  tracks: fc.uniqueArray(fc.constantFrom(...isrcs), { maxLength: 3 }),
  territories: fc.subarray(territories, { minLength: 1 }),
  from: fc.constantFrom(...days),
  to: fc.option(fc.constantFrom(...days), { nil: undefined }),
});

const rowOf = fc.record({
  isrc: fc.constantFrom('', ...isrcs),
  product: fc.constantFrom('', ...products),
  territory: fc.integer({ min: 0, max: territories.length - 1 }),
  date: fc.constantFrom('2026-07-31', '2026-07-10', '2026-07', '2026-07-40'),
  units: fc.integer({ min: -20, max: 500 }),
  amount: fc.bigInt({ min: -1_000_000_000_000n, max: 10_000_000_000_000n }),
});

type RandomRow = typeof rowOf extends fc.Arbitrary<infer Value> ? Value : never;
type RandomRelease = typeof releaseOf extends fc.Arbitrary<infer Value> ? Value : never;

const decimal = (units: bigint): string => {
  const digits = String(units < 0n ? -units : units).padStart(11, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -10)}.${digits.slice(-10)}`;
};

function holdingsOf(releases: readonly RandomRelease[]): HoldingCase[] {
  return releases.flatMap(({ org, product, tracks, territories: codes, from, to }, i) => {
    const held = {
      org,
      release: 10 + i,
      territories: codes,
      from,
      ...(to !== undefined && to >= from && { to }),
    };
    return [
      { ...held, code: product },
      ...tracks.map((code, t) => ({ ...held, code, track: 100 * (10 + i) + t })),
    ];
  });
}

/** Where a row belongs: the organization, or the reason why it has none. */
function expectedOf(row: RandomRow, holdings: readonly HoldingCase[]): string {
  if (row.date === '2026-07-40') return 'unreadable_date';
  const isDay = row.date === '2026-07-10';
  const [start, end] = isDay ? ['2026-07-10', '2026-07-10'] : ['2026-07-01', '2026-07-31'];
  const isValid = ({ territories: codes = [], from = '', to = '9999' }: HoldingCase) =>
    codes.includes(territories[row.territory] ?? '') && from <= end && to >= start;
  const isAlbum = row.isrc === '';
  const named = holdings.filter(
    ({ code, track }) =>
      code === (isAlbum ? row.product : row.isrc) && (track === undefined) === isAlbum,
  );
  if (named.length === 0) return 'unknown_code';
  const releases = new Set(
    holdings
      .filter(({ code, track }) => code === row.product && track === undefined)
      .map(({ release }) => release),
  );
  const onProduct = named.filter(({ release }) => releases.has(release));
  const isOneOrg = new Set(named.map(({ org }) => org)).size === 1;
  const candidates = onProduct.length > 0 && !isOneOrg ? onProduct : named;
  const valid = candidates.filter(isValid);
  const orgs = new Set(valid.map(({ org }) => org));
  if (orgs.size === 0) return 'not_held';
  if (orgs.size > 1) return 'shared_code';
  if (!isAlbum) return uuidOf([...orgs][0] ?? 0);
  const oldest = valid.toSorted(
    (a, b) => (a.from ?? '').localeCompare(b.from ?? '') || a.release - b.release,
  )[0];
  const hasTracks = holdings.some(
    (held) => held.track !== undefined && held.release === oldest?.release && isValid(held),
  );
  return hasTracks ? uuidOf([...orgs][0] ?? 0) : 'not_held';
}

const sumOf = (rows: readonly { readonly amount: bigint }[]) =>
  rows.reduce((sum, { amount }) => sum + amount, 0n);

function fileOf(rows: readonly RandomRow[]): string {
  const summaries = territories.map((Territory, i) =>
    summary(decimal(sumOf(rows.filter(({ territory }) => territory === i))), {
      Territory,
      SummaryRecordId: String(i),
    }),
  );
  const sales = rows.map((row, i) =>
    sale(decimal(row.amount), {
      SalesTransactionId: String(i),
      ResourceTitle: String(i),
      SummaryRecordId: String(row.territory),
      ResourceISRC: row.isrc,
      DspResourceId: row.isrc === '' ? '' : 't',
      ReleaseICPN: row.product,
      SalesTransactionDate: row.date,
      TotalUsages: String(row.units),
      NetUsage: String(row.units),
    }),
  );
  return dsrFile([header(), ...summaries, ...sales]);
}

test('random reports are matched as a matcher does that looks at one row after another', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(rowOf, { minLength: 40, maxLength: 150 }),
      fc.array(releaseOf, { minLength: 1, maxLength: 8 }),
      async (rows, releases) => {
        const holdings = holdingsOf(releases);
        const expected = rows.map((row) => expectedOf(row, holdings));
        const read = await fixture.read({
          format: 'dsr',
          files: [{ name: 'a', content: fileOf(rows) }],
          holdings,
        });
        const found = new Map<string, string>();
        for (const { title, org_id } of read.rows.matched) found.set(String(title), String(org_id));
        for (const { title, reason } of read.rows.suspense)
          found.set(String(title), String(reason));
        for (const { text, reason } of read.rows.rejected)
          found.set(String(text).split('\t')[1] ?? '', String(reason));
        assert.deepEqual(
          rows.map((_, i) => found.get(String(i))),
          expected,
        );
        const { reading } = read;
        assert.equal(
          reading.rowsMatched + reading.rowsSuspense + reading.rowsRejected,
          rows.length,
        );
        const [total] = reading.totals;
        const parts = [total?.matchedAmount, total?.suspenseAmount, total?.rejectedAmount].map(
          (amount) => BigInt((amount ?? '0').replace('.', '')),
        );
        assert.equal(
          parts.reduce((sum, amount) => sum + amount, 0n),
          sumOf(rows),
        );
        for (const outcome of expected) seen.add(outcome.length > 20 ? 'matched' : outcome);
      },
    ),
    { numRuns: 12 },
  );
  assert.deepEqual([...seen].toSorted(), [
    'matched',
    'not_held',
    'shared_code',
    'unknown_code',
    'unreadable_date',
  ]);
});
