/** The replies of fictional stores to each kind of message, with and without a scenario (contract §4, spec §8). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fictionalStores } from '../../network/domain/fictional-stores.ts';
import {
  simulateReplies,
  type ScheduledReply,
  type SimulatedMessage,
  randomFor,
} from './reaction.ts';
import { messageKinds, type MessageKind, type ScenarioStep, storeActions } from './scenario.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000] as const;
const now = new Date('2026-11-16T12:00:00.000Z');
const releaseMs = Date.parse('2027-01-15T00:00:00Z') - now.getTime();
const deadlineMs = 70 * dayMs;

const sentTo = (
  storeId: string,
  kind: MessageKind,
  more: Partial<SimulatedMessage> = {},
): SimulatedMessage => ({
  storeId,
  kind,
  confirmation: 'live',
  startsAt: new Date('2027-01-15T00:00:00.000Z'),
  releaseName: 'night-drive',
  expectedBy: new Date(now.getTime() + deadlineMs),
  now,
  ...more,
});
const scenarioId = 'scn_01h455vb4pex5vsknk084sn02q';
const react = (
  sent: SimulatedMessage,
  step?: ScenarioStep,
  seed = 0,
  index = 0,
): readonly ScheduledReply[] =>
  simulateReplies(sent, step && { ...step, scenarioId }, randomFor(sent, seed, index));

/** Expected hours, independent of the code: review from and to, removal from and to. */
const timings: Readonly<Record<string, readonly [number, number, number, number]>> = {
  aurora: [2, 6, 24, 36],
  beatlane: [12, 30, 24, 48],
  cascade: [1, 3, 24, 30],
  driftwood: [24, 72, 48, 72],
  emberline: [6, 24, 36, 60],
  firefly: [0.25, 1, 24, 28],
  glasshouse: [24, 48, 36, 72],
  hanami: [48, 96, 60, 72],
  indigo: [0.1, 0.5, 24, 26],
  jangala: [8, 20, 30, 50],
  kilima: [4, 10, 26, 40],
  lanternfish: [24, 60, 48, 72],
  'an unknown store': [4, 24, 24, 72],
};

const releases = Array.from({ length: 10_000 }, (_, i) => `release ${i}`);

describe('the usual replies of stores', () => {
  test('the table has every fictional store', () => {
    const known = fictionalStores.map(({ storeId }) => storeId).toSorted();
    assert.deepEqual(Object.keys(timings).slice(0, -1), known);
  });

  for (const [storeId, [reviewMin, reviewMax, removeMin, removeMax]] of Object.entries(timings)) {
    const hoursOf = (kind: MessageKind): number[] =>
      releases.slice(0, 1_000).map((releaseName) => {
        const [only, ...others] = react(
          sentTo(storeId, kind, { releaseName, startsAt: new Date('2020-01-01T00:00:00Z') }),
        );
        assert.deepEqual([only?.reply, others], [{ says: 'yes' }, []]);
        assert.ok(Number.isInteger(only?.afterMs));
        return (only?.afterMs ?? 0) / hourMs;
      });
    /** The hours are within the range, and reach both of its ends. */
    const assertFills = (hours: readonly number[], min: number, max: number) => {
      const slack = (max - min) / 20;
      const [first, last] = [Math.min(...hours), Math.max(...hours)];
      assert.ok(first >= min && first < min + slack, `from ${first}`);
      assert.ok(last < max && last > max - slack, `to ${last}`);
    };

    test(`${storeId} reviews a release within ${reviewMin} to ${reviewMax} hours`, () => {
      assertFills(hoursOf('deliver'), reviewMin, reviewMax);
    });
    test(`${storeId} reviews an update within ${reviewMin} to ${reviewMax} hours`, () => {
      assertFills(hoursOf('update'), reviewMin, reviewMax);
    });
    test(`spec §8: ${storeId} removes within ${removeMin} to ${removeMax} hours, and within 24 to 72`, () => {
      assert.ok(removeMin >= 24 && removeMax <= 72);
      assertFills(hoursOf('takedown'), removeMin, removeMax);
    });
  }

  test('spec §1: a store confirms a release when it is out, not earlier', () => {
    assert.deepEqual(react(sentTo('indigo', 'deliver')), [
      { afterMs: releaseMs, reply: { says: 'yes' } },
    ]);
    const eve = new Date('2027-01-14T23:00:00.000Z');
    const [short] = react(sentTo('indigo', 'deliver', { now: eve }));
    assert.equal(short?.afterMs, hourMs, 'half an hour of review ends before the release date');
    const [long] = react(sentTo('hanami', 'deliver', { now: eve }));
    assert.ok((long?.afterMs ?? 0) >= 48 * hourMs, 'the review ends after the release date');
  });

  test('contract §2: an unscripted store is not overdue: its review fits into its lead time', () => {
    for (const { storeId, capabilities } of fictionalStores) {
      const [, reviewMax] = timings[storeId] ?? assert.fail(storeId);
      assert.ok(reviewMax < Math.max(1, capabilities.leadTimeBusinessDays) * 24, storeId);
    }
  });

  test('catalogue §1.3: a receipt does not wait for the release date', () => {
    for (const confirmation of ['ingest', 'none'] as const) {
      const [reply] = react(sentTo('jangala', 'deliver', { confirmation }));
      assert.ok((reply?.afterMs ?? 0) < 20 * hourMs, confirmation);
    }
  });

  test('an update and a takedown do not wait for the release date', () => {
    for (const kind of ['update', 'takedown'] as const) {
      assert.ok((react(sentTo('indigo', kind))[0]?.afterMs ?? 0) < 27 * hourMs, kind);
    }
  });
});

/** The expected replies, each with the earliest and the latest time. */
type Row = readonly (readonly [says: string, fromMs: number, toMs: number])[];

/** The store `cascade` reviews in 1 to 3 hours and removes in 24 to 30. */
const [reviewed, removal] = [
  [hourMs, 3 * hourMs],
  [24 * hourMs, 30 * hourMs],
] as const;
const out = [releaseMs, releaseMs] as const;
const exactly = (ms: number) => [ms, ms] as const;
const more = ([from, to]: readonly [number, number], ms: number) => [from + ms, to + ms] as const;
const both = <T>(deliver: T, update: T, takedown: T) => ({ deliver, update, takedown });

const table: readonly [ScenarioStep, Readonly<Record<MessageKind, Row>>][] = [
  [{ action: 'confirm' }, both([['yes', ...out]], [['yes', ...reviewed]], [['yes', ...removal]])],
  [{ action: 'confirm', after: '5m' }, same([['yes', ...exactly(5 * minuteMs)]])],
  [{ action: 'confirm', after: '0s' }, same([['yes', ...exactly(0)]])],
  [
    { action: 'reject', code: 'c', reason: 'r' },
    both([['no', ...reviewed]], [['no', ...reviewed]], [['no', ...removal]]),
  ],
  [
    { action: 'reject', code: 'c', reason: 'r', after: '3d' },
    same([['no', ...exactly(3 * dayMs)]]),
  ],
  [
    { action: 'flag', code: 'c', reason: 'r' },
    both([['flag', ...reviewed]], [['flag', ...reviewed]], [['yes', ...removal]]),
  ],
  [
    {
      action: 'flag',
      code: 'c',
      reason: 'r',
      after: '1h',
      resolves: 'confirm',
      resolves_after: '2h',
    },
    both<Row>(
      [
        ['flag', ...exactly(hourMs)],
        ['yes', ...exactly(3 * hourMs)],
      ],
      [
        ['flag', ...exactly(hourMs)],
        ['yes', ...exactly(3 * hourMs)],
      ],
      [['yes', ...removal]],
    ),
  ],
  [
    { action: 'flag', code: 'c', reason: 'r', after: '1h', resolves: 'reject' },
    both<Row>(
      [
        ['flag', ...exactly(hourMs)],
        ['no', ...more(reviewed, hourMs)],
      ],
      [
        ['flag', ...exactly(hourMs)],
        ['no', ...more(reviewed, hourMs)],
      ],
      [['yes', ...removal]],
    ),
  ],
  [
    { action: 'delay', after: '2d' },
    both(
      [['yes', ...more(out, 2 * dayMs)]],
      [['yes', ...more(reviewed, 2 * dayMs)]],
      [['yes', ...more(removal, 2 * dayMs)]],
    ),
  ],
  [{ action: 'late' }, same([['yes', ...exactly(deadlineMs + hourMs)]])],
  [{ action: 'late', after: '5d' }, same([['yes', ...exactly(deadlineMs + 5 * dayMs)]])],
  [{ action: 'lose' }, same([])],
  [{ action: 'duplicate' }, both(twice(out), twice(reviewed), twice(removal))],
  [{ action: 'duplicate', after: '1h' }, same(twice(exactly(hourMs)))],
  [
    { action: 'outage', lasts: '1h' },
    both([['yes', ...out]], [['yes', ...reviewed]], [['yes', ...removal]]),
  ],
];

function same(row: Row) {
  return both(row, row, row);
}
function twice([from, to]: readonly [number, number]): Row {
  return [
    ['yes', from, to],
    ['yes', from + minuteMs, to + hourMs],
  ];
}

describe('contract §4: the replies of each action to each kind of message', () => {
  test('the table has every action of stores', () => {
    const inTable = new Set(table.map(([{ action }]) => action));
    assert.deepEqual([...inTable].toSorted(), storeActions.toSorted());
  });

  for (const [step, rows] of table) {
    for (const kind of messageKinds) {
      test(`${JSON.stringify(step)} to ${kind}`, () => {
        for (const releaseName of releases.slice(0, 200)) {
          const replies = react(sentTo('cascade', kind, { releaseName }), step);
          assert.deepEqual(
            replies.map(({ reply }) => reply.says),
            rows[kind].map(([says]) => says),
          );
          for (const [i, { afterMs, reply }] of replies.entries()) {
            const [, from, to] = rows[kind][i] ?? assert.fail();
            assert.ok(afterMs >= from && afterMs <= to, `${afterMs} not in ${from}…${to}`);
            if ('code' in reply) assert.deepEqual([reply.code, reply.reason], ['c', 'r']);
          }
        }
      });
    }
  }

  test('a flag need not have a code (spec §2.2), and its reason names the scenario if it has none', () => {
    const [flag] = react(sentTo('aurora', 'deliver'), { action: 'flag' });
    assert.ok(flag?.reply.says === 'flag');
    assert.equal(flag.reply.code, null);
    assert.equal(flag.reply.reason, `Flagged by your sandbox scenario ${scenarioId}.`);
    const [rejection] = react(sentTo('aurora', 'deliver'), { action: 'reject', code: 'c' });
    assert.ok(rejection?.reply.says === 'no');
    assert.equal(rejection.reply.reason, `Rejected by your sandbox scenario ${scenarioId}.`);
  });

  test('late: after expected_by, even if that has passed or is not known', () => {
    const late = (expectedBy: Date | null) =>
      react(sentTo('aurora', 'update', { expectedBy }), { action: 'late', after: '2h' })[0]
        ?.afterMs;
    assert.equal(late(new Date(now.getTime() + 5 * dayMs)), 5 * dayMs + 2 * hourMs);
    assert.equal(late(new Date(now.getTime() - 5 * dayMs)), 2 * hourMs);
    assert.equal(late(null), 2 * hourMs);
  });

  for (const times of [2, 3, 10]) {
    test(`duplicate: the same reply ${times} times, each a minute to an hour after the previous one`, () => {
      for (const releaseName of releases.slice(0, 500)) {
        const step: ScenarioStep = { action: 'duplicate', after: '1m', times };
        const replies = react(sentTo('aurora', 'deliver', { releaseName }), step);
        assert.equal(replies.length, times);
        assert.equal(replies[0]?.afterMs, minuteMs);
        for (const [i, { afterMs }] of replies.slice(1).entries()) {
          const apart = afterMs - (replies[i]?.afterMs ?? 0);
          assert.ok(apart >= minuteMs && apart < hourMs, `${apart} ms apart`);
        }
      }
    });
  }
});
