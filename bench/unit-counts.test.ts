import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { costOfOne, countsOf, ratesBetween } from './unit-counts.ts';

describe('what one unit costs', () => {
  const idleFrom = { atMs: 0, counts: { 'cpu relay': 100, 'cpu api': 50 } };
  const idleUntil = { atMs: 1_000, counts: { 'cpu relay': 120, 'cpu api': 50 } };
  const idle = ratesBetween(idleFrom, idleUntil);

  test('is the difference of two readings, less what pollers use in that time', () => {
    const after = { atMs: 3_000, counts: { 'cpu relay': 180, 'cpu api': 90, 'cpu worker': 10 } };
    assert.deepEqual(costOfOne(idleUntil, after, idle, 10), {
      'cpu relay': 2,
      'cpu api': 4,
      'cpu worker': 1,
    });
  });

  test('leaves out what did not move', () => {
    const after = { atMs: 2_000, counts: { 'cpu relay': 140, 'cpu api': 50 } };
    assert.deepEqual(countsOf(costOfOne(idleUntil, after, idle, 10), 'cpu '), {});
  });
});
