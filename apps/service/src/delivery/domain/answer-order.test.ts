/**
 * Stores answer when they like, in whatever order, twice, and to messages of long ago. Every sequence of up to
 * five answers is heard, and long random ones with commands in between, each against the table of contract §3.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { StoreAnswer } from './answer.ts';
import { applyAnswer } from './apply-answer.ts';
import type { MessageId, OutgoingMessage } from './message.ts';
import {
  dispatch,
  type StoreDeliveryStatus,
  rejectBeforeSending,
  requestTakedown,
  requestUpdate,
  resubmit,
  targetRevision,
  type StoreStep,
  type StoreDelivery,
  newStoreDelivery,
} from './store-delivery.ts';

const day = (n: number): Date => new Date(Date.UTC(2027, 0, n));
const start = day(1);
const no = { code: 'c', reason: 'no' };

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
/** `msg_2` is the takedown of what was to be taken down as soon as it lands, `msg_0` from before. */
const answers: readonly StoreAnswer[] = [
  { messageId: 'msg_1', kind: 'accepted' },
  { messageId: 'msg_1', kind: 'delivered', url: null },
  { messageId: 'msg_1', kind: 'rejected', rejection: no },
  flag('msg_1', 'one'),
  flag('msg_1', 'two'),
  { messageId: 'msg_1', kind: 'removed' },
  { messageId: 'msg_1', kind: 'removal_refused', rejection: no },
  { messageId: 'msg_2', kind: 'removed' },
  { messageId: 'msg_2', kind: 'removal_refused', rejection: no },
  { messageId: 'msg_0', kind: 'delivered', url: null },
];

/** Contract §3, by kind of message: from, answer, to. Whatever is not here changes no status. */
const table: Readonly<Record<string, StoreDeliveryStatus>> = {
  'deliver in_progress delivered': 'delivered',
  'deliver in_progress rejected': 'rejected',
  'deliver in_progress action_required': 'action_required',
  'deliver action_required delivered': 'delivered',
  'deliver action_required rejected': 'rejected',
  'takedown takedown_requested removed': 'taken_down',
  'takedown takedown_requested removal_refused': 'delivered',
};

function tableSays(
  { status, message, takedownWanted }: StoreDelivery,
  answer: StoreAnswer,
): StoreDeliveryStatus {
  const isHeard = answer.messageId === message.id && ['sending', 'sent'].includes(message.state);
  const to = isHeard ? (table[`${message.kind} ${status} ${answer.kind}`] ?? status) : status;
  const lands = message.kind === 'deliver' && status !== to && to === 'delivered';
  return lands && takedownWanted ? 'takedown_requested' : to;
}

/** What holds of a part after each answer, whatever came before. */
function checkStoreDelivery(
  before: StoreDelivery,
  steps: readonly StoreStep[],
  after: StoreDelivery,
): void {
  assert.ok(after.updatedAt >= before.updatedAt, 'time never goes back');
  const wasDelivered = steps.some(({ storeDelivery }) => storeDelivery.status === 'delivered');
  assert.equal(after.liveAt !== null, before.liveAt !== null || wasDelivered, 'live_at');
  if (before.liveAt !== null) assert.equal(after.liveAt, before.liveAt, 'live_at is set once');
  if (after.status === 'rejected' || after.status === 'action_required') assert.ok(after.rejection);
  const confirmed = steps.filter(({ type }) => type === 'delivered' || type === 'updated');
  for (const { storeDelivery } of confirmed)
    assert.equal(storeDelivery.rejection, null, 'what it has is no issue');
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
  assert.equal(after.status, tableSays(storeDelivery, answer));
  checkStoreDelivery(storeDelivery, steps, after);
  assert.deepEqual(applyAnswer(after, answer, now, 'msg_x'), [], 'the same again moves nothing');
  if (storeDelivery.status === 'rejected' || storeDelivery.status === 'taken_down')
    assert.deepEqual(steps, []);
  return { steps, storeDelivery: after };
}

/** Its turn in the lane. */
const claimed = (storeDelivery: StoreDelivery): StoreDelivery =>
  storeDelivery.message.state === 'dispatched'
    ? { ...storeDelivery, message: { ...storeDelivery.message, state: 'sending' } }
    : storeDelivery;

/** What is to be sent leaves at once. */
const sent = (storeDelivery: StoreDelivery): StoreDelivery =>
  claimed(dispatch(storeDelivery, start, start)?.storeDelivery ?? storeDelivery);

describe('contract §3: every order of answers', () => {
  const lengthMax = 5;
  const clock = [3, 7, 5, 9, 2].map(day);
  const ends = new Set<string>();
  let heard = 0;

  function applyEverySequence(
    storeDelivery: StoreDelivery,
    moved: ReadonlySet<StoreAnswer>,
    depth: number,
  ): void {
    ends.add(storeDelivery.status);
    if (depth === lengthMax) return;
    for (const answer of answers) {
      const { storeDelivery: after } = applyAndCheck(
        storeDelivery,
        answer,
        clock[depth] ?? start,
        'msg_2',
      );
      const hasMoved = after.status !== storeDelivery.status;
      assert.ok(!hasMoved || !moved.has(answer), `${answer.kind} moves it twice`);
      heard++;
      applyEverySequence(sent(after), hasMoved ? new Set([...moved, answer]) : moved, depth + 1);
    }
  }

  test('of up to five, with repeated, superseded and impossible ones, ends where the table says', () => {
    for (const part of starts) applyEverySequence(part, new Set(), 0);
    assert.equal(heard, starts.length * (10 + 10 ** 2 + 10 ** 3 + 10 ** 4 + 10 ** 5));
    assert.deepEqual([...ends].toSorted(), [
      'action_required',
      'delivered',
      'in_progress',
      'rejected',
      'takedown_requested',
      'taken_down',
    ]);
  });

  test('of those that decide, the first one does: whatever comes later moves nothing', () => {
    const [waiting = storeDeliveryWith('in_progress', 'deliver')] = starts;
    const deciding = new Set(['delivered', 'rejected']);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...answers), { maxLength: 30 }), (sequence) => {
        const own = sequence.filter(({ messageId }) => messageId === 'msg_1');
        const first = own.find(({ kind }) => deciding.has(kind));
        const isFlagged = own.some(({ kind }) => kind === 'action_required');
        const end = sequence.reduce(
          (storeDelivery, answer) =>
            applyAndCheck(storeDelivery, answer, start, 'msg_x').storeDelivery,
          waiting,
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
  /** How many messages ago. */
  back: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(4)),
  reason: fc.constantFrom('one', 'two'),
});
const commands = ['dispatch', 'takedown', 'resubmit', 'update', 'refuse'] as const;
type Command = (typeof commands)[number];
const act = fc.oneof(
  { weight: 2, arbitrary: randomAnswer },
  { weight: 1, arbitrary: fc.constantFrom(...commands, 'claim' as const) },
);

function obey(
  storeDelivery: StoreDelivery,
  command: Command,
  now: Date,
  messageId: MessageId,
): StoreStep | undefined {
  const anew = { revision: targetRevision(storeDelivery) + 1, territoryCodes: ['SE'], messageId };
  const moves: Readonly<Record<Command, () => StoreStep | undefined>> = {
    dispatch: () => dispatch(storeDelivery, now, now),
    takedown: () => requestTakedown(storeDelivery, now, messageId),
    resubmit: () => resubmit(storeDelivery, now, anew),
    update: () => requestUpdate(storeDelivery, now, anew),
    refuse: () => rejectBeforeSending(storeDelivery, now, no),
  };
  return moves[command]();
}

function answerFrom(
  { kind, reason }: { readonly kind: StoreAnswer['kind']; readonly reason: string },
  messageId: MessageId,
): StoreAnswer {
  if (kind === 'delivered') return { messageId, kind, url: null };
  if (kind === 'accepted' || kind === 'removed') return { messageId, kind };
  return { messageId, kind, rejection: { code: 'c', reason } };
}

test('contract §3: whatever is asked for in between, and whatever the clock says, the table holds', () => {
  const created = storeDeliveryWith('pending', 'deliver', {
    expectedBy: null,
    message: { id: 'msg_1', kind: 'deliver', state: 'queued', isSentInOrder: false },
  });
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(fc.tuple(act, fc.nat(60)), { maxLength: 60 }), (acts) => {
      const ids: MessageId[] = [created.message.id];
      let part = created;
      for (const [each, at] of acts) {
        const [before, nextId] = [part, `msg_${ids.length + 1}`] as const;
        if (each === 'claim') part = claimed(part);
        else if (typeof each === 'string') {
          const step = obey(part, each, day(at), nextId);
          part = step?.storeDelivery ?? part;
          checkStoreDelivery(before, step === undefined ? [] : [step], part);
        } else {
          const answer = answerFrom(each, ids.at(-1 - each.back) ?? 'msg_0');
          ({ storeDelivery: part } = applyAndCheck(part, answer, day(at), nextId));
        }
        if (part.message.id !== before.message.id) ids.push(part.message.id);
        seen.add(part.status);
      }
    }),
    { numRuns: 5_000 },
  );
  assert.equal(seen.size, 7, 'every state was met');
});
