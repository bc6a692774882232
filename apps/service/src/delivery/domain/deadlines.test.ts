/** The deadline for a store's answer (contract §2 `expected_by`), and when a delivery is dispatched again. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { redispatchDelayMs, computeExpectedBy } from './deadlines.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const now = fc.date({
  min: new Date('2026-01-01T00:00:00Z'),
  max: new Date('2030-12-31T23:59:59Z'),
  noInvalidDate: true,
});
const leadTimeBusinessDays = fc.nat(40);
const releaseDate = fc.integer({ min: -800, max: 2_400 }).map((days) => {
  return new Date(Date.UTC(2026, 0, 1) + days * dayMs).toISOString().slice(0, 10);
});
const numRuns = 2_000;

/** Mondays to Fridays after `from`, up to `to`. */
function businessDaysBetween(from: Date, to: Date): number {
  let count = 0;
  for (let at = from.getTime() + dayMs; at <= to.getTime(); at += dayMs) {
    const day = new Date(at).getUTCDay();
    if (day >= 1 && day <= 5) count++;
  }
  return count;
}

describe('contract §2, `expected_by`', () => {
  test('spec §8: of a takedown is 72 hours away, for every store and release', () => {
    fc.assert(
      fc.property(now, leadTimeBusinessDays, releaseDate, (at, lead, date) => {
        const input = {
          kind: 'takedown',
          leadTimeBusinessDays: lead,
          releaseDate: date,
        } as const;
        assert.equal(computeExpectedBy(input, at).getTime() - at.getTime(), 72 * hourMs);
      }),
    );
  });

  test('of an update is the lead time in business days away, and at least one', () => {
    fc.assert(
      fc.property(now, leadTimeBusinessDays, releaseDate, (at, lead, date) => {
        const input = { kind: 'update', leadTimeBusinessDays: lead, releaseDate: date } as const;
        const by = computeExpectedBy(input, at);
        assert.equal(businessDaysBetween(at, by), Math.max(1, lead));
        assert.ok(by.getUTCDay() !== 0 && by.getUTCDay() !== 6, 'no weekend');
        assert.equal((by.getTime() - at.getTime()) % dayMs, 0, 'at the same time of day');
      }),
      { numRuns },
    );
  });

  test('of a delivery is not before the lead time, and not before the end of the day after the release date', () => {
    let [byLead, byDate] = [0, 0];
    fc.assert(
      fc.property(now, leadTimeBusinessDays, releaseDate, (at, lead, date) => {
        const input = { leadTimeBusinessDays: lead, releaseDate: date };
        const by = computeExpectedBy({ ...input, kind: 'deliver' }, at);
        const earliest = computeExpectedBy({ ...input, kind: 'update' }, at);
        const dayAfter = new Date(Date.parse(`${date}T23:59:59.999Z`) + dayMs);
        assert.ok(by >= earliest && by > dayAfter && by > at);
        // It is not later than needed: it equals one of the two.
        assert.ok(by.getTime() === earliest.getTime() || by.getTime() - dayAfter.getTime() === 1);
        if (by.getTime() === earliest.getTime()) byLead++;
        else byDate++;
      }),
      { numRuns },
    );
    assert.ok(byLead > 100 && byDate > 100, `${byLead} by lead time, ${byDate} by date`);
  });

  test('skips a weekend and keeps the time of day', () => {
    const friday = new Date('2026-11-13T10:30:00Z');
    const input = { leadTimeBusinessDays: 3, releaseDate: '2026-11-20' };
    const by = (kind: 'deliver' | 'update' | 'takedown') =>
      computeExpectedBy({ ...input, kind }, friday).toISOString();
    assert.equal(by('update'), '2026-11-18T10:30:00.000Z');
    assert.equal(by('deliver'), '2026-11-22T00:00:00.000Z');
    assert.equal(by('takedown'), '2026-11-16T10:30:00.000Z');
  });
});

test('a delivery is dispatched again after ½, 1, 2, 4 … 64 minutes, then every 64', () => {
  const minutes = Array.from(
    { length: 10 },
    (_, dispatches) => redispatchDelayMs(dispatches) / 60_000,
  );
  assert.deepEqual(minutes, [0.5, 1, 2, 4, 8, 16, 32, 64, 64, 64]);
  fc.assert(fc.property(fc.integer({ min: 7 }), (many) => redispatchDelayMs(many) === 64 * 60_000));
});
