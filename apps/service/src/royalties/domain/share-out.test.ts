import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocate, toMicros } from '../../kernel/money.ts';
import { toExact } from './exact-number.ts';
import { shareOut } from './share-out.ts';

test('shares are those of `allocate`, small, large and equal', () => {
  const cases: readonly (readonly [bigint, readonly bigint[]])[] = [
    [10n, [1n, 1n, 1n]],
    [0n, [5n, 7n]],
    [100n, [3n, 3n, 1n, 1n, 1n]],
    [999_999_999_999n, [123_456_789n, 987_654_321n, 5n, 123_456_789n]],
    [10n ** 20n + 7n, [10n ** 18n, 10n ** 17n + 1n, 3n]],
    [17_310_000n, Array.from({ length: 500 }, (_, i) => BigInt((i * 7_919) % 1_009) + 1n)],
  ];
  for (const [total, weights] of cases) {
    const shares = shareOut(toExact(total), weights.map(toExact)).map(BigInt);
    assert.deepEqual(shares, [...allocate(toMicros(total), weights)]);
  }
});
