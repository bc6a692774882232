/** Every move in every state a part can be in, against the table of contract §3 written down once more. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AnswerKind, StoreAnswer } from './answer.ts';
import { applyAnswer } from './apply-answer.ts';
import type { MessageId, OutgoingMessage } from './message.ts';
import {
  dispatch,
  markOverdue,
  replaceSendWithTakedown,
  type StoreDeliveryStatus,
  rejectBeforeSending,
  requestTakedown,
  requestUpdate,
  resubmit,
  type StoreStep,
  type StoreDelivery,
  newStoreDelivery,
} from './store-delivery.ts';

const [early, now, late] = ['2027-01-01', '2027-01-02', '2027-01-03'].map(
  (day) => new Date(`${day}T00:00:00Z`),
) as [Date, Date, Date];
const rejection = { code: 'c', reason: 'no' };
const content = { revision: 3, territoryCodes: ['SE'], messageId: 'msg_new' } as const;

type Move = (storeDelivery: StoreDelivery) => readonly StoreStep[];
const one = (step: StoreStep | undefined): readonly StoreStep[] =>
  step === undefined ? [] : [step];

const answer = (kind: AnswerKind, messageId: MessageId = 'msg_1'): StoreAnswer => {
  if (kind === 'delivered') return { messageId, kind, url: 'https://a.example/1' };
  return kind === 'accepted' || kind === 'removed'
    ? { messageId, kind }
    : { messageId, kind, rejection };
};
const answerKinds: readonly AnswerKind[] = [
  'accepted',
  'delivered',
  'rejected',
  'action_required',
  'removed',
  'removal_refused',
];

const answers = answerKinds.map((kind): [string, Move] => [
  kind,
  (storeDelivery) =>
    applyAnswer(storeDelivery, answer(kind, storeDelivery.message.id), now, 'msg_takedown'),
]);
type Command = {
  readonly name: string;
  readonly move: Move;
  /** Where contract §3 says it leads; undefined where it does nothing. */
  readonly to: (storeDelivery: StoreDelivery) => StoreDeliveryStatus | undefined;
};

const takedownTo: Readonly<Partial<Record<StoreDeliveryStatus, StoreDeliveryStatus>>> = {
  delivered: 'takedown_requested',
};
const resubmitTo: typeof takedownTo = { rejected: 'pending', action_required: 'pending' };
const isUndispatched = ({ message }: StoreDelivery): boolean => message.state === 'queued';
/** No lane has begun to send it. */
const isUnclaimed = ({ message }: StoreDelivery): boolean =>
  message.state === 'queued' || message.state === 'dispatched';
const isOnItsWay = ({ status }: StoreDelivery): boolean =>
  status === 'in_progress' || status === 'action_required';

const commands: readonly Command[] = [
  {
    name: 'dispatch',
    move: (storeDelivery) => one(dispatch(storeDelivery, now, late)),
    to: (storeDelivery) => {
      if (!isUndispatched(storeDelivery)) return undefined;
      return storeDelivery.status === 'pending' ? 'in_progress' : storeDelivery.status;
    },
  },
  {
    name: 'takedown',
    move: (part) => one(requestTakedown(part, now, 'msg_new')),
    to: (part) => {
      // What the store has flagged, and may still publish, is asked back even when it is being sent anew.
      const unsent = part.mayStillPublish ? 'takedown_requested' : 'taken_down';
      const wanted = part.takedownWanted ? undefined : part.status;
      // The store was asked before, and refused: it is asked again.
      if (part.message.kind === 'takedown' && part.status === 'action_required')
        return 'takedown_requested';
      if (part.status === 'pending' || isOnItsWay(part)) return isUnclaimed(part) ? unsent : wanted;
      // What is just being sent must not arrive behind the request to remove it.
      if (part.status === 'delivered' && part.message.state === 'sending') return wanted;
      if (part.status === 'rejected')
        return part.mayStillPublish ? 'takedown_requested' : undefined;
      return takedownTo[part.status];
    },
  },
  {
    name: 'give up sending',
    move: (part) => one(replaceSendWithTakedown(part, now, 'msg_new')),
    to: ({ takedownWanted, message }) =>
      takedownWanted && message.state === 'sending' && message.kind !== 'takedown'
        ? 'takedown_requested'
        : undefined,
  },
  {
    name: 'resubmit',
    move: (part) => one(resubmit(part, now, content)),
    to: ({ status }) => resubmitTo[status],
  },
  {
    name: 'update',
    move: (part) => one(requestUpdate(part, now, content)),
    to: ({ status, pendingRevision, takedownWanted }) =>
      status === 'delivered' && !takedownWanted && pendingRevision !== content.revision
        ? status
        : undefined,
  },
  {
    name: 'refuse',
    move: (part) => one(rejectBeforeSending(part, now, rejection)),
    to: (part) => {
      const { kind } = part.message;
      if (!isUndispatched(part) || kind === 'takedown') return undefined;
      return kind === 'deliver' ? 'rejected' : part.status;
    },
  },
  {
    name: 'overdue',
    move: (part) => one(markOverdue(part, now)),
    to: ({ status, expectedBy, isOverdue }) =>
      expectedBy === early && !isOverdue ? status : undefined,
  },
];

const statuses = [
  'pending',
  'in_progress',
  'delivered',
  'rejected',
  'action_required',
  'takedown_requested',
  'taken_down',
] as const satisfies readonly StoreDeliveryStatus[];
const kinds = [
  'deliver',
  'update',
  'takedown',
] as const satisfies readonly OutgoingMessage['kind'][];
const states = [
  'queued',
  'dispatched',
  'sending',
  'sent',
  'dropped',
] as const satisfies readonly OutgoingMessage['state'][];

/** What a store's answer does: the message it is about and the state it finds, then what becomes of it. */
const statusAfterAnswer: Readonly<Record<string, StoreDeliveryStatus>> = {
  'deliver in_progress delivered': 'delivered',
  'deliver in_progress rejected': 'rejected',
  'deliver in_progress action_required': 'action_required',
  'deliver action_required delivered': 'delivered',
  'deliver action_required rejected': 'rejected',
  'deliver action_required action_required': 'action_required',
  'update delivered delivered': 'delivered',
  'update delivered rejected': 'delivered',
  'update delivered action_required': 'delivered',
  'takedown takedown_requested removed': 'taken_down',
  'takedown takedown_requested removal_refused': 'delivered',
};

const storeDeliveryWith = (changes: Partial<StoreDelivery>): StoreDelivery => ({
  ...newStoreDelivery('aurora', { revision: 2, territoryCodes: ['DE'], messageId: 'msg_1' }, early),
  ...changes,
});

/** Every pair of states and message, with every fact a move could look at. */
function* allStoreDeliveries(): Generator<StoreDelivery> {
  const facts = [true, false].flatMap((takedownWanted) =>
    [null, 3].flatMap((pendingRevision) =>
      [null, early, late].flatMap((expectedBy) =>
        [true, false].flatMap((isOverdue) =>
          [true, false].map((mayStillPublish) => ({
            takedownWanted,
            pendingRevision,
            expectedBy,
            isOverdue,
            mayStillPublish,
            liveAt: mayStillPublish ? null : early,
          })),
        ),
      ),
    ),
  );
  for (const status of statuses)
    for (const kind of kinds)
      for (const state of states)
        for (const each of facts)
          yield storeDeliveryWith({
            ...each,
            status,
            message: { id: 'msg_1', kind, state, isSentInOrder: false },
          });
}

const nameOf = ({ status, message }: StoreDelivery): string =>
  `${status} ${message.kind} ${message.state}`;
const statusesOf = (steps: readonly StoreStep[]): readonly string[] =>
  steps.map(({ storeDelivery }) => storeDelivery.status);

function expectedOfAnswer(storeDelivery: StoreDelivery, kind: string): readonly string[] {
  const { message, status, pendingRevision, takedownWanted } = storeDelivery;
  const isWithStore = message.state === 'sending' || message.state === 'sent';
  const said = statusAfterAnswer[`${message.kind} ${status} ${kind}`];
  // What never was out is not out because it is kept.
  const to =
    message.kind === 'takedown' && said === 'delivered' && storeDelivery.mayStillPublish
      ? 'action_required'
      : said;
  if (!isWithStore || to === undefined) return [];
  if (message.kind === 'update' && pendingRevision === null) return [];
  const lands = takedownWanted && to === 'delivered' && message.kind !== 'takedown';
  return lands ? [to, 'takedown_requested'] : [to];
}

describe('contract §3, a store’s part: every pair of states tried', () => {
  test('what each answer does in each state is what the table says', () => {
    let tried = 0;
    for (const part of allStoreDeliveries())
      for (const [kind, move] of answers) {
        const label = `${nameOf(part)} hears ${kind}`;
        assert.deepEqual(statusesOf(move(part)), expectedOfAnswer(part, kind), label);
        const stale = applyAnswer(
          part,
          answer(part.message.kind === 'takedown' ? 'removed' : 'delivered', 'msg_0'),
          now,
          'msg_9',
        );
        assert.deepEqual(stale, [], `${label}, to an earlier message`);
        tried++;
      }
    assert.equal(tried, 7 * 3 * 5 * 48 * 6);
  });

  test('what each command does in each state is what the table says', () => {
    let tried = 0;
    for (const part of allStoreDeliveries())
      for (const { name, move, to } of commands) {
        const expected = [to(part)].filter((status) => status !== undefined);
        assert.deepEqual(statusesOf(move(part)), expected, `${nameOf(part)}: ${name}`);
        tried++;
      }
    assert.equal(tried, 7 * 3 * 5 * 48 * 7);
  });
});

describe('contract §3, an update keeps `delivered`', () => {
  const message = { id: 'msg_1', kind: 'update', state: 'sent', isSentInOrder: false } as const;
  const storeUrl = 'https://a.example/0';
  const part = storeDeliveryWith({
    status: 'delivered',
    pendingRevision: 3,
    pendingTerritoryCodes: ['SE'],
    liveAt: early,
    storeUrl,
    message,
  });
  const hears = (said: StoreAnswer) => applyAnswer(part, said, now, 'msg_9')[0]?.storeDelivery;

  test('and sets `pending_revision` until the store confirms', () => {
    const expected = {
      ...part,
      revision: 3,
      territoryCodes: ['SE'],
      pendingRevision: null,
      pendingTerritoryCodes: null,
      updatedAt: now,
    };
    assert.deepEqual(hears({ messageId: 'msg_1', kind: 'delivered', url: null }), expected);
    const moved = { ...expected, storeUrl: 'https://a.example/1' };
    assert.deepEqual(hears(answer('delivered')), moved);
  });
  test('a store that refuses it keeps what it has', () => {
    const none = { pendingRevision: null, pendingTerritoryCodes: null };
    const flagged = { ...part, rejection, updatedAt: now };
    assert.deepEqual(hears(answer('rejected')), { ...flagged, ...none });
    assert.deepEqual(hears(answer('action_required')), flagged);
  });
});
