/** When a release starts, when stores must have answered, and which dates may not move: catalogue §1.3, §1.5, §2. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { releaseStartsAt } from '../src/catalog/domain/availability.ts';
import * as deadlineRules from '../src/delivery/domain/deadlines.ts';
import * as liveDateRules from '../src/delivery/domain/live-date.ts';
import { importMutant, type Mutant } from './source-mutants.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Repeats a run: fast-check prints the seed of one that fails. */
const seed = Number(process.env['TONEARM_SEED'] ?? Date.now() % 2 ** 31);
const numRuns = 20_000;

/** A release date, and perhaps the moment of it at which the release is out everywhere. */
type Window = { readonly releaseDate: string; readonly releaseAt: string | null };

/** Few days and round hours, so that random windows and times of sending meet. */
const firstDay = Date.UTC(2026, 10, 1);
const days = fc.nat(20);
const windows: fc.Arbitrary<Window> = fc
  .record({ day: days, hours: fc.option(fc.integer({ min: -14, max: 36 })) })
  .map(({ day, hours }) => {
    const midnight = firstDay + day * dayMs;
    return {
      releaseDate: new Date(midnight).toISOString().slice(0, 10),
      releaseAt: hours === null ? null : new Date(midnight + hours * hourMs).toISOString(),
    };
  });
const times = fc.record({ day: days, hour: fc.nat(23) }).map(({ day, hour }) => {
  return new Date(firstDay + day * dayMs + hour * hourMs);
});
const messages = fc.record({
  kind: fc.constantFrom('deliver' as const, 'update' as const, 'takedown' as const),
  confirmation: fc.constantFrom('live' as const, 'ingest' as const, 'none' as const),
  leadTimeBusinessDays: fc.nat(15),
  window: windows,
});
type Message = typeof messages extends fc.Arbitrary<infer T> ? T : never;

/** In milliseconds: midnight in UTC stands for the midnight of every territory. */
function startOf({ releaseDate, releaseAt }: Window): number {
  const [year = 0, month = 0, day = 0] = releaseDate.split('-').map(Number);
  return releaseAt === null ? Date.UTC(year, month - 1, day) : Date.parse(releaseAt);
}

/** The time of day at which so many Mondays to Fridays have come since. */
function afterBusinessDays(from: number, count: number): number {
  for (let passed = 1, found = 0; ; passed++) {
    const weekday = new Date(from + passed * dayMs).toUTCString().slice(0, 3);
    if (!['Sat', 'Sun'].includes(weekday)) found++;
    if (found === count) return from + passed * dayMs;
  }
}

/** Of a release: how long after its start a store that announces it has done so. */
const graceOf = ({ confirmation, window }: Message): number => {
  if (confirmation !== 'live') return 0;
  return window.releaseAt === null ? 2 * dayMs : dayMs;
};

function modelDeadline(message: Message, now: number): number {
  if (message.kind === 'takedown') return now + 72 * hourMs;
  const byLeadTime = afterBusinessDays(now, Math.max(message.leadTimeBusinessDays, 1));
  if (message.kind === 'update') return byLeadTime;
  return Math.max(byLeadTime, startOf(message.window) + graceOf(message));
}

const deadlineProperty = ({ computeExpectedBy }: Pick<typeof deadlineRules, 'computeExpectedBy'>) =>
  fc.property(messages, times, ({ window, ...message }, now) => {
    const startsAt = releaseStartsAt(window);
    assert.equal(startsAt.getTime(), startOf(window));
    const input = { ...message, startsAt, isTimed: window.releaseAt !== null };
    const expected = modelDeadline({ ...message, window }, now.getTime());
    assert.equal(computeExpectedBy(input, now).toISOString(), new Date(expected).toISOString());
  });

/** There is an hour from now on in which the release would be out by the date that the store has, not by the new one. */
function modelMoved(before: Window, after: Window, now: number): boolean {
  const [startedAt, startsAt] = [startOf(before), startOf(after)];
  for (let at = now; at < startsAt; at += hourMs) if (at >= startedAt) return true;
  return false;
}

const liveDateProperty = ({ isLiveDateMoved }: Pick<typeof liveDateRules, 'isLiveDateMoved'>) =>
  fc.property(windows, windows, times, (before, after, now) => {
    const moved = isLiveDateMoved(releaseStartsAt(before), releaseStartsAt(after), now);
    assert.equal(moved, modelMoved(before, after, now.getTime()));
    if (startOf(after) <= now.getTime()) assert.equal(moved, false, 'a date that has passed');
    if (startOf(after) === startOf(before)) assert.equal(moved, false, 'the same date');
  });

const deadlineMutants: Readonly<Record<string, Mutant>> = {
  'a takedown may take longer': ['72 * hourMs', '73 * hourMs'],
  'a lead time of no days': ['Math.max(1, leadTimeBusinessDays)', 'leadTimeBusinessDays'],
  'an update waits for the release': ["if (kind === 'update') return byLeadTime;", ''],
  'the start is ignored': ['afterStart > byLeadTime ? afterStart : byLeadTime', 'byLeadTime'],
  'the earlier of both': ['afterStart > byLeadTime ?', 'afterStart < byLeadTime ?'],
  'a timed release has the grace of a date': ['isTimed ? dayMs : releaseDayMs', 'releaseDayMs'],
  'a store that only ingests has a grace': ["confirmation !== 'live'", "confirmation === 'none'"],
};
const liveDateMutants: Readonly<Record<string, Mutant>> = {
  'a date that has passed counts': ['startsAt > now && ', ''],
  'an earlier date counts': [' && startsAt > startedAt', ''],
  'the same date counts': ['startsAt > startedAt', 'startsAt >= startedAt'],
  'a start at this moment counts': ['startsAt > now', 'startsAt >= now'],
};

describe('windows', () => {
  test('contract §2: expected_by is that of the model', (t) => {
    t.diagnostic(`seed ${seed}`);
    fc.assert(deadlineProperty(deadlineRules), { numRuns, seed });
  });

  test('catalogue §1.5: a live date is moved as in the model', (t) => {
    t.diagnostic(`seed ${seed}`);
    fc.assert(liveDateProperty(liveDateRules), { numRuns, seed });
  });

  for (const [mistake, mutant] of Object.entries(deadlineMutants)) {
    test(`expected_by, broken: ${mistake}`, async () => {
      const source = new URL('../src/delivery/domain/deadlines.ts', import.meta.url);
      const broken = await importMutant<typeof deadlineRules>(source, mutant);
      assert.ok(fc.check(deadlineProperty(broken), { numRuns, seed }).failed);
    });
  }

  for (const [mistake, mutant] of Object.entries(liveDateMutants)) {
    test(`live_date_moved, broken: ${mistake}`, async () => {
      const source = new URL('../src/delivery/domain/live-date.ts', import.meta.url);
      const broken = await importMutant<typeof liveDateRules>(source, mutant);
      assert.ok(fc.check(liveDateProperty(broken), { numRuns, seed }).failed);
    });
  }
});
