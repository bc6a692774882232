/** Plays what happens to one store delivery, act by act. The messages are numbered 1, 2, 3 … in the order they are made. */

import type { AnswerContent, AnswerKind } from '../../src/delivery/domain/answer.ts';
import { applyAnswer } from '../../src/delivery/domain/apply-answer.ts';
import type { Deal } from '../../src/delivery/domain/deal.ts';
import { reachDeadline } from '../../src/delivery/domain/infer.ts';
import type { MessageId } from '../../src/delivery/domain/message.ts';
import {
  dispatch,
  rejectBeforeSending,
  requestUpdate,
  resubmit,
} from '../../src/delivery/domain/send-again.ts';
import {
  newStoreDelivery,
  type StoreDelivery,
  type StoreStep,
  type StoreStepType,
  targetRevision,
} from '../../src/delivery/domain/store-delivery.ts';
import {
  replaceSendWithTakedown,
  requestTakedown,
  takeDownIfWanted,
} from '../../src/delivery/domain/takedown.ts';
import type { Confirmation } from '../../src/network/face.ts';

export const day = (n: number): Date => new Date(Date.UTC(2027, 0, n));
export const anyDeal: Deal = {
  territoryCodes: ['DE'],
  useTypes: ['download'],
  isWorldwide: false,
  tracks: [],
};

type Said = { readonly content: AnswerContent; readonly to: number | 'release' };

/** The store answers message `to`, or names only the release. */
export function says(kind: AnswerKind, to: number | 'release', reason = 'no'): Said {
  if (kind === 'delivered') return { content: { kind, url: null }, to };
  return kind === 'acknowledged' || kind === 'removed'
    ? { content: { kind }, to }
    : { content: { kind, rejection: { code: 'c', reason } }, to };
}

const plainActs = [
  'dispatch',
  'claim',
  'send',
  'deadline',
  'resubmit',
  'update',
  'takedown',
  'replace the send',
  'reject before sending',
] as const;
type PlainAct = (typeof plainActs)[number];
export type Act = PlainAct | Said;

type Stage = {
  readonly storeDelivery: StoreDelivery;
  readonly now: Date;
  readonly newId: MessageId;
  readonly confirmation: Confirmation;
};

const idOf = (number: number): MessageId => `msg_${String(number).padStart(2, '0')}`;

/** Messages are due ten days after their dispatch. */
const leadDays = 10;

function inLane(storeDelivery: StoreDelivery, state: 'sending' | 'sent'): StoreDelivery {
  const { message } = storeDelivery;
  const isMoving = message.state === 'dispatched' || message.state === 'sending';
  return isMoving ? { ...storeDelivery, message: { ...message, state } } : storeDelivery;
}

function stepsOf(act: PlainAct, { storeDelivery, now, newId, confirmation }: Stage) {
  const content = {
    revision: targetRevision(storeDelivery) + 1,
    deal: anyDeal,
    requestedTerritoryCodes: null,
    messageId: newId,
  };
  const due = new Date(now.getTime() + leadDays * 86_400_000);
  const steps: Readonly<Record<PlainAct, () => readonly (StoreStep | undefined)[]>> = {
    dispatch: () => [dispatch(storeDelivery, now, due)],
    claim: () => [dispatch(storeDelivery, now, due)],
    send: () => [dispatch(storeDelivery, now, due)],
    deadline: () => {
      const step = reachDeadline(storeDelivery, now, confirmation);
      return [step, step && takeDownIfWanted(step.storeDelivery, now, newId)];
    },
    resubmit: () => [resubmit(storeDelivery, now, content)],
    update: () => [requestUpdate(storeDelivery, now, content)],
    takedown: () => [requestTakedown(storeDelivery, now, newId, 'partner')],
    'replace the send': () => [replaceSendWithTakedown(storeDelivery, now, newId)],
    'reject before sending': () => [
      rejectBeforeSending(storeDelivery, now, { code: 'review_rejected', reason: 'no' }),
    ],
  };
  return steps[act]().filter((step) => step !== undefined);
}

function perform(act: Act, stage: Stage): readonly StoreStep[] {
  if (typeof act === 'string') return stepsOf(act, stage);
  const messageId = act.to === 'release' ? null : idOf(act.to);
  const { now, confirmation, newId } = stage;
  return applyAnswer(
    stage.storeDelivery,
    { ...act.content, messageId },
    { now, confirmation, takedownId: newId },
  );
}

/** The day of an act: the day after the one before it, or, for a deadline, a day later than it. */
const dayOf = (act: Act, { expectedBy }: StoreDelivery, today: Date): Date => {
  const base = act === 'deadline' && expectedBy !== null ? expectedBy : today;
  return new Date(base.getTime() + 86_400_000);
};

export type Story = {
  readonly storeDelivery: StoreDelivery;
  /** The types of the steps of each act. */
  readonly acts: readonly (readonly StoreStepType[])[];
};

export function play(confirmation: Confirmation, ...acts: readonly Act[]): Story {
  const content = { revision: 1, deal: anyDeal, requestedTerritoryCodes: null, messageId: idOf(1) };
  let storeDelivery = newStoreDelivery('aurora', content, day(1));
  let [now, messages] = [day(1), 1];
  const played = acts.map((act) => {
    now = dayOf(act, storeDelivery, now);
    const steps = perform(act, { storeDelivery, now, newId: idOf(messages + 1), confirmation });
    const after = steps.at(-1)?.storeDelivery ?? storeDelivery;
    if (after.message.id !== storeDelivery.message.id) messages++;
    storeDelivery = after;
    if (act === 'claim') storeDelivery = inLane(after, 'sending');
    if (act === 'send') storeDelivery = inLane(after, 'sent');
    return steps.map(({ type }) => type);
  });
  return { storeDelivery, acts: played };
}
