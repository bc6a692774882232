import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextAskAt } from './rail-schedule.ts';

const at = (text: string) => new Date(text);
const paidAt = at('2026-11-17T12:00:00.000Z');
const payout = (status: 'processing' | 'in_transit' | 'paid' | 'returned') => ({
  status,
  arrivesOn: '2026-11-17',
  updatedAt: paidAt,
});

describe('when the rail is asked again', () => {
  test('after an unknown outcome: 1, 5, 15, 60 minutes, then every hour', () => {
    const now = at('2026-11-16T12:00:00.000Z');
    const minutes = [1, 2, 3, 4, 5, 50].map((unknowns) => {
      const next = nextAskAt(payout('processing'), unknowns, now);
      return ((next?.getTime() ?? 0) - now.getTime()) / 60_000;
    });
    assert.deepEqual(minutes, [1, 5, 15, 60, 60, 60]);
  });

  test('in transit: at noon of the day it arrives, then every day', () => {
    const next = (now: string) => nextAskAt(payout('in_transit'), 0, at(now))?.toISOString();
    assert.equal(next('2026-11-16T12:00:01.000Z'), '2026-11-17T12:00:00.000Z');
    assert.equal(next('2026-11-17T12:00:00.000Z'), '2026-11-18T12:00:00.000Z');
  });

  test('paid: 1, 7, 14, 28 and 56 days later, and not again', () => {
    const dates: string[] = [];
    for (let next: Date | undefined = paidAt; next !== undefined;) {
      next = nextAskAt(payout('paid'), 0, next);
      if (next !== undefined) dates.push(next.toISOString().slice(0, 10));
    }
    assert.deepEqual(dates, ['2026-11-18', '2026-11-24', '2026-12-01', '2026-12-15', '2027-01-12']);
  });

  test('a payout that is final is not asked about, whatever the last outcome was', () => {
    assert.equal(nextAskAt(payout('returned'), 0, paidAt), undefined);
    assert.equal(nextAskAt(payout('returned'), 3, paidAt), undefined);
  });
});
