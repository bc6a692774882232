/**
 * Every state that a store delivery can reach × every message × every answer, deadline and command (test/machine). What
 * the domain does is compared with a table written from the contract; what these tests assert of the states is true of
 * every store delivery.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explorations, type Move, reachableStates } from '../../../test/machine/explore.ts';
import { type StoreDelivery, type StoreStepType, storeStepTypes } from './store-delivery.ts';

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted();

/** Each step with the state before it; `by` without the message that an answer names and without its content. */
const stepsOf = ({ input, before, steps }: Move) =>
  steps.map(({ type, storeDelivery }, i) => ({
    by: i === 0 ? input.name.replace(/,? (naming|with|for the|to revision|by) .*/, '') : 'follows',
    type,
    before: steps[i - 1]?.storeDelivery ?? before,
    after: storeDelivery,
  }));
const allSteps = explorations().flatMap(({ moves }) => moves.flatMap(stepsOf));
const states = reachableStates();
const label = (storeDelivery: StoreDelivery): string => JSON.stringify(storeDelivery);

/** Contract §3, catalogue §1.2 and §1.3: status before → status after: input. */
const expectedTransitions = [
  'pending → in_progress: dispatch',
  'in_progress → delivered: delivered',
  'in_progress → rejected: rejected',
  'in_progress → action_required: action_required',
  'action_required → delivered: delivered',
  'action_required → rejected: rejected',
  'rejected → pending: resubmission',
  'action_required → pending: resubmission',
  // "Review refused → stores rejected."
  'pending → rejected: reject before sending',
  // "Add `delivered → action_required` and `delivered → taken_down`."
  'delivered → action_required: action_required',
  'delivered → taken_down: removed',
  'action_required → taken_down: removed',
  // "A store that announces what we hold as `rejected` → `delivered`; as `taken_down` → a new takedown."
  'rejected → delivered: delivered',
  'taken_down → takedown_requested: follows',
  // "A rejection after an inferred `delivered` → `rejected`."
  'delivered → rejected: rejected',
  // Silence, or a receipt after the deadline; a receipt also confirms the update of a flagged release.
  'in_progress → delivered: deadline',
  'in_progress → delivered: follows',
  'action_required → delivered: follows',
  'takedown_requested → taken_down: deadline',
  'takedown_requested → taken_down: follows',
  // "Delivered ones are asked." "A flagged store with `live_at` is asked at once."
  'delivered → takedown_requested: takedown',
  'action_required → takedown_requested: takedown',
  'takedown_requested → taken_down: removed',
  'takedown_requested → delivered: removal_refused',
  // A release that was never live does not become `delivered` when its takedown is refused.
  'takedown_requested → action_required: removal_refused',
  // The takedown was only inferred.
  'taken_down → delivered: removal_refused',
  'taken_down → action_required: removal_refused',
  // "One in flight is asked as soon as it lands", or is answered in another way.
  'delivered → takedown_requested: follows',
  'action_required → takedown_requested: follows',
  'rejected → takedown_requested: follows',
  'rejected → taken_down: follows',
  // "Unsent ones are cancelled straight to `taken_down`." "A `rejected` store that has nothing of it is closed at once."
  'pending → taken_down: takedown',
  'in_progress → taken_down: takedown',
  'rejected → taken_down: takedown',
  // The store may still publish an earlier message, so it is asked.
  'pending → takedown_requested: takedown',
  'in_progress → takedown_requested: takedown',
  'rejected → takedown_requested: takedown',
  // A takedown was requested during the send, and the message may not have reached the store.
  'in_progress → takedown_requested: replace the send',
  'delivered → takedown_requested: replace the send',
  'action_required → takedown_requested: replace the send',
];

/** The latest message that goes with each status. */
const expectedMessages: Readonly<Record<StoreDelivery['status'], readonly string[]>> = {
  pending: ['deliver queued'],
  in_progress: ['deliver dispatched', 'deliver sending', 'deliver sent'],
  delivered: [
    'deliver sent',
    'update queued',
    'update dispatched',
    'update sending',
    'update sent',
    'update dropped',
    'takedown sent',
  ],
  action_required: [
    'deliver sent',
    'update queued',
    'update dispatched',
    'update sending',
    'update sent',
    'update dropped',
    'takedown sent',
  ],
  rejected: ['deliver sent', 'deliver dropped', 'update sent', 'update dropped', 'takedown sent'],
  takedown_requested: [
    'takedown queued',
    'takedown dispatched',
    'takedown sending',
    'takedown sent',
  ],
  taken_down: [
    'deliver sent',
    'deliver dropped',
    'update sent',
    'update dropped',
    'takedown sent',
    'takedown dropped',
  ],
};

/** Steps that may leave the status as it is. */
const statusKeepingSteps: readonly StoreStepType[] = [
  'waiting',
  'acknowledged',
  'overdue',
  // Another reason; the word of a store about what was inferred; an update that was inferred.
  'action_required',
  'delivered',
  'inferred',
  'update_requested',
  'update_dispatched',
  'updated',
  'update_refused',
  'update_flagged',
  'takedown_wanted',
  'takedown_dispatched',
  'unexpectedly_live',
];

describe('contract §3, every state that a store delivery can reach', () => {
  for (const { confirmation, states: found, compared, moves, differences } of explorations())
    test(`stores that confirm by \`${confirmation}\` do what the table says`, (t) => {
      t.diagnostic(`${found.size} states, ${compared} moves compared, ${moves.length} with a step`);
      assert.deepEqual(differences, []);
      // The enumeration before late answers had 158 states and 2,212 moves.
      assert.ok(found.size > 1_000 && compared > 60_000, `${found.size} ${compared}`);
    });

  test('the transitions are those of the table and no others', () => {
    const found = allSteps
      .filter(({ before, after }) => before.status !== after.status)
      .map(({ by, before, after }) => `${before.status} → ${after.status}: ${by}`);
    assert.deepEqual(sorted(found), sorted(expectedTransitions));
  });

  test('each status goes with the messages that lead to it and no others', () => {
    for (const [status, messages] of Object.entries(expectedMessages)) {
      const found = states.filter((each) => each.status === status);
      assert.deepEqual(
        sorted(found.map(({ message }) => `${message.kind} ${message.state}`)),
        sorted(messages),
        status,
      );
    }
  });

  test('every type of step occurs, and only the listed types leave the status as it is', () => {
    assert.deepEqual(sorted(allSteps.map(({ type }) => type)), sorted(storeStepTypes));
    const keeping = allSteps.filter(({ before, after }) => before.status === after.status);
    assert.deepEqual(sorted(keeping.map(({ type }) => type)), sorted(statusKeepingSteps));
  });

  test('every step changes something that is shown', () => {
    for (const { type, before, after } of allSteps)
      assert.notDeepEqual({ ...after, updatedAt: before.updatedAt }, before, type);
  });
});

describe('contract §2, what each state shows', () => {
  test('spec §2.2: `rejected` and `action_required` have a code and a reason; pending, sent and asked have none', () => {
    for (const storeDelivery of states) {
      const { status, rejection } = storeDelivery;
      if (status === 'rejected' || status === 'action_required') assert.ok(rejection);
      if (['pending', 'in_progress', 'takedown_requested'].includes(status))
        assert.equal(rejection, null, status);
      if (rejection !== null) assert.ok(rejection.code && rejection.reason);
    }
  });

  test('a delivered store has a reason only after a refused takedown, a taken down one only if it was closed', () => {
    const reasons = allSteps.filter(({ before, after }) => !before.rejection && after.rejection);
    for (const { type, after } of reasons)
      if (after.status === 'delivered') assert.equal(type, 'takedown_refused');
    for (const { type, before, after } of allSteps)
      if (after.status === 'taken_down' && before.status !== 'taken_down')
        assert.equal(after.rejection !== null, type === 'closed', type);
  });

  test('`live_at` and `live_basis` are both set or both null, and set while the store has the release', () => {
    for (const storeDelivery of states) {
      const { status, liveAt, liveBasis, deliveredBy } = storeDelivery;
      assert.equal(liveAt === null, liveBasis === null, label(storeDelivery));
      if (status === 'delivered') assert.ok(liveAt, label(storeDelivery));
      if (liveAt !== null) assert.ok(deliveredBy, label(storeDelivery));
    }
  });

  test('`live_basis` is `inferred` only where stores do not announce availability', () => {
    const [live, ingest, none] = explorations().map(({ states: found }) =>
      [...found.values()].filter(({ liveBasis }) => liveBasis === 'inferred'),
    );
    assert.equal(live?.length, 0);
    assert.ok(ingest?.length && none?.length);
  });

  test('`pending_revision` only with an open update that is on its way', () => {
    const open = states.filter(({ update }) => update !== null && update.status !== 'rejected');
    for (const storeDelivery of open) {
      const { status, message, revision, update } = storeDelivery;
      assert.ok(status === 'delivered' || status === 'action_required', label(storeDelivery));
      assert.ok(message.kind === 'update' && message.state !== 'dropped', label(storeDelivery));
      assert.ok((update?.revision ?? 0) >= revision);
    }
    assert.ok(open.length > 100);
  });

  test('an update has a code and a reason exactly if the store or we flagged or rejected it', () => {
    for (const { update, status } of states) {
      if (update === null) continue;
      assert.equal(update.rejection === null, update.status === 'pending');
      assert.ok(status === 'delivered' || status === 'action_required');
    }
  });

  test('`taken_down_by` exactly while it is taken down: the store, or who requested the takedown', () => {
    for (const storeDelivery of states) {
      const { status, takenDownBy, takedown } = storeDelivery;
      assert.equal(takenDownBy !== null, status === 'taken_down', label(storeDelivery));
      if (takenDownBy !== null && takenDownBy !== 'store')
        assert.equal(takenDownBy, takedown?.by, label(storeDelivery));
      if (status === 'takedown_requested') assert.ok(takedown, label(storeDelivery));
      if (status === 'pending' || status === 'rejected') assert.equal(takedown, null);
    }
  });

  test('`expected_by` exactly while an answer to a dispatched message is awaited, never after it was dropped', () => {
    for (const storeDelivery of states) {
      const { status, message, update, expectedBy } = storeDelivery;
      const isDispatched = message.state !== 'queued' && message.state !== 'dropped';
      const isAwaited =
        status === 'in_progress' || status === 'takedown_requested' || update?.status === 'pending';
      assert.equal(expectedBy !== null, isDispatched && isAwaited, label(storeDelivery));
      if (message.state === 'dropped') assert.ok(!isAwaited, label(storeDelivery));
    }
  });

  test('overdue needs a deadline, and a store that says nothing is never overdue', () => {
    for (const { isOverdue, expectedBy } of states) assert.ok(expectedBy !== null || !isOverdue);
    const [live, ingest, none] = explorations().map(({ states: found }) =>
      [...found.values()].some(({ isOverdue }) => isOverdue),
    );
    assert.deepEqual([live, ingest, none], [true, true, false]);
  });

  test('`waiting_for` only while the message is queued', () => {
    for (const { waitingFor, message } of states)
      assert.ok(waitingFor === null || message.state === 'queued');
  });

  test('a rejected release that the store announced before is asked for, not closed', () => {
    for (const { status, liveBasis, mayStillPublish } of states)
      if (status === 'rejected' && liveBasis === 'store') assert.ok(mayStillPublish);
  });
});
