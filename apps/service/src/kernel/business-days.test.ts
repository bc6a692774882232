import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { shiftBusinessDays } from './business-days.ts';

const dayMs = 86_400_000;
const instants = fc.date({
  min: new Date('2020-01-01T00:00:00Z'),
  max: new Date('2040-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const isWeekend = (date: Date): boolean => [0, 6].includes(date.getUTCDay());
const weekdays = instants.filter((date) => !isWeekend(date));
const days = fc.integer({ min: 1, max: 120 });
const numRuns = 1_000;

/** From Monday to Friday a week has five; the rest of a week is counted by hand. */
function weekdaysAfter(from: Date, to: Date): number {
  const whole = Math.round((to.getTime() - from.getTime()) / dayMs);
  const rest = Array.from({ length: whole % 7 }, (_, i) => (from.getUTCDay() + i + 1) % 7);
  return Math.floor(whole / 7) * 5 + rest.filter((day) => day !== 0 && day !== 6).length;
}

describe('business days', () => {
  test('of a week in November 2026', () => {
    const shifted = (day: string, by: number) =>
      shiftBusinessDays(new Date(`${day}T10:30:00Z`), by).toISOString();
    assert.equal(shifted('2026-11-12', 1), '2026-11-13T10:30:00.000Z');
    assert.equal(shifted('2026-11-13', 1), '2026-11-16T10:30:00.000Z');
    assert.equal(shifted('2026-11-14', 1), '2026-11-16T10:30:00.000Z');
    assert.equal(shifted('2026-11-15', 5), '2026-11-20T10:30:00.000Z');
    assert.equal(shifted('2026-11-16', -1), '2026-11-13T10:30:00.000Z');
    assert.equal(shifted('2026-11-14', -1), '2026-11-13T10:30:00.000Z');
    assert.equal(shifted('2026-11-14', 0), '2026-11-14T10:30:00.000Z');
  });

  test('exactly that many weekdays lie between, and it ends on one, at the same time of day', () => {
    fc.assert(
      fc.property(instants, days, (from, by) => {
        const to = shiftBusinessDays(from, by);
        assert.ok(!isWeekend(to));
        assert.equal((to.getTime() - from.getTime()) % dayMs, 0);
        assert.equal(weekdaysAfter(from, to), by);
      }),
      { numRuns },
    );
  });

  test('from a weekday, shifting back returns to the start, and two shifts add up', () => {
    fc.assert(
      fc.property(weekdays, days, days, (from, first, second) => {
        const shifted = shiftBusinessDays(from, first);
        assert.deepEqual(shiftBusinessDays(shifted, -first), from);
        assert.deepEqual(
          shiftBusinessDays(shifted, second),
          shiftBusinessDays(from, first + second),
        );
      }),
      { numRuns },
    );
  });

  test('its argument is not changed', () => {
    const from = new Date('2026-11-13T10:30:00Z');
    shiftBusinessDays(from, 9);
    assert.equal(from.toISOString(), '2026-11-13T10:30:00.000Z');
  });
});
