/** What fictional stores do with a release after they have confirmed it (catalogue §1.2). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  simulateReplies,
  type ScheduledReply,
  type SimulatedMessage,
  randomFor,
} from './reaction.ts';
import type { ScenarioStep } from './scenario.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000] as const;
const now = new Date('2026-11-16T12:00:00.000Z');
const deadlineMs = 70 * dayMs;
const scenarioId = 'scn_01h455vb4pex5vsknk084sn02q';

const react = (
  changes: Partial<SimulatedMessage>,
  step?: ScenarioStep,
): readonly ScheduledReply[] => {
  const sent: SimulatedMessage = {
    storeId: 'cascade',
    kind: 'deliver',
    confirmation: 'live',
    startsAt: new Date('2027-01-15T00:00:00.000Z'),
    releaseName: 'night-drive',
    expectedBy: new Date(now.getTime() + deadlineMs),
    now,
    ...changes,
  };
  return simulateReplies(sent, step && { ...step, scenarioId }, randomFor(sent, 0, 0));
};

describe('catalogue §1.2: what a store does later (`then`)', () => {
  const step: ScenarioStep = {
    action: 'confirm',
    after: '1h',
    then: [
      { action: 'flag', after: '2d', code: 'rights', reason: 'Another party claims it.' },
      { action: 'flag', after: '1h' },
      { action: 'remove', after: '3d' },
    ],
  };
  const laterOf = (changes: Partial<SimulatedMessage>, sent = step) =>
    react(changes, sent).map(({ afterMs, reply }) => [reply.says, afterMs]);
  const later = (fromMs: number) => [
    ['flag', fromMs + 2 * dayMs],
    ['flag', fromMs + 2 * dayMs + hourMs],
    ['removed', fromMs + 5 * dayMs + hourMs],
  ];

  test('each is counted from the one before it, the first from the confirmation', () => {
    assert.deepEqual(laterOf({}), [['yes', hourMs], ...later(hourMs)]);
    assert.deepEqual(laterOf({ kind: 'update' }), [['yes', hourMs], ...later(hourMs)]);
  });

  test('a flag without a reason names the scenario', () => {
    const replies = react({}, step);
    assert.deepEqual(replies[1]?.reply, {
      says: 'flag',
      code: 'rights',
      reason: 'Another party claims it.',
    });
    assert.deepEqual(replies[2]?.reply, {
      says: 'flag',
      code: null,
      reason: `Flagged by your sandbox scenario ${scenarioId}.`,
    });
  });

  test('after the last of several confirmations: a repeated one would resolve the flag', () => {
    const replies = laterOf({}, { ...step, action: 'duplicate', times: 3 });
    const last = replies[2]?.[1] as number;
    assert.ok(last > hourMs);
    assert.deepEqual(replies.slice(3), later(last));
  });

  test('not after a takedown, and not without the step', () => {
    assert.deepEqual(laterOf({ kind: 'takedown' }), [['yes', hourMs]]);
    assert.equal(react({}).length, 1);
  });

  test('catalogue §1.3: at a store that sends receipts, from the inferred confirmation', () => {
    const ingest = { confirmation: 'ingest' } as const;
    assert.deepEqual(laterOf(ingest).slice(1), later(deadlineMs), 'the receipt is earlier');
    const late: ScenarioStep = { ...step, action: 'late', after: '4h' };
    assert.deepEqual(laterOf(ingest, late).slice(1), later(deadlineMs + 4 * hourMs));
    assert.deepEqual(laterOf({ ...ingest, kind: 'update' }).slice(1), later(hourMs));
  });

  test('catalogue §1.3: at a silent store, from the inferred confirmation', () => {
    const none = { confirmation: 'none' } as const;
    assert.deepEqual(laterOf(none).slice(1), later(deadlineMs));
    assert.deepEqual(laterOf({ ...none, kind: 'update' }).slice(1), later(deadlineMs));
    const sentLate = { ...none, expectedBy: new Date(now.getTime() - dayMs) };
    assert.deepEqual(laterOf(sentLate).slice(1), later(hourMs), 'inferred within an hour');
  });
});
