/**
 * Answers arrive late, repeated, out of order and to earlier messages. These tests apply every sequence of up to five
 * answers, and long random sequences with commands in between, and compare each result with the table of contract §3.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { StoreAnswer } from './answer.ts';
import { applyAnswer } from './apply-answer.ts';
import type { MessageId, OutgoingMessage } from './message.ts';
import { dispatch, rejectBeforeSending, requestUpdate, resubmit } from './send-again.ts';
import {
  type StoreDeliveryStatus,
  targetRevision,
  type StoreStep,
  type StoreDelivery,
  newStoreDelivery,
} from './store-delivery.ts';
import { requestTakedown } from './takedown.ts';

const day = (n: number): Date => new Date(Date.UTC(2027, 0, n));
const start = day(1);
const rejection = { code: 'c', reason: 'no' };

const storeDeliveryWith = (
  status: StoreDeliveryStatus,
  kind: OutgoingMessage['kind'],
  changes: Partial<StoreDelivery> = {},
): StoreDelivery => ({
  ...newStoreDelivery('aurora', { revision: 1, territoryCodes: ['DE'], messageId: 'msg_1' }, start),
  status,
  expectedBy: start,
  message: { id: 'msg_1', kind, state: 'sent', isSentInOrder: false },
  ...changes,
});

const starts: readonly StoreDelivery[] = [
  storeDeliveryWith('in_progress', 'deliver'),
  storeDeliveryWith('in_progress', 'deliver', { takedownWanted: true }),
  storeDeliveryWith('in_progress', 'deliver', {
    message: { id: 'msg_1', kind: 'deliver', state: 'sending', isSentInOrder: false },
  }),
  storeDeliveryWith('delivered', 'update', { pendingRevision: 2, liveAt: start }),
  storeDeliveryWith('takedown_requested', 'takedown', { takedownWanted: true, liveAt: start }),
];

const flag = (messageId: MessageId, reason: string): StoreAnswer => ({
  messageId,
  kind: 'action_required',
  rejection: { code: null, reason },
});
/** `msg_1` is the current message, `msg_2` the takedown that may follow it, `msg_0` an earlier message. */
const answers: readonly StoreAnswer[] = [
  { messageId: 'msg_1', kind: 'accepted' },
  { messageId: 'msg_1', kind: 'delivered', url: null },
  { messageId: 'msg_1', kind: 'rejected', rejection },
  flag('msg_1', 'one'),
  flag('msg_1', 'two'),
  { messageId: 'msg_1', kind: 'removed' },
  { messageId: 'msg_1', kind: 'removal_refused', rejection },
  { messageId: 'msg_2', kind: 'removed' },
  { messageId: 'msg_2', kind: 'removal_refused', rejection },
  { messageId: 'msg_0', kind: 'delivered', url: null },
];

/** Contract §3: kind of message, status before and answer, then the status after. Other answers change no status. */
const statusAfterAnswer: Readonly<Record<string, StoreDeliveryStatus>> = {
  'deliver in_progress delivered': 'delivered',
  'deliver in_progress rejected': 'rejected',
  'deliver in_progress action_required': 'action_required',
  'deliver action_required delivered': 'delivered',
  'deliver action_required rejected': 'rejected',
  'takedown takedown_requested removed': 'taken_down',
  'takedown takedown_requested removal_refused': 'delivered',
};

function expectedStatus(
  { status, message, takedownWanted }: StoreDelivery,
  answer: StoreAnswer,
): StoreDeliveryStatus {
  const isApplicable =
    answer.messageId === message.id && ['sending', 'sent'].includes(message.state);
  const to = isApplicable
    ? (statusAfterAnswer[`${message.kind} ${status} ${answer.kind}`] ?? status)
    : status;
  const isDelivered = message.kind === 'deliver' && status !== to && to === 'delivered';
  return isDelivered && takedownWanted ? 'takedown_requested' : to;
}

/** Asserts what is true after each step. */
function checkSteps(
  before: StoreDelivery,
  steps: readonly StoreStep[],
  after: StoreDelivery,
): void {
  assert.ok(after.updatedAt >= before.updatedAt, 'updatedAt never decreases');
  const wasDelivered = steps.some(({ storeDelivery }) => storeDelivery.status === 'delivered');
  assert.equal(after.liveAt !== null, before.liveAt !== null || wasDelivered, 'live_at');
  if (before.liveAt !== null) assert.equal(after.liveAt, before.liveAt, 'live_at is set once');
  if (after.status === 'rejected' || after.status === 'action_required') assert.ok(after.rejection);
  const confirmed = steps.filter(({ type }) => type === 'delivered' || type === 'updated');
  for (const { storeDelivery } of confirmed)
    assert.equal(storeDelivery.rejection, null, 'a confirmed release has no rejection');
  if (steps.length === 0) assert.equal(after, before);
}

type Applied = { readonly steps: readonly StoreStep[]; readonly storeDelivery: StoreDelivery };

function applyAndCheck(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  now: Date,
  takedownId: MessageId,
): Applied {
  const steps = applyAnswer(storeDelivery, answer, now, takedownId);
  const after = steps.at(-1)?.storeDelivery ?? storeDelivery;
  assert.equal(after.status, expectedStatus(storeDelivery, answer));
  checkSteps(storeDelivery, steps, after);
  assert.deepEqual(
    applyAnswer(after, answer, now, 'msg_x'),
    [],
    'the same answer applied twice changes nothing',
  );
  if (storeDelivery.status === 'rejected' || storeDelivery.status === 'taken_down')
    assert.deepEqual(steps, []);
  return { steps, storeDelivery: after };
}

/** The lane claims the message. */
const claimed = (storeDelivery: StoreDelivery): StoreDelivery =>
  storeDelivery.message.state === 'dispatched'
    ? { ...storeDelivery, message: { ...storeDelivery.message, state: 'sending' } }
    : storeDelivery;

/** A queued message is dispatched and claimed at once. */
const dispatchedAndClaimed = (storeDelivery: StoreDelivery): StoreDelivery =>
  claimed(dispatch(storeDelivery, start, start)?.storeDelivery ?? storeDelivery);

describe('contract §3: answers in every order', () => {
  const lengthMax = 5;
  const clock = [3, 7, 5, 9, 2].map(day);
  const reachedStatuses = new Set<string>();
  let appliedCount = 0;

  function applyEverySequence(
    storeDelivery: StoreDelivery,
    effective: ReadonlySet<StoreAnswer>,
    depth: number,
  ): void {
    reachedStatuses.add(storeDelivery.status);
    if (depth === lengthMax) return;
    for (const answer of answers) {
      const { storeDelivery: after } = applyAndCheck(
        storeDelivery,
        answer,
        clock[depth] ?? start,
        'msg_2',
      );
      const hasChanged = after.status !== storeDelivery.status;
      assert.ok(!hasChanged || !effective.has(answer), `${answer.kind} changes the status twice`);
      appliedCount++;
      applyEverySequence(
        dispatchedAndClaimed(after),
        hasChanged ? new Set([...effective, answer]) : effective,
        depth + 1,
      );
    }
  }

  test('up to five answers, also repeated, superseded or impossible, end in the status of the table', () => {
    for (const storeDelivery of starts) applyEverySequence(storeDelivery, new Set(), 0);
    assert.equal(appliedCount, starts.length * (10 + 10 ** 2 + 10 ** 3 + 10 ** 4 + 10 ** 5));
    assert.deepEqual([...reachedStatuses].toSorted(), [
      'action_required',
      'delivered',
      'in_progress',
      'rejected',
      'takedown_requested',
      'taken_down',
    ]);
  });

  test('the first `delivered` or `rejected` decides; later answers change nothing', () => {
    const [inProgress = storeDeliveryWith('in_progress', 'deliver')] = starts;
    const decidingKinds = new Set(['delivered', 'rejected']);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...answers), { maxLength: 30 }), (sequence) => {
        const current = sequence.filter(({ messageId }) => messageId === 'msg_1');
        const first = current.find(({ kind }) => decidingKinds.has(kind));
        const isFlagged = current.some(({ kind }) => kind === 'action_required');
        const end = sequence.reduce(
          (storeDelivery, answer) =>
            applyAndCheck(storeDelivery, answer, start, 'msg_x').storeDelivery,
          inProgress,
        );
        assert.equal(end.status, first?.kind ?? (isFlagged ? 'action_required' : 'in_progress'));
      }),
      { numRuns: 2_000 },
    );
  });
});

const kinds = ['accepted', 'delivered', 'rejected', 'removed', 'removal_refused'] as const;
const randomAnswer = fc.record({
  kind: fc.constantFrom(...kinds, 'action_required' as const),
  /** 0: an answer to the latest message; n: to the n-th message before it. */
  messagesBack: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(4)),
  reason: fc.constantFrom('one', 'two'),
});
const commands = ['dispatch', 'takedown', 'resubmit', 'update', 'refuse'] as const;
type Command = (typeof commands)[number];
const anyAction = fc.oneof(
  { weight: 2, arbitrary: randomAnswer },
  { weight: 1, arbitrary: fc.constantFrom(...commands, 'claim' as const) },
);

function runCommand(
  storeDelivery: StoreDelivery,
  command: Command,
  now: Date,
  messageId: MessageId,
): StoreStep | undefined {
  const content = {
    revision: targetRevision(storeDelivery) + 1,
    territoryCodes: ['SE'],
    messageId,
  };
  const steps: Readonly<Record<Command, () => StoreStep | undefined>> = {
    dispatch: () => dispatch(storeDelivery, now, now),
    takedown: () => requestTakedown(storeDelivery, now, messageId),
    resubmit: () => resubmit(storeDelivery, now, content),
    update: () => requestUpdate(storeDelivery, now, content),
    refuse: () => rejectBeforeSending(storeDelivery, now, rejection),
  };
  return steps[command]();
}

function answerFrom(
  { kind, reason }: { readonly kind: StoreAnswer['kind']; readonly reason: string },
  messageId: MessageId,
): StoreAnswer {
  if (kind === 'delivered') return { messageId, kind, url: null };
  if (kind === 'accepted' || kind === 'removed') return { messageId, kind };
  return { messageId, kind, rejection: { code: 'c', reason } };
}

test('contract §3: with commands in between and times in any order, each answer does what the table says', () => {
  const created = storeDeliveryWith('pending', 'deliver', {
    expectedBy: null,
    message: { id: 'msg_1', kind: 'deliver', state: 'queued', isSentInOrder: false },
  });
  const reachedStatuses = new Set<string>();
  fc.assert(
    fc.property(fc.array(fc.tuple(anyAction, fc.nat(60)), { maxLength: 60 }), (actions) => {
      const ids: MessageId[] = [created.message.id];
      let storeDelivery = created;
      for (const [action, at] of actions) {
        const [before, nextId] = [storeDelivery, `msg_${ids.length + 1}`] as const;
        if (action === 'claim') storeDelivery = claimed(storeDelivery);
        else if (typeof action === 'string') {
          const step = runCommand(storeDelivery, action, day(at), nextId);
          storeDelivery = step?.storeDelivery ?? storeDelivery;
          checkSteps(before, step === undefined ? [] : [step], storeDelivery);
        } else {
          const answer = answerFrom(action, ids.at(-1 - action.messagesBack) ?? 'msg_0');
          ({ storeDelivery } = applyAndCheck(storeDelivery, answer, day(at), nextId));
        }
        if (storeDelivery.message.id !== before.message.id) ids.push(storeDelivery.message.id);
        reachedStatuses.add(storeDelivery.status);
      }
    }),
    { numRuns: 5_000 },
  );
  assert.equal(reachedStatuses.size, 7, 'every status was reached');
});
