/** What no input may do to a store delivery, in any state that it can reach (contract §3, catalogue §1.2, §1.3). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Exploration, explorations } from '../../../test/machine/explore.ts';
import { due, now } from '../../../test/machine/inputs.ts';
import { applyAnswer } from './apply-answer.ts';
import { reachDeadline, waitsForSend } from './infer.ts';
import { dispatch } from './send-again.ts';
import type { StoreDelivery } from './store-delivery.ts';
import { takeDownIfWanted } from './takedown.ts';

const allMoves = explorations().flatMap(({ confirmation, moves }) =>
  moves.map((move) => ({ ...move, confirmation })),
);

describe('contract §3, what no input does in any state', () => {
  test('no answer loses a takedown that was requested: it waits, is asked, done or refused', () => {
    let kept = 0;
    for (const { input, before, steps } of allMoves) {
      if (before.takedown === null || !input.isAnswer) continue;
      const types = steps.map(({ type }) => type);
      const last = steps.at(-1)?.storeDelivery;
      if (types.includes('takedown_refused')) assert.equal(last?.takedown, null);
      else if (types.includes('unexpectedly_live')) assert.equal(last?.takedown?.requestedAt, now);
      else assert.equal(last?.takedown, before.takedown, `${input.name} ${types.join()}`);
      kept++;
    }
    assert.ok(kept > 1_000, `${kept}`);
  });

  test('no command but a resubmission loses it', () => {
    for (const { input, before, steps } of allMoves) {
      if (before.takedown === null || input.isAnswer) continue;
      const last = steps.at(-1)?.storeDelivery;
      const expected = input.name.startsWith('resubmission') ? null : before.takedown;
      assert.equal(last?.takedown, expected, input.name);
    }
  });

  test('`live_at` keeps its first value, except that the rejection of an inferred one removes it', () => {
    let removed = 0;
    for (const { input, before, steps } of allMoves)
      for (const { type, storeDelivery } of steps) {
        if (before.liveAt === null) continue;
        if (type === 'rejected' && before.liveBasis === 'inferred' && input.isAnswer) {
          assert.equal(storeDelivery.liveAt, null);
          removed++;
          break;
        }
        assert.equal(storeDelivery.liveAt, before.liveAt, `${input.name} ${type}`);
      }
    assert.ok(removed > 100, `${removed}`);
  });

  test('nothing leaves `taken_down`, except an unexpected announcement and the refusal of an inferred takedown', () => {
    const found = allMoves
      .filter(({ before }) => before.status === 'taken_down')
      .map(({ confirmation, steps }) => `${confirmation}: ${steps.map(({ type }) => type).join()}`);
    assert.deepEqual([...new Set(found)].toSorted(), [
      'ingest: takedown_refused',
      'ingest: unexpectedly_live,takedown_requested',
      'live: unexpectedly_live,takedown_requested',
      'none: takedown_refused',
      'none: unexpectedly_live,takedown_requested',
    ]);
  });

  test('no takedown overtakes a message that is being sent: it uses the same lane', () => {
    let replaced = 0;
    for (const { input, before, steps } of allMoves) {
      const { message } = steps.at(-1)?.storeDelivery ?? before;
      const hasArrived = steps[0]?.storeDelivery.message.state === 'sent';
      if (before.message.state !== 'sending' || hasArrived) continue;
      if (message.id === before.message.id || message.kind !== 'takedown') continue;
      assert.ok(message.isSentInOrder, `${input.name} ${JSON.stringify(before)}`);
      replaced++;
    }
    assert.ok(replaced > 10, `${replaced}`);
  });

  test('no dropped message is sent', () => {
    for (const { input, before, steps } of allMoves) {
      if (before.message.state !== 'dropped') continue;
      for (const { storeDelivery } of steps)
        if (storeDelivery.message.id === before.message.id)
          assert.equal(storeDelivery.message.state, 'dropped', input.name);
    }
  });
});

/** What happens by itself: the message is dispatched and sent, the store acknowledges it or is silent, time passes. */
function nextByItself(
  storeDelivery: StoreDelivery,
  confirmation: Exploration['confirmation'],
): StoreDelivery {
  const { message, expectedBy } = storeDelivery;
  if (message.state === 'queued') return dispatch(storeDelivery, now, due)!.storeDelivery;
  if (message.state === 'dispatched' || message.state === 'sending')
    return { ...storeDelivery, message: { ...message, state: 'sent' } };
  const context = { now, confirmation, takedownId: 'msg_9' } as const;
  const receipt = { messageId: message.id, kind: 'acknowledged' } as const;
  const received =
    confirmation === 'ingest' ? applyAnswer(storeDelivery, receipt, context).at(-1) : undefined;
  if (received !== undefined) return received.storeDelivery;
  const atDeadline = expectedBy === null ? storeDelivery : { ...storeDelivery, expectedBy: due };
  const step = reachDeadline(atDeadline, now, confirmation);
  if (step === undefined) return storeDelivery;
  const { storeDelivery: after } = step;
  return takeDownIfWanted(after, now, 'msg_9')?.storeDelivery ?? after;
}

const heard = {
  live: 'announces availability',
  ingest: 'only acknowledges',
  none: 'says nothing',
} as const satisfies Record<Exploration['confirmation'], string>;

const isWaiting = ({ status, update }: StoreDelivery): boolean =>
  ['pending', 'in_progress', 'takedown_requested'].includes(status) || update?.status === 'pending';

describe('catalogue §1.3, stores that do not announce availability', () => {
  for (const { confirmation, states } of explorations().filter(
    (each) => each.confirmation !== 'live',
  ))
    test(`nothing stays in progress for ever at a store that ${heard[confirmation]}`, () => {
      let settled = 0;
      for (const start of states.values()) {
        let storeDelivery = start;
        for (let i = 0; i < 12 && isWaiting(storeDelivery); i++)
          storeDelivery = nextByItself(storeDelivery, confirmation);
        assert.ok(!isWaiting(storeDelivery), JSON.stringify({ start, storeDelivery }));
        if (isWaiting(start)) settled++;
      }
      assert.ok(settled > 100, `${settled}`);
    });

  test('a silent store is looked at again until its message is sent, and no other store is', () => {
    for (const { confirmation, states } of explorations())
      for (const storeDelivery of states.values()) {
        const { expectedBy, message } = storeDelivery;
        for (const at of [now, expectedBy ?? now]) {
          const isDue = expectedBy !== null && expectedBy <= at;
          const waits = confirmation === 'none' && isDue && message.state !== 'sent';
          assert.equal(waitsForSend(storeDelivery, at, confirmation), waits);
          if (waits) assert.equal(reachDeadline(storeDelivery, at, confirmation), undefined);
        }
      }
  });
});
