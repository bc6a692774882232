/** By when stores should have answered (contract §2 `expected_by`), and when to look again. */

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

/** Mondays to Fridays that begin after one moment and not after the other. */
function businessDaysBetween(from: Date, to: Date): number {
  let count = 0;
  for (let at = from.getTime() + dayMs; at <= to.getTime(); at += dayMs) {
    const day = new Date(at).getUTCDay();
    if (day >= 1 && day <= 5) count++;
  }
  return count;
}

describe('contract §2, `expected_by`', () => {
  test('spec §8: of a takedown is after 72 hours, whatever the store and the release', () => {
    fc.assert(
      fc.property(now, leadTimeBusinessDays, releaseDate, (at, lead, date) => {
        const sending = {
          kind: 'takedown',
          leadTimeBusinessDays: lead,
          releaseDate: date,
        } as const;
        assert.equal(computeExpectedBy(sending, at).getTime() - at.getTime(), 72 * hourMs);
      }),
    );
  });

  test('of an update is after exactly the lead time in business days, and one at least', () => {
    fc.assert(
      fc.property(now, leadTimeBusinessDays, releaseDate, (at, lead, date) => {
        const sending = { kind: 'update', leadTimeBusinessDays: lead, releaseDate: date } as const;
        const by = computeExpectedBy(sending, at);
        assert.equal(businessDaysBetween(at, by), Math.max(1, lead));
        assert.ok(by.getUTCDay() !== 0 && by.getUTCDay() !== 6, 'no weekend');
        assert.equal((by.getTime() - at.getTime()) % dayMs, 0, 'at the same time of day');
      }),
      { numRuns },
    );
  });

  test('of a delivery is neither before the lead time nor before a day after the day of the release', () => {
    let [byLead, byDate] = [0, 0];
    fc.assert(
      fc.property(now, leadTimeBusinessDays, releaseDate, (at, lead, date) => {
        const sending = { leadTimeBusinessDays: lead, releaseDate: date };
        const by = computeExpectedBy({ ...sending, kind: 'deliver' }, at);
        const earliest = computeExpectedBy({ ...sending, kind: 'update' }, at);
        const dayAfter = new Date(Date.parse(`${date}T23:59:59.999Z`) + dayMs);
        assert.ok(by >= earliest && by > dayAfter && by > at);
        // And not later than it must: one of the two decides.
        assert.ok(by.getTime() === earliest.getTime() || by.getTime() - dayAfter.getTime() === 1);
        if (by.getTime() === earliest.getTime()) byLead++;
        else byDate++;
      }),
      { numRuns },
    );
    assert.ok(byLead > 100 && byDate > 100, `${byLead} by lead time, ${byDate} by date`);
  });

  test('over a weekend, to the minute', () => {
    const friday = new Date('2026-11-13T10:30:00Z');
    const sending = { leadTimeBusinessDays: 3, releaseDate: '2026-11-20' };
    const by = (kind: 'deliver' | 'update' | 'takedown') =>
      computeExpectedBy({ ...sending, kind }, friday).toISOString();
    assert.equal(by('update'), '2026-11-18T10:30:00.000Z');
    assert.equal(by('deliver'), '2026-11-22T00:00:00.000Z');
    assert.equal(by('takedown'), '2026-11-16T10:30:00.000Z');
  });
});

test('what was handed over is looked at again after 1, 2, 4 … 64 minutes, and every 64 from then on', () => {
  const minutes = Array.from(
    { length: 10 },
    (_, dispatches) => redispatchDelayMs(dispatches) / 60_000,
  );
  assert.deepEqual(minutes, [0.5, 1, 2, 4, 8, 16, 32, 64, 64, 64]);
  fc.assert(fc.property(fc.integer({ min: 7 }), (many) => redispatchDelayMs(many) === 64 * 60_000));
});
