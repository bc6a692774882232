/**
 * How a store's answer changes its store delivery (contract §3, catalogue §1.2, §1.3). An answer to the current message
 * is applied by the kind of that message. Every other answer is about the release that the store has: stores flag and
 * remove music months later, and name an earlier message, or only the release.
 */

import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import {
  acknowledge,
  type AnswerContext,
  flag,
  isAboutMessage,
  isAboutRelease,
  takenDown,
  withoutInferredLive,
} from './answer-steps.ts';
import type { StoreAnswer } from './answer.ts';
import { applyToLive } from './apply-to-live.ts';
import { applyAfterTakedown, applyToTakedown } from './apply-to-takedown.ts';
import { inferFromReceipt } from './infer.ts';
import type { Rejection } from './message.ts';
import { buildStep, noDeadline, type StoreDelivery, type StoreStep } from './store-delivery.ts';
import { queueTakedown, takeDownIfWanted } from './takedown.ts';

/** No step, one, or several: an inference or a wanted takedown may follow the answer. */
export function applyAnswer(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  context: AnswerContext,
): readonly StoreStep[] {
  const step = appliers[storeDelivery.status](storeDelivery, answer, context);
  if (step === undefined) return [];
  const first = isAboutMessage(storeDelivery, answer) ? withMessageSent(step) : step;
  return [first, ...followUp(first, answer, context)];
}

/** What an answer implies besides its own step. */
function followUp(
  { type, storeDelivery }: StoreStep,
  answer: StoreAnswer,
  context: AnswerContext,
): readonly StoreStep[] {
  const { now, takedownId } = context;
  if (type === 'unexpectedly_live') {
    const by = storeDelivery.takedown?.by ?? 'partner';
    return [queueTakedown(storeDelivery, now, { messageId: takedownId, by, isSentInOrder: false })];
  }
  const inferred =
    answer.kind === 'acknowledged'
      ? inferFromReceipt(storeDelivery, now, context.confirmation)
      : undefined;
  const takedown = takeDownIfWanted(inferred?.storeDelivery ?? storeDelivery, now, takedownId);
  return [inferred, takedown].filter((step) => step !== undefined);
}

/** A store that answers has the message, even if its lane has not recorded the send yet. */
const withMessageSent = ({ type, storeDelivery }: StoreStep): StoreStep => ({
  type,
  storeDelivery: { ...storeDelivery, message: { ...storeDelivery.message, state: 'sent' } },
});

type Applier = (
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  context: AnswerContext,
) => StoreStep | undefined;

const appliers: Readonly<Record<StoreDelivery['status'], Applier>> = {
  pending: () => undefined,
  in_progress: applyToDeliver,
  delivered: applyToLive,
  action_required: (storeDelivery, answer, context) =>
    storeDelivery.liveAt === null || isUnconfirmed(storeDelivery, answer)
      ? applyToFlagged(storeDelivery, answer, context)
      : applyToLive(storeDelivery, answer, context),
  rejected: applyAfterRejection,
  takedown_requested: applyToTakedown,
  taken_down: applyAfterTakedown,
};

/**
 * The store flagged the resubmission of a release that it has: answers to the message that was replaced do not resolve
 * the flag. What the store removes is the release it has.
 */
const isUnconfirmed = ({ message, deliveredBy }: StoreDelivery, { kind }: StoreAnswer): boolean =>
  message.kind === 'deliver' && message.id !== deliveredBy && kind !== 'removed';

type Announcement = Extract<StoreAnswer, { kind: 'delivered' }>;

function landed(
  storeDelivery: StoreDelivery,
  { messageId, url }: Announcement,
  now: Date,
): StoreStep {
  const { message, deliveredBy } = storeDelivery;
  const carrier = message.kind === 'deliver' ? message.id : (deliveredBy ?? message.id);
  return buildStep(storeDelivery, now, 'delivered', {
    ...noDeadline,
    status: 'delivered',
    rejection: null,
    mayStillPublish: false,
    liveAt: storeDelivery.liveAt ?? nextUpdatedAt(storeDelivery, now),
    liveBasis: 'store',
    storeUrl: url ?? storeDelivery.storeUrl,
    deliveredBy: messageId ?? carrier,
  });
}

/**
 * The store announces what it rejected. If it was sent an update meanwhile, it names the release or its first message.
 * A message that a resubmission replaced does not count.
 */
function applyAfterRejection(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  { now }: AnswerContext,
): StoreStep | undefined {
  if (answer.kind !== 'delivered') return undefined;
  const isAboutIt =
    isAboutMessage(storeDelivery, answer) ||
    (storeDelivery.message.kind !== 'deliver' && isAboutRelease(storeDelivery, answer));
  return isAboutIt ? landed(storeDelivery, answer, now) : undefined;
}

/** Contract §3: a later answer resolves a flag of a release that the store has not announced. */
function applyToFlagged(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  context: AnswerContext,
): StoreStep | undefined {
  if (storeDelivery.message.kind !== 'takedown')
    return applyToDeliver(storeDelivery, answer, context);
  // The store refused to remove it. What it publishes or removes now is news, whichever message it names.
  switch (answer.kind) {
    case 'delivered':
      return landed(storeDelivery, answer, context.now);
    case 'removed':
      return takenDown(storeDelivery, context.now, 'store');
    default:
      return applyToDeliver(storeDelivery, answer, context);
  }
}

/** The current message, which the store has not confirmed. */
function applyToDeliver(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  { now }: AnswerContext,
): StoreStep | undefined {
  if (!isAboutMessage(storeDelivery, answer)) return undefined;
  switch (answer.kind) {
    case 'acknowledged':
      return acknowledge(storeDelivery, now);
    case 'delivered':
      return landed(storeDelivery, answer, now);
    case 'rejected':
      return reject(storeDelivery, answer.rejection, now);
    case 'action_required':
      return flag(storeDelivery, answer.rejection, now);
    default:
      return undefined;
  }
}

const reject = (storeDelivery: StoreDelivery, rejection: Rejection, now: Date): StoreStep =>
  buildStep(storeDelivery, now, 'rejected', {
    ...noDeadline,
    ...withoutInferredLive(storeDelivery),
    status: 'rejected',
    rejection,
  });
