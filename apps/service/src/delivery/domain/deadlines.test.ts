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
/** A release date, or a moment. */
const start = fc.integer({ min: -800 * 24, max: 2_400 * 24 }).chain((hours) =>
  fc.boolean().map((isTimed) => {
    const unitMs = isTimed ? hourMs : dayMs;
    const at = Date.UTC(2026, 0, 1) + hours * hourMs;
    return { startsAt: new Date(Math.floor(at / unitMs) * unitMs), isTimed };
  }),
);
const store = fc.record({
  leadTimeBusinessDays: fc.nat(40),
  confirmation: fc.constantFrom('live', 'ingest', 'none'),
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
  test('spec §8, catalogue §1.3: of a takedown is 72 hours away, for every store and release', () => {
    fc.assert(
      fc.property(now, store, start, (at, capabilities, starts) => {
        const by = computeExpectedBy({ ...capabilities, ...starts, kind: 'takedown' }, at);
        assert.equal(by.getTime() - at.getTime(), 72 * hourMs);
      }),
    );
  });

  test('of an update is the lead time in business days away, and at least one', () => {
    fc.assert(
      fc.property(now, store, start, (at, capabilities, starts) => {
        const by = computeExpectedBy({ ...capabilities, ...starts, kind: 'update' }, at);
        assert.equal(businessDaysBetween(at, by), Math.max(1, capabilities.leadTimeBusinessDays));
        assert.ok(by.getUTCDay() !== 0 && by.getUTCDay() !== 6, 'no weekend');
        assert.equal((by.getTime() - at.getTime()) % dayMs, 0, 'at the same time of day');
      }),
      { numRuns },
    );
  });

  /** Of a delivery: the later of the lead time and `afterStart`. Returns how often it was which. */
  function checkDelivery(
    confirmations: readonly string[],
    afterStart: (startsAt: Date, isTimed: boolean) => Date,
  ): { readonly byLead: number; readonly byStart: number } {
    let [byLead, byStart] = [0, 0];
    const isMeant = ({ confirmation }: { confirmation: string }) =>
      confirmations.includes(confirmation);
    fc.assert(
      fc.property(now, store.filter(isMeant), start, (at, capabilities, { startsAt, isTimed }) => {
        const input = { ...capabilities, startsAt, isTimed };
        const by = computeExpectedBy({ ...input, kind: 'deliver' }, at);
        const byLeadTime = computeExpectedBy({ ...input, kind: 'update' }, at);
        const expected = [byLeadTime, afterStart(startsAt, isTimed)].toSorted((a, b) => +a - +b);
        assert.deepEqual(by, expected[1]);
        if (by.getTime() === byLeadTime.getTime()) byLead++;
        else byStart++;
      }),
      { numRuns },
    );
    return { byLead, byStart };
  }

  test('of a delivery to a store that announces availability is after the release date is over everywhere', () => {
    // The date ends in the last time zone within a day after it has ended in UTC; a moment has passed a day later.
    const { byLead, byStart } = checkDelivery(
      ['live'],
      (startsAt, isTimed) => new Date(startsAt.getTime() + (isTimed ? 1 : 2) * dayMs),
    );
    assert.ok(byLead > 100 && byStart > 100, `${byLead} by lead time, ${byStart} by start`);
  });

  test('catalogue §1.3: of a delivery to the others is the later of send + lead time and the start', () => {
    const { byLead, byStart } = checkDelivery(['ingest', 'none'], (startsAt) => startsAt);
    assert.ok(byLead > 100 && byStart > 100, `${byLead} by lead time, ${byStart} by start`);
  });

  test('skips a weekend and keeps the time of day', () => {
    const friday = new Date('2026-11-13T10:30:00Z');
    const input = {
      leadTimeBusinessDays: 3,
      startsAt: new Date('2026-11-20T00:00:00Z'),
      isTimed: false,
    };
    const by = (kind: 'deliver' | 'update' | 'takedown', confirmation: 'live' | 'none') =>
      computeExpectedBy({ ...input, kind, confirmation }, friday).toISOString();
    assert.equal(by('update', 'live'), '2026-11-18T10:30:00.000Z');
    assert.equal(by('deliver', 'live'), '2026-11-22T00:00:00.000Z');
    assert.equal(by('deliver', 'none'), '2026-11-20T00:00:00.000Z');
    assert.equal(by('takedown', 'live'), '2026-11-16T10:30:00.000Z');
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
