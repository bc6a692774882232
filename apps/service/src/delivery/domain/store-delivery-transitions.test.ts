/**
 * Everywhere a part can get to. From a part as it is created, every move is tried in every state that is
 * found, until there is nothing new: so whatever holds here holds for every part there can be.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoreAnswer } from './answer.ts';
import { applyAnswer } from './apply-answer.ts';
import {
  type MessageContent,
  dispatch,
  markOverdue,
  replaceSendWithTakedown,
  rejectBeforeSending,
  requestTakedown,
  requestUpdate,
  resubmit,
  targetRevision,
  type StoreStep,
  type StoreStepType,
  storeStepTypes,
  type StoreDelivery,
  newStoreDelivery,
} from './store-delivery.ts';

const created = new Date('2027-01-01T00:00:00Z');
const now = new Date('2027-01-02T00:00:00Z');
const newId = 'msg_new';

const fresh = newStoreDelivery(
  'aurora',
  { revision: 1, territoryCodes: ['DE'], messageId: newId },
  created,
);

const nextContent = (storeDelivery: StoreDelivery): MessageContent => ({
  revision: targetRevision(storeDelivery) + 1,
  territoryCodes: ['SE'],
  messageId: newId,
});
const one = (step: StoreStep | undefined): readonly StoreStep[] =>
  step === undefined ? [] : [step];

const flag = (reason: string): StoreAnswer => ({
  messageId: newId,
  kind: 'action_required',
  rejection: { code: null, reason },
});
const no = { code: 'c', reason: 'no' };
const answers: readonly StoreAnswer[] = [
  { messageId: newId, kind: 'accepted' },
  { messageId: newId, kind: 'delivered', url: 'https://a.example/1' },
  { messageId: newId, kind: 'rejected', rejection: no },
  flag('one'),
  flag('two'),
  { messageId: newId, kind: 'removed' },
  { messageId: newId, kind: 'removal_refused', rejection: no },
];

type Move = readonly [name: string, make: (storeDelivery: StoreDelivery) => readonly StoreStep[]];
const moves: readonly Move[] = [
  ...answers.map((answer): Move => [
    `hears ${answer.kind}`,
    (part) => applyAnswer(part, answer, now, newId),
  ]),
  ['is dispatched', (storeDelivery) => one(dispatch(storeDelivery, now, now))],
  ['takedown', (part) => one(requestTakedown(part, now, newId))],
  ['never left', (part) => one(replaceSendWithTakedown(part, now, newId))],
  ['resubmission', (part) => one(resubmit(part, now, nextContent(part)))],
  ['update', (part) => one(requestUpdate(part, now, nextContent(part)))],
  ['review refuses', (part) => one(rejectBeforeSending(part, now, no))],
  ['time is up', (part) => one(markOverdue(part, now))],
];

/** What a lane says, which is no step, since nobody is told: that it is sending, and that it has sent. */
const inLane = (storeDelivery: StoreDelivery): StoreDelivery => {
  const { message } = storeDelivery;
  if (message.state === 'dispatched')
    return { ...storeDelivery, message: { ...message, state: 'sending' } };
  return message.state === 'sending'
    ? { ...storeDelivery, message: { ...message, state: 'sent' } }
    : storeDelivery;
};

const keyOf = ({ revision, pendingRevision, ...storeDelivery }: StoreDelivery): string =>
  JSON.stringify([storeDelivery, pendingRevision === null, revision === 1]);

type Edge = { readonly by: string; readonly before: StoreDelivery; readonly step: StoreStep };

function explore() {
  const storeDeliveries = new Map([[keyOf(fresh), fresh]]);
  const edges: Edge[] = [];
  const find = (storeDelivery: StoreDelivery) =>
    storeDeliveries.has(keyOf(storeDelivery)) ||
    storeDeliveries.set(keyOf(storeDelivery), storeDelivery);
  // A map that grows is walked to its end.
  for (const storeDelivery of storeDeliveries.values()) {
    find(inLane(storeDelivery));
    for (const [by, make] of moves) {
      let before = storeDelivery;
      for (const step of make(storeDelivery)) {
        edges.push({ by, before, step });
        before = step.storeDelivery;
      }
      find(before);
    }
  }
  return { storeDeliveries: [...storeDeliveries.values()], edges };
}

const { storeDeliveries, edges } = explore();
const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted();

/** Contract §3: from where, by what, to where. */
const ways = [
  'pending → in_progress: is dispatched',
  'in_progress → delivered: hears delivered',
  'in_progress → rejected: hears rejected',
  'in_progress → action_required: hears action_required',
  'action_required → delivered: hears delivered',
  'action_required → rejected: hears rejected',
  'rejected → pending: resubmission',
  'action_required → pending: resubmission',
  'delivered → takedown_requested: takedown',
  'takedown_requested → taken_down: hears removed',
  'takedown_requested → delivered: hears removal_refused',
  // "One in flight is asked as soon as it lands."
  'delivered → takedown_requested: hears delivered',
  // An update, whatever the store says to it.
  'delivered → takedown_requested: hears rejected',
  'delivered → takedown_requested: hears action_required',
  // "Unsent ones are cancelled straight to taken_down."
  'pending → taken_down: takedown',
  'in_progress → taken_down: takedown',
  // Sent anew after a flag: the store may still publish what it flagged, so it is asked to remove that.
  'pending → takedown_requested: takedown',
  'in_progress → takedown_requested: takedown',
  'rejected → takedown_requested: takedown',
  'takedown_requested → action_required: hears removal_refused',
  // What never was out, and the store refused to remove: asked again, it is asked again.
  'action_required → takedown_requested: takedown',
  // Wanted down while it was being sent, and perhaps it never left.
  'in_progress → takedown_requested: never left',
  'delivered → takedown_requested: never left',
  // "Review refused → stores rejected."
  'pending → rejected: review refuses',
];

/** What a part in each state can have sent last. */
const messages = [
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

/** Steps that tell of something else than a new state. */
const remarks: readonly StoreStepType[] = [
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

describe('contract §3, a store’s part: everywhere it can get to', () => {
  test('the ways are those of the table, all of them and no other', () => {
    const found = edges
      .filter(({ before, step }) => before.status !== step.storeDelivery.status)
      .map(({ by, before, step }) => `${before.status} → ${step.storeDelivery.status}: ${by}`);
    assert.deepEqual(sorted(found), sorted(ways));
  });

  test('a state goes with the messages that lead to it, and no other', () => {
    const found = storeDeliveries.map(
      ({ status, message }) => `${status}: ${message.kind} ${message.state}`,
    );
    assert.deepEqual(sorted(found), sorted(messages));
  });

  test('every type of step is taken somewhere, and only remarks leave the state as it is', () => {
    assert.deepEqual(sorted(edges.map(({ step }) => step.type)), sorted(storeStepTypes));
    const still = edges.filter(({ before, step }) => before.status === step.storeDelivery.status);
    assert.deepEqual(sorted(still.map(({ step }) => step.type)), sorted(remarks));
  });

  test('spec §2.2: whatever a store rejected or flagged has its reason; nothing that waits or is gone has one', () => {
    for (const { status, rejection } of storeDeliveries) {
      if (status === 'rejected' || status === 'action_required') assert.ok(rejection, status);
      if (['pending', 'in_progress', 'takedown_requested', 'taken_down'].includes(status))
        assert.equal(rejection, null, status);
    }
  });

  test('only what a store has, and has been asked to change, has a pending revision: a newer one', () => {
    for (const { status, message, revision, pendingRevision } of storeDeliveries) {
      if (pendingRevision === null) continue;
      assert.deepEqual([status, message.kind], ['delivered', 'update']);
      assert.ok(message.state !== 'dropped' && pendingRevision > revision);
    }
    assert.ok(storeDeliveries.some(({ pendingRevision }) => pendingRevision !== null));
  });

  test('it was live if a store has it, and not if it was never more than sent or flagged', () => {
    for (const { status, message, liveAt, mayStillPublish } of storeDeliveries) {
      const label = `${status} ${message.kind}`;
      if (status === 'delivered') assert.ok(liveAt, label);
      if (message.kind === 'deliver' && status !== 'delivered') assert.equal(liveAt, null, label);
      if (message.kind === 'takedown' && !mayStillPublish && !message.isSentInOrder)
        assert.ok(liveAt, label);
    }
  });

  test('a store has a deadline from when its message is dispatched until it has answered', () => {
    for (const { status, message, expectedBy, isOverdue } of storeDeliveries) {
      if (status === 'in_progress') assert.ok(expectedBy, status);
      if (message.state === 'dispatched' || message.state === 'sending') assert.ok(expectedBy);
      if (message.state === 'queued' || message.state === 'dropped') assert.equal(expectedBy, null);
      if (['pending', 'rejected', 'action_required', 'taken_down'].includes(status))
        assert.equal(expectedBy, null, status);
      assert.ok(expectedBy !== null || !isOverdue, 'nothing is overdue without a deadline');
    }
  });

  test('a takedown is wanted only of what is on its way, or is being taken down', () => {
    const wanted = storeDeliveries.filter(({ takedownWanted }) => takedownWanted);
    assert.deepEqual(
      sorted(wanted.map(({ status }) => status)),
      sorted(['in_progress', 'action_required', 'delivered', 'takedown_requested', 'taken_down']),
    );
    const live = wanted.filter(({ status }) => status === 'delivered');
    assert.ok(
      live.every(({ message }) => message.kind === 'update'),
      'an update is on its way',
    );
  });
});
