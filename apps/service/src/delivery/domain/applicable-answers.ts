/** The sandbox, where partners answer for stores: what an answer names, and which answers would change something. */

import type { Confirmation } from '../../network/face.ts';
import type { AnswerKind, StoreAnswer } from './answer.ts';
import { applyAnswer } from './apply-answer.ts';
import type { MessageId, OutgoingMessage } from './message.ts';
import type { StoreDelivery } from './store-delivery.ts';

export const answerKinds = [
  'acknowledged',
  'delivered',
  'rejected',
  'action_required',
  'removed',
  'removal_refused',
] as const satisfies readonly AnswerKind[];

/** What a store's answer names: its latest message, or only the release. */
export const answerTargets = ['message', 'release'] as const;
export type AnswerTarget = (typeof answerTargets)[number];

/** A receipt, and the refusal of a takedown, answer one message. */
export const canNameRelease = (kind: AnswerKind): boolean =>
  kind !== 'acknowledged' && kind !== 'removal_refused';

/** Without a target: the latest message. A store that announces a release we took down names the release. */
export function namedMessage(
  { status, message }: StoreDelivery,
  kind: AnswerKind,
  target: AnswerTarget | undefined,
): MessageId | null {
  const isUnexpected = status === 'taken_down' && kind === 'delivered';
  return (target ?? (isUnexpected ? 'release' : 'message')) === 'release' ? null : message.id;
}

export type AnswerAttempt = {
  readonly kind: AnswerKind;
  readonly target: AnswerTarget | undefined;
  readonly confirmation: Confirmation;
  readonly now: Date;
};

/** Why an answer changed nothing, and which answers would change something. */
export function explainRefusedAnswer(storeDelivery: StoreDelivery, attempt: AnswerAttempt): string {
  const { storeId, status, message } = storeDelivery;
  const state = `${storeId} is ${status}, and its latest message (${message.kind}) ${messageStates[message.state]}`;
  const applicable = answerKinds.filter((kind) => wouldApply(storeDelivery, { ...attempt, kind }));
  return `The answer ${attempt.kind} changes nothing: ${state}. ${advise(applicable, attempt)}`;
}

const messageStates: Readonly<Record<OutgoingMessage['state'], string>> = {
  queued: 'has not been sent yet',
  dispatched: 'has not been sent yet',
  sending: 'is being sent',
  sent: 'was sent',
  dropped: 'was withdrawn',
};

function advise(applicable: readonly AnswerKind[], { kind }: AnswerAttempt): string {
  if (applicable.length === 0) return 'No answer of the store applies now.';
  // Only a flag is refused because the store repeats it.
  const others = applicable.map((each) =>
    each === kind ? `${each} with another code or reason` : each,
  );
  return `Answers that apply now: ${others.join(', ')}.`;
}

/** No rejection is stored with an empty code: a flag with one is not the repetition of another. */
const unlikeAnyOther = { code: '', reason: '' };

function wouldApply(
  storeDelivery: StoreDelivery,
  { kind, target, confirmation, now }: AnswerAttempt,
): boolean {
  if (target === 'release' && !canNameRelease(kind)) return false;
  const messageId = namedMessage(storeDelivery, kind, target);
  const answer: StoreAnswer =
    kind === 'delivered'
      ? { messageId, kind, url: null }
      : kind === 'acknowledged' || kind === 'removed'
        ? { messageId, kind }
        : { messageId, kind, rejection: unlikeAnyOther };
  const context = { now, confirmation, takedownId: storeDelivery.message.id };
  return applyAnswer(storeDelivery, answer, context).length > 0;
}
