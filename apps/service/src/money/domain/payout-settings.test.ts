import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextMonthlyPayout } from './payout-settings.ts';

test('the monthly payout is on the first business day of a month at 12:00 UTC, always later', () => {
  for (const [after, next] of [
    ['2026-11-16T09:00:00Z', '2026-12-01T12:00:00.000Z'],
    ['2026-12-01T11:59:59.999Z', '2026-12-01T12:00:00.000Z'],
    ['2026-12-01T12:00:00Z', '2027-01-01T12:00:00.000Z'],
    ['2027-04-30T00:00:00Z', '2027-05-03T12:00:00.000Z'],
    ['2027-05-01T00:00:00Z', '2027-05-03T12:00:00.000Z'],
    ['2027-07-31T00:00:00Z', '2027-08-02T12:00:00.000Z'],
    ['2026-12-31T00:00:00Z', '2027-01-01T12:00:00.000Z'],
  ]) {
    assert.equal(nextMonthlyPayout(new Date(after ?? '')).toISOString(), next, after);
  }
});
