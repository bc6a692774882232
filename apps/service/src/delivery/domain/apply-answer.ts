/** How a store's answer changes its store delivery (contract §3), by the kind of message it answers. */

import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { StoreAnswer } from './answer.ts';
import type { MessageId, OutgoingMessage, Rejection } from './message.ts';
import {
  noDeadline,
  noPendingUpdate,
  requestTakedown,
  buildStep,
  type StoreStep,
  type StoreDelivery,
} from './store-delivery.ts';

/** No step, one, or two if a wanted takedown follows the answer. */
export function applyAnswer(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  now: Date,
  takedownId: MessageId,
): readonly StoreStep[] {
  const { message } = storeDelivery;
  if (answer.messageId !== message.id) return [];
  if (message.state !== 'sending' && message.state !== 'sent') return [];
  const applied = answerAppliers[message.kind](storeDelivery, answer, now);
  if (applied === undefined) return [];
  const answeredStep = { ...applied, storeDelivery: withMessageSent(applied.storeDelivery) };
  const takedown = answeredStep.storeDelivery.takedownWanted
    ? requestTakedown(answeredStep.storeDelivery, now, takedownId)
    : undefined;
  return answeredStep.storeDelivery.status === 'delivered' && takedown !== undefined
    ? [answeredStep, takedown]
    : [answeredStep];
}

/** A store that answers has the message, even if its lane has not recorded the send yet. */
const withMessageSent = (storeDelivery: StoreDelivery): StoreDelivery => ({
  ...storeDelivery,
  message: { ...storeDelivery.message, state: 'sent' },
});

type AnswerApplier = (
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  now: Date,
) => StoreStep | undefined;

const answerAppliers: Readonly<Record<OutgoingMessage['kind'], AnswerApplier>> = {
  deliver: applyDeliverAnswer,
  update: applyUpdateAnswer,
  takedown: applyTakedownAnswer,
};

function applyDeliverAnswer(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  now: Date,
): StoreStep | undefined {
  if (storeDelivery.status !== 'in_progress' && storeDelivery.status !== 'action_required')
    return undefined;
  switch (answer.kind) {
    case 'delivered':
      return buildStep(storeDelivery, now, 'delivered', {
        ...noDeadline,
        status: 'delivered',
        rejection: null,
        mayStillPublish: false,
        liveAt: nextUpdatedAt(storeDelivery, now),
        storeUrl: answer.url,
      });
    case 'rejected':
      // A store that rejected the release has nothing to take down.
      return buildStep(storeDelivery, now, 'rejected', {
        ...noDeadline,
        status: 'rejected',
        rejection: answer.rejection,
        takedownWanted: false,
      });
    case 'action_required':
      if (
        storeDelivery.status === 'action_required' &&
        hasSameRejection(storeDelivery, answer.rejection)
      )
        return undefined;
      return buildStep(storeDelivery, now, 'action_required', {
        ...noDeadline,
        status: 'action_required',
        rejection: answer.rejection,
      });
    default:
      return undefined;
  }
}

const hasSameRejection = ({ rejection }: StoreDelivery, { code, reason }: Rejection): boolean =>
  rejection?.code === code && rejection.reason === reason;

/** The store stays `delivered`: until it confirms an update, it sells the revision it has. */
function applyUpdateAnswer(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  now: Date,
): StoreStep | undefined {
  const { status, pendingRevision } = storeDelivery;
  if (status !== 'delivered' || pendingRevision === null) return undefined;
  switch (answer.kind) {
    case 'delivered':
      return buildStep(storeDelivery, now, 'updated', {
        ...noDeadline,
        ...noPendingUpdate,
        revision: pendingRevision,
        territoryCodes: storeDelivery.pendingTerritoryCodes ?? storeDelivery.territoryCodes,
        rejection: null,
        storeUrl: answer.url ?? storeDelivery.storeUrl,
      });
    case 'rejected':
      return buildStep(storeDelivery, now, 'update_refused', {
        ...noDeadline,
        ...noPendingUpdate,
        rejection: answer.rejection,
      });
    case 'action_required':
      if (hasSameRejection(storeDelivery, answer.rejection)) return undefined;
      return buildStep(storeDelivery, now, 'update_flagged', {
        ...noDeadline,
        rejection: answer.rejection,
      });
    default:
      return undefined;
  }
}

function applyTakedownAnswer(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  now: Date,
): StoreStep | undefined {
  if (storeDelivery.status !== 'takedown_requested') return undefined;
  switch (answer.kind) {
    case 'removed':
      return buildStep(storeDelivery, now, 'taken_down', {
        ...noDeadline,
        status: 'taken_down',
        rejection: null,
      });
    case 'removal_refused':
      return buildStep(storeDelivery, now, 'takedown_refused', {
        ...noDeadline,
        // A release that was never live does not become `delivered` by a refused takedown.
        status: storeDelivery.liveAt === null ? 'action_required' : 'delivered',
        rejection: answer.rejection,
        takedownWanted: false,
      });
    default:
      return undefined;
  }
}
