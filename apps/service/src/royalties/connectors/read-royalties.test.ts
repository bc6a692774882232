import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toWire } from '../../kernel/ids.ts';
import type { RoyaltyRange } from '../domain/royalty-range.ts';
import type { ParquetReader } from './parquet-reader.ts';
import { readNumberedPage, readRoyalties, recordPositionOf } from './read-royalties.ts';

const statementId = toWire('stm', '0190f3a5-0000-7000-8000-000000000001');
const orgId = toWire('org', '0190f3a5-0000-7000-8000-000000000002');

const range = (firstPosition: number, recordCount: number): RoyaltyRange => ({
  statementId,
  currency: 'EUR',
  publishedAt: new Date('2026-11-01T00:00:00Z'),
  publishedText: '2026-11-01 00:00:00.123456+00',
  firstPosition,
  recordCount,
});

/** Rows whose ISRC is `wanted` at each position of `matches`; counts how often it is asked. */
function fakeReader(matches: ReadonlySet<number>) {
  const asked: (readonly [from: number, toExclusive: number])[] = [];
  const parquet = {
    readRows: async (_org: unknown, _files: unknown, at: { from: number; toExclusive: number }) => {
      asked.push([at.from, at.toExclusive]);
      return Array.from({ length: at.toExclusive - at.from }, (_, index) => ({
        isrc: matches.has(at.from + index) ? 'wanted' : 'other',
      }));
    },
    // Only what the walk calls.
  } as unknown as ParquetReader;
  const reads = (ranges: readonly RoyaltyRange[]) => ({
    parquet,
    orgId,
    filesOf: async () => [],
    rangesAfter: async () => ranges,
  });
  return { asked, reads };
}

const positionsOf = (page: { readonly items: readonly { readonly position: number }[] }) =>
  page.items.map(({ position }) => position);

describe('royalty records by ranges', () => {
  test('a page reads only the records that it has, and one more', async () => {
    const { asked, reads } = fakeReader(new Set());
    const own = reads([range(1, 1_000_000)]);
    const walk = { rangesMax: 4, limit: 3, isrc: undefined };
    const page = await readRoyalties(own, { ...walk, after: undefined });
    assert.deepEqual(positionsOf(page), [1, 2, 3]);
    assert.deepEqual(asked, [[1, 5]]);
    const after = page.next && recordPositionOf(page.next);
    assert.deepEqual(after, {
      publishedText: '2026-11-01 00:00:00.123456+00',
      position: 3,
      statementId,
    });
    assert.deepEqual(positionsOf(await readRoyalties(own, { ...walk, after })), [4, 5, 6]);
  });

  test('ranges that follow each other are read together; the last page has no next', async () => {
    const { asked, reads } = fakeReader(new Set());
    const ranges = [range(5, 2), range(7, 1), range(20, 2)];
    const page = await readRoyalties(reads(ranges), {
      rangesMax: 21,
      limit: 20,
      after: undefined,
      isrc: undefined,
    });
    assert.deepEqual(positionsOf(page), [5, 6, 7, 20, 21]);
    assert.deepEqual(asked, [
      [5, 8],
      [20, 22],
    ]);
    assert.equal(page.next, undefined);
  });

  test('a rare ISRC ends the page after a bounded number of reads, and the next one continues', async () => {
    const rare = 150_000;
    const { asked, reads } = fakeReader(new Set([rare]));
    const own = reads([range(1, 200_000)]);
    const walk = { rangesMax: 2_000, limit: 20, isrc: 'wanted' };
    const found: number[] = [];
    let after: ReturnType<typeof recordPositionOf> | undefined;
    let pages = 0;
    do {
      const page = await readRoyalties(own, { ...walk, after });
      found.push(...positionsOf(page));
      after = page.next && recordPositionOf(page.next);
      pages++;
      assert.ok(asked.splice(0).length <= 33, 'reads of one page');
    } while (after !== undefined);
    assert.deepEqual(found, [rare]);
    assert.equal(pages, 4);
  });

  test('more matches in a group than the page has are on the next page', async () => {
    const { reads } = fakeReader(new Set([3, 4, 5, 6]));
    const own = reads([range(1, 100)]);
    const walk = { rangesMax: 2_000, limit: 3, isrc: 'wanted' };
    const page = await readRoyalties(own, { ...walk, after: undefined });
    assert.deepEqual(positionsOf(page), [3, 4, 5]);
    assert.ok(page.next !== undefined);
    const rest = await readRoyalties(own, { ...walk, after: recordPositionOf(page.next) });
    assert.deepEqual([positionsOf(rest), rest.next], [[6], undefined]);
  });

  test('a page by number is complete, however rare its records are', async () => {
    const { asked, reads } = fakeReader(new Set([10, 20, 90_000, 150_000, 150_001]));
    const own = reads([range(1, 200_000)]);
    const walk = { rangesMax: 2_000, limit: 2, isrc: 'wanted' };
    for (const [skip, positions, hasNext] of [
      [0, [10, 20], true],
      [2, [90_000, 150_000], true],
      [4, [150_001], false],
      [6, [], false],
    ] as const) {
      const page = await readNumberedPage(own, { ...walk, skip });
      assert.deepEqual([positionsOf(page), page.next !== undefined], [positions, hasNext]);
      const last = page.positionAt(page.items.length - 1);
      assert.equal(last && recordPositionOf(last).position, positions.at(-1));
    }
    assert.ok(asked.length > 32);
  });

  test('a page by number that is too far is refused', async () => {
    const { reads } = fakeReader(new Set());
    const walk = { rangesMax: 2_000, limit: 20, isrc: 'wanted', skip: 20 };
    await assert.rejects(readNumberedPage(reads([range(1, 10_000_000)]), walk), /use limit/);
  });
});
