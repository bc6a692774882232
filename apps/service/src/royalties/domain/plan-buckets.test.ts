import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type OrgId, toWire } from '../../kernel/ids.ts';
import { type Bucket, sliceCount, type StatementId } from './calculation.ts';
import { planBuckets, type StatementShare } from './plan-buckets.ts';

const uuidOf = (index: number): string => index.toString(16).padStart(32, '0');

const shareOf = (rowCount: number, index: number): StatementShare => ({
  orgId: toWire('org', uuidOf(index)),
  statementId: toWire('stm', uuidOf(index)),
  currency: 'EUR',
  rowCount,
});

const rowsMax = 1_000;
const arbitraryShares = fc
  .array(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 20_000 })), {
    maxLength: 60,
  })
  .map((counts) => counts.map(shareOf));

const statementsOf = (buckets: readonly Bucket[]) =>
  buckets.flatMap(({ statements }) => statements);

describe('the plan of buckets', () => {
  test('has every slice of every statement exactly once, in parts numbered from 1', () => {
    fc.assert(
      fc.property(arbitraryShares, (shares) => {
        const byStatement = Map.groupBy(
          statementsOf(planBuckets(shares, rowsMax)),
          ({ statementId }) => statementId,
        );
        assert.deepEqual(
          new Set(byStatement.keys()),
          new Set(shares.map(({ statementId }) => statementId)),
        );
        for (const parts of byStatement.values()) {
          const sorted = parts.toSorted((a, b) => a.part - b.part);
          let end = 0;
          for (const [index, { part, sliceFrom, sliceTo }] of sorted.entries()) {
            assert.equal(part, index + 1);
            assert.equal(sliceFrom, end);
            assert.ok(sliceTo > sliceFrom);
            end = sliceTo;
          }
          assert.equal(end, sliceCount);
        }
      }),
    );
  });

  test('keeps small organizations whole and buckets within the limit', () => {
    fc.assert(
      fc.property(arbitraryShares, (shares) => {
        const rowCounts = new Map<StatementId, number>(
          shares.map(({ statementId, rowCount }) => [statementId, rowCount]),
        );
        for (const { statements } of planBuckets(shares, rowsMax)) {
          const size = statements.reduce((sum, { statementId, sliceFrom, sliceTo }) => {
            const rowCount = rowCounts.get(statementId) ?? 0;
            if (rowCount <= rowsMax) assert.equal(sliceTo - sliceFrom, sliceCount);
            return sum + (rowCount * (sliceTo - sliceFrom)) / sliceCount;
          }, 0);
          // Slices are whole: a part may be one slice wider than its share.
          const largest = Math.max(...statements.map((s) => rowCounts.get(s.statementId) ?? 0));
          assert.ok(size <= rowsMax + largest / sliceCount, `${size} rows`);
        }
      }),
    );
  });

  test('packs small organizations: fewer than twice the buckets that the rows need, and one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: rowsMax / 2 })), (counts) => {
        const rows = counts.reduce((sum, count) => sum + count, 0);
        const { length } = planBuckets(counts.map(shareOf), rowsMax);
        assert.ok(length <= Math.ceil((2 * rows) / rowsMax) + 1);
      }),
    );
  });

  test('does not depend on the order of the shares', () => {
    fc.assert(
      fc.property(arbitraryShares, (shares) => {
        assert.deepEqual(planBuckets(shares.toReversed(), rowsMax), planBuckets(shares, rowsMax));
      }),
    );
  });

  test('refuses two statements of one organization', () => {
    const one = shareOf(1, 1);
    const other = { ...shareOf(1, 2), orgId: one.orgId satisfies OrgId };
    assert.throws(() => planBuckets([one, other]), RangeError);
  });
});
