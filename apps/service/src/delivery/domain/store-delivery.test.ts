/** Applies every command and every answer in every state and compares the result with the table of contract §3. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AnswerKind, StoreAnswer } from './answer.ts';
import { applyAnswer } from './apply-answer.ts';
import type { MessageId, OutgoingMessage } from './message.ts';
import { dispatch, rejectBeforeSending, requestUpdate, resubmit } from './send-again.ts';
import {
  markOverdue,
  type StoreDeliveryStatus,
  type StoreStep,
  type StoreDelivery,
  newStoreDelivery,
} from './store-delivery.ts';
import { replaceSendWithTakedown, requestTakedown } from './takedown.ts';

const [early, now, late] = ['2027-01-01', '2027-01-02', '2027-01-03'].map(
  (day) => new Date(`${day}T00:00:00Z`),
) as [Date, Date, Date];
const rejection = { code: 'c', reason: 'no' };
const content = { revision: 3, territoryCodes: ['SE'], messageId: 'msg_new' } as const;

type Move = (storeDelivery: StoreDelivery) => readonly StoreStep[];
const toSteps = (step: StoreStep | undefined): readonly StoreStep[] =>
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
  /** The status that contract §3 names; undefined where the command does nothing. */
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
    move: (storeDelivery) => toSteps(dispatch(storeDelivery, now, late)),
    to: (storeDelivery) => {
      if (!isUndispatched(storeDelivery)) return undefined;
      return storeDelivery.status === 'pending' ? 'in_progress' : storeDelivery.status;
    },
  },
  {
    name: 'takedown',
    move: (storeDelivery) => toSteps(requestTakedown(storeDelivery, now, 'msg_new')),
    to: (storeDelivery) => {
      // The store may still publish what it flagged: it is asked to remove that, even before the resubmission is sent.
      const ifUnclaimed = storeDelivery.mayStillPublish ? 'takedown_requested' : 'taken_down';
      const ifClaimed = storeDelivery.takedownWanted ? undefined : storeDelivery.status;
      // The store refused an earlier takedown: a new one is sent.
      if (storeDelivery.message.kind === 'takedown' && storeDelivery.status === 'action_required')
        return 'takedown_requested';
      if (storeDelivery.status === 'pending' || isOnItsWay(storeDelivery))
        return isUnclaimed(storeDelivery) ? ifUnclaimed : ifClaimed;
      // The message being sent must not arrive after the takedown.
      if (storeDelivery.status === 'delivered' && storeDelivery.message.state === 'sending')
        return ifClaimed;
      if (storeDelivery.status === 'rejected')
        return storeDelivery.mayStillPublish ? 'takedown_requested' : undefined;
      return takedownTo[storeDelivery.status];
    },
  },
  {
    name: 'replace the send with a takedown',
    move: (storeDelivery) => toSteps(replaceSendWithTakedown(storeDelivery, now, 'msg_new')),
    to: ({ takedownWanted, message }) =>
      takedownWanted && message.state === 'sending' && message.kind !== 'takedown'
        ? 'takedown_requested'
        : undefined,
  },
  {
    name: 'resubmit',
    move: (storeDelivery) => toSteps(resubmit(storeDelivery, now, content)),
    to: ({ status }) => resubmitTo[status],
  },
  {
    name: 'update',
    move: (storeDelivery) => toSteps(requestUpdate(storeDelivery, now, content)),
    to: ({ status, pendingRevision, takedownWanted }) =>
      status === 'delivered' && !takedownWanted && pendingRevision !== content.revision
        ? status
        : undefined,
  },
  {
    name: 'reject before sending',
    move: (storeDelivery) => toSteps(rejectBeforeSending(storeDelivery, now, rejection)),
    to: (storeDelivery) => {
      const { kind } = storeDelivery.message;
      if (!isUndispatched(storeDelivery) || kind === 'takedown') return undefined;
      return kind === 'deliver' ? 'rejected' : storeDelivery.status;
    },
  },
  {
    name: 'overdue',
    move: (storeDelivery) => toSteps(markOverdue(storeDelivery, now)),
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

/** Kind of message, status before and answer, then the status after. */
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

/** Every status with every message, and every combination of the other fields that a rule reads. */
function* allStoreDeliveries(): Generator<StoreDelivery> {
  const otherFields = [true, false].flatMap((takedownWanted) =>
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
        for (const each of otherFields)
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
  const tableStatus = statusAfterAnswer[`${message.kind} ${status} ${kind}`];
  // A release that was never live is not `delivered` when the store refuses to remove it.
  const to =
    message.kind === 'takedown' && tableStatus === 'delivered' && storeDelivery.mayStillPublish
      ? 'action_required'
      : tableStatus;
  if (!isWithStore || to === undefined) return [];
  if (message.kind === 'update' && pendingRevision === null) return [];
  const isTakenDownNext = takedownWanted && to === 'delivered' && message.kind !== 'takedown';
  return isTakenDownNext ? [to, 'takedown_requested'] : [to];
}

describe('contract §3, a store delivery in every state', () => {
  test('each answer does what the table says', () => {
    let tried = 0;
    for (const storeDelivery of allStoreDeliveries())
      for (const [kind, move] of answers) {
        const label = `${nameOf(storeDelivery)} answered ${kind}`;
        assert.deepEqual(
          statusesOf(move(storeDelivery)),
          expectedOfAnswer(storeDelivery, kind),
          label,
        );
        const stale = applyAnswer(
          storeDelivery,
          answer(storeDelivery.message.kind === 'takedown' ? 'removed' : 'delivered', 'msg_0'),
          now,
          'msg_9',
        );
        assert.deepEqual(stale, [], `${label}, to an earlier message`);
        tried++;
      }
    assert.equal(tried, 7 * 3 * 5 * 48 * 6);
  });

  test('each command does what the table says', () => {
    let tried = 0;
    for (const storeDelivery of allStoreDeliveries())
      for (const { name, move, to } of commands) {
        const expected = [to(storeDelivery)].filter((status) => status !== undefined);
        assert.deepEqual(
          statusesOf(move(storeDelivery)),
          expected,
          `${nameOf(storeDelivery)}: ${name}`,
        );
        tried++;
      }
    assert.equal(tried, 7 * 3 * 5 * 48 * 7);
  });
});

describe('contract §3, an update keeps `delivered`', () => {
  const message = { id: 'msg_1', kind: 'update', state: 'sent', isSentInOrder: false } as const;
  const storeUrl = 'https://a.example/0';
  const storeDelivery = storeDeliveryWith({
    status: 'delivered',
    pendingRevision: 3,
    pendingTerritoryCodes: ['SE'],
    liveAt: early,
    storeUrl,
    message,
  });
  const answered = (reply: StoreAnswer) =>
    applyAnswer(storeDelivery, reply, now, 'msg_9')[0]?.storeDelivery;

  test('and sets `pending_revision` until the store confirms', () => {
    const expected = {
      ...storeDelivery,
      revision: 3,
      territoryCodes: ['SE'],
      pendingRevision: null,
      pendingTerritoryCodes: null,
      updatedAt: now,
    };
    assert.deepEqual(answered({ messageId: 'msg_1', kind: 'delivered', url: null }), expected);
    const withNewUrl = { ...expected, storeUrl: 'https://a.example/1' };
    assert.deepEqual(answered(answer('delivered')), withNewUrl);
  });
  test('a store that refuses it keeps what it has', () => {
    const noPendingUpdate = { pendingRevision: null, pendingTerritoryCodes: null };
    const flagged = { ...storeDelivery, rejection, updatedAt: now };
    assert.deepEqual(answered(answer('rejected')), { ...flagged, ...noPendingUpdate });
    assert.deepEqual(answered(answer('action_required')), flagged);
  });
});
