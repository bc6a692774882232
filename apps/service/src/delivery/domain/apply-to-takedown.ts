/** Answers of a store that is asked to take a release down, or has done so. */

import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import {
  acknowledge,
  type AnswerContext,
  isAboutMessage,
  isAboutRelease,
  takenDown,
} from './answer-steps.ts';
import type { StoreAnswer } from './answer.ts';
import { mayHaveArrived, type MessageId, type Rejection } from './message.ts';
import { buildStep, noDeadline, type StoreDelivery, type StoreStep } from './store-delivery.ts';

export function applyToTakedown(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  { now }: AnswerContext,
): StoreStep | undefined {
  // Also if the store names an earlier message, by which it had the release: the release is gone.
  if (answer.kind === 'removed')
    return isAboutRelease(storeDelivery, answer)
      ? takenDown(storeDelivery, now, storeDelivery.takedown?.by ?? 'partner')
      : undefined;
  if (!isAboutMessage(storeDelivery, answer)) return undefined;
  switch (answer.kind) {
    case 'acknowledged':
      return acknowledge(storeDelivery, now);
    case 'removal_refused':
      return takedownRefused(storeDelivery, answer.rejection, now);
    default:
      return undefined;
  }
}

const takedownRefused = (
  storeDelivery: StoreDelivery,
  rejection: Rejection,
  now: Date,
): StoreStep =>
  buildStep(storeDelivery, now, 'takedown_refused', {
    ...noDeadline,
    // A release that was never live does not become `delivered` by a refused takedown.
    status: storeDelivery.liveAt === null ? 'action_required' : 'delivered',
    rejection,
    takedown: null,
    takenDownBy: null,
  });

/** The store has what we hold as taken down: it announces the release, or refuses a takedown that was inferred. */
export function applyAfterTakedown(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  { now, confirmation }: AnswerContext,
): StoreStep | undefined {
  const { message, takenDownBy } = storeDelivery;
  const isToTakedown = message.kind === 'takedown' && answer.messageId === message.id;
  if (answer.kind === 'delivered' && !isToTakedown)
    return isNews(storeDelivery, answer)
      ? unexpectedlyLive(storeDelivery, answer.messageId, now)
      : undefined;
  if (answer.kind !== 'removal_refused' || !isToTakedown) return undefined;
  const wasInferred =
    confirmation !== 'live' && takenDownBy !== 'store' && message.state === 'sent';
  return wasInferred ? takedownRefused(storeDelivery, answer.rejection, now) : undefined;
}

/** Not what the store announced before the takedown, repeated. What was never sent cannot be announced. */
function isNews(
  { message, liveBasis, deliveredBy }: StoreDelivery,
  { messageId }: StoreAnswer,
): boolean {
  const isRepeated =
    liveBasis === 'store' && messageId !== null && deliveredBy !== null && messageId <= deliveredBy;
  const isEarlier = messageId !== null && messageId !== message.id;
  const wasSent =
    isEarlier || deliveredBy !== null || message.kind === 'takedown' || mayHaveArrived(message);
  return wasSent && !isRepeated;
}

/** A new takedown follows (apply-answer.ts). */
function unexpectedlyLive(
  storeDelivery: StoreDelivery,
  messageId: MessageId | null,
  now: Date,
): StoreStep {
  const { message, takedown, liveAt, deliveredBy } = storeDelivery;
  return buildStep(storeDelivery, now, 'unexpectedly_live', {
    takedown: { requestedAt: now, by: takedown?.by ?? 'partner' },
    liveAt: liveAt ?? nextUpdatedAt(storeDelivery, now),
    liveBasis: 'store',
    deliveredBy: messageId ?? deliveredBy ?? message.id,
  });
}
