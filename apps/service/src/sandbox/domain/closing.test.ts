import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monthClosedAt, nextClosing } from './closing.ts';

test('a month closes on the 15th of the next one at 09:00 UTC', () => {
  for (const [after, closesAt, month] of [
    ['2026-11-01T00:00:00.000Z', '2026-11-15T09:00:00.000Z', '2026-10'],
    ['2026-11-15T08:59:59.999Z', '2026-11-15T09:00:00.000Z', '2026-10'],
    ['2026-11-15T09:00:00.000Z', '2026-12-15T09:00:00.000Z', '2026-11'],
    ['2026-12-31T23:59:59.999Z', '2027-01-15T09:00:00.000Z', '2026-12'],
  ] as const) {
    const next = nextClosing(new Date(after));
    assert.deepEqual([next.toISOString(), monthClosedAt(next)], [closesAt, month], after);
  }
});
