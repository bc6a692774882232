/**
 * Every state that a store delivery can reach. The search starts from a new store delivery and applies every move in
 * every state it finds until it finds no new state, so what these tests assert is true of every store delivery.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoreAnswer } from './answer.ts';
import { applyAnswer } from './apply-answer.ts';
import { dispatch, rejectBeforeSending, requestUpdate, resubmit } from './send-again.ts';
import {
  type MessageContent,
  markOverdue,
  targetRevision,
  type StoreStep,
  type StoreStepType,
  storeStepTypes,
  type StoreDelivery,
  newStoreDelivery,
} from './store-delivery.ts';
import { replaceSendWithTakedown, requestTakedown } from './takedown.ts';

const created = new Date('2027-01-01T00:00:00Z');
const now = new Date('2027-01-02T00:00:00Z');
const newId = 'msg_new';

const initial = newStoreDelivery(
  'aurora',
  { revision: 1, territoryCodes: ['DE'], messageId: newId },
  created,
);

const nextContent = (storeDelivery: StoreDelivery): MessageContent => ({
  revision: targetRevision(storeDelivery) + 1,
  territoryCodes: ['SE'],
  messageId: newId,
});
const toSteps = (step: StoreStep | undefined): readonly StoreStep[] =>
  step === undefined ? [] : [step];

const flag = (reason: string): StoreAnswer => ({
  messageId: newId,
  kind: 'action_required',
  rejection: { code: null, reason },
});
const anyRejection = { code: 'c', reason: 'no' };
const answers: readonly StoreAnswer[] = [
  { messageId: newId, kind: 'accepted' },
  { messageId: newId, kind: 'delivered', url: 'https://a.example/1' },
  { messageId: newId, kind: 'rejected', rejection: anyRejection },
  flag('one'),
  flag('two'),
  { messageId: newId, kind: 'removed' },
  { messageId: newId, kind: 'removal_refused', rejection: anyRejection },
];

type Move = readonly [name: string, make: (storeDelivery: StoreDelivery) => readonly StoreStep[]];
const moves: readonly Move[] = [
  ...answers.map((answer): Move => [
    `answered ${answer.kind}`,
    (storeDelivery) => applyAnswer(storeDelivery, answer, now, newId),
  ]),
  ['dispatch', (storeDelivery) => toSteps(dispatch(storeDelivery, now, now))],
  ['takedown', (storeDelivery) => toSteps(requestTakedown(storeDelivery, now, newId))],
  [
    'replace with takedown',
    (storeDelivery) => toSteps(replaceSendWithTakedown(storeDelivery, now, newId)),
  ],
  [
    'resubmission',
    (storeDelivery) => toSteps(resubmit(storeDelivery, now, nextContent(storeDelivery))),
  ],
  [
    'update',
    (storeDelivery) => toSteps(requestUpdate(storeDelivery, now, nextContent(storeDelivery))),
  ],
  [
    'reject before sending',
    (storeDelivery) => toSteps(rejectBeforeSending(storeDelivery, now, anyRejection)),
  ],
  ['deadline passed', (storeDelivery) => toSteps(markOverdue(storeDelivery, now))],
];

/** What a lane does to the message: it claims it, then sends it. Neither is a step: there is no timeline entry. */
const advanceInLane = (storeDelivery: StoreDelivery): StoreDelivery => {
  const { message } = storeDelivery;
  if (message.state === 'dispatched')
    return { ...storeDelivery, message: { ...message, state: 'sending' } };
  return message.state === 'sending'
    ? { ...storeDelivery, message: { ...message, state: 'sent' } }
    : storeDelivery;
};

const keyOf = ({ revision, pendingRevision, ...storeDelivery }: StoreDelivery): string =>
  JSON.stringify([storeDelivery, pendingRevision === null, revision === 1]);

type Transition = { readonly by: string; readonly before: StoreDelivery; readonly step: StoreStep };

function explore() {
  const storeDeliveries = new Map([[keyOf(initial), initial]]);
  const transitions: Transition[] = [];
  const addIfNew = (storeDelivery: StoreDelivery) =>
    storeDeliveries.has(keyOf(storeDelivery)) ||
    storeDeliveries.set(keyOf(storeDelivery), storeDelivery);
  // Iterating a Map visits entries that are added during the iteration.
  for (const storeDelivery of storeDeliveries.values()) {
    addIfNew(advanceInLane(storeDelivery));
    for (const [by, make] of moves) {
      let before = storeDelivery;
      for (const step of make(storeDelivery)) {
        transitions.push({ by, before, step });
        before = step.storeDelivery;
      }
      addIfNew(before);
    }
  }
  return { storeDeliveries: [...storeDeliveries.values()], transitions };
}

const { storeDeliveries, transitions } = explore();
const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted();

/** Contract §3: status before → status after: move. */
const expectedTransitions = [
  'pending → in_progress: dispatch',
  'in_progress → delivered: answered delivered',
  'in_progress → rejected: answered rejected',
  'in_progress → action_required: answered action_required',
  'action_required → delivered: answered delivered',
  'action_required → rejected: answered rejected',
  'rejected → pending: resubmission',
  'action_required → pending: resubmission',
  'delivered → takedown_requested: takedown',
  'takedown_requested → taken_down: answered removed',
  'takedown_requested → delivered: answered removal_refused',
  // "One in flight is asked as soon as it lands."
  'delivered → takedown_requested: answered delivered',
  // The same for an update, with every answer to it.
  'delivered → takedown_requested: answered rejected',
  'delivered → takedown_requested: answered action_required',
  // "Unsent ones are cancelled straight to taken_down."
  'pending → taken_down: takedown',
  'in_progress → taken_down: takedown',
  // After a resubmission the store may still publish the message it flagged, so it is asked to remove it.
  'pending → takedown_requested: takedown',
  'in_progress → takedown_requested: takedown',
  'rejected → takedown_requested: takedown',
  'takedown_requested → action_required: answered removal_refused',
  // The store refused to remove a release that was never live: a second takedown can be requested.
  'action_required → takedown_requested: takedown',
  // A takedown was requested during the send, and the message may not have reached the store.
  'in_progress → takedown_requested: replace with takedown',
  'delivered → takedown_requested: replace with takedown',
  // "Review refused → stores rejected."
  'pending → rejected: reject before sending',
];

/** The latest message that goes with each status. */
const expectedMessages = [
  'pending: deliver queued',
  'in_progress: deliver dispatched',
  'in_progress: deliver sending',
  'in_progress: deliver sent',
  'delivered: deliver sent',
  'delivered: update queued',
  'delivered: update dispatched',
  'delivered: update sending',
  'delivered: update sent',
  'delivered: update dropped',
  'delivered: takedown sent',
  'rejected: deliver sent',
  'rejected: deliver dropped',
  'action_required: deliver sent',
  'action_required: takedown sent',
  'takedown_requested: takedown queued',
  'takedown_requested: takedown dispatched',
  'takedown_requested: takedown sending',
  'takedown_requested: takedown sent',
  'taken_down: deliver dropped',
  'taken_down: takedown sent',
];

/** Steps that leave the status as it is. */
const statusKeepingSteps: readonly StoreStepType[] = [
  'action_required',
  'update_requested',
  'update_dispatched',
  'updated',
  'update_refused',
  'update_flagged',
  'takedown_wanted',
  'takedown_dispatched',
  'overdue',
];

describe('contract §3, every state that a store delivery can reach', () => {
  test('the transitions are those of the table and no others', () => {
    const found = transitions
      .filter(({ before, step }) => before.status !== step.storeDelivery.status)
      .map(({ by, before, step }) => `${before.status} → ${step.storeDelivery.status}: ${by}`);
    assert.deepEqual(sorted(found), sorted(expectedTransitions));
  });

  test('each status goes with the messages that lead to it and no others', () => {
    const found = storeDeliveries.map(
      ({ status, message }) => `${status}: ${message.kind} ${message.state}`,
    );
    assert.deepEqual(sorted(found), sorted(expectedMessages));
  });

  test('every type of step occurs, and only the listed types leave the status as it is', () => {
    assert.deepEqual(sorted(transitions.map(({ step }) => step.type)), sorted(storeStepTypes));
    const keeping = transitions.filter(
      ({ before, step }) => before.status === step.storeDelivery.status,
    );
    assert.deepEqual(sorted(keeping.map(({ step }) => step.type)), sorted(statusKeepingSteps));
  });

  test('spec §2.2: `rejected` and `action_required` have a reason; pending, sent and taken down have none', () => {
    for (const { status, rejection } of storeDeliveries) {
      if (status === 'rejected' || status === 'action_required') assert.ok(rejection, status);
      if (['pending', 'in_progress', 'takedown_requested', 'taken_down'].includes(status))
        assert.equal(rejection, null, status);
    }
  });

  test('only a delivered store with an update has a pending revision, and it is newer', () => {
    for (const { status, message, revision, pendingRevision } of storeDeliveries) {
      if (pendingRevision === null) continue;
      assert.deepEqual([status, message.kind], ['delivered', 'update']);
      assert.ok(message.state !== 'dropped' && pendingRevision > revision);
    }
    assert.ok(storeDeliveries.some(({ pendingRevision }) => pendingRevision !== null));
  });

  test('`live_at` is set once a store has the release, and not while it was only sent or flagged', () => {
    for (const { status, message, liveAt, mayStillPublish } of storeDeliveries) {
      const label = `${status} ${message.kind}`;
      if (status === 'delivered') assert.ok(liveAt, label);
      if (message.kind === 'deliver' && status !== 'delivered') assert.equal(liveAt, null, label);
      if (message.kind === 'takedown' && !mayStillPublish && !message.isSentInOrder)
        assert.ok(liveAt, label);
    }
  });

  test('a store has a deadline from the dispatch of its message until its answer', () => {
    for (const { status, message, expectedBy, isOverdue } of storeDeliveries) {
      if (status === 'in_progress') assert.ok(expectedBy, status);
      if (message.state === 'dispatched' || message.state === 'sending') assert.ok(expectedBy);
      if (message.state === 'queued' || message.state === 'dropped') assert.equal(expectedBy, null);
      if (['pending', 'rejected', 'action_required', 'taken_down'].includes(status))
        assert.equal(expectedBy, null, status);
      assert.ok(expectedBy !== null || !isOverdue, 'overdue needs a deadline');
    }
  });

  test('`takedownWanted` is set only while a message is with the store or a takedown is requested', () => {
    const wanted = storeDeliveries.filter(({ takedownWanted }) => takedownWanted);
    assert.deepEqual(
      sorted(wanted.map(({ status }) => status)),
      sorted(['in_progress', 'action_required', 'delivered', 'takedown_requested', 'taken_down']),
    );
    const delivered = wanted.filter(({ status }) => status === 'delivered');
    assert.ok(
      delivered.every(({ message }) => message.kind === 'update'),
      'an update is on its way',
    );
  });
});
