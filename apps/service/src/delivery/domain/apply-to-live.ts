/** Answers of a store that has the release: about an update under way, or about the release, whenever they arrive. */

import {
  acknowledge,
  type AnswerContext,
  flag,
  isAboutMessage,
  isAboutRelease,
  isSameRejection,
  takenDown,
  withoutInferredLive,
} from './answer-steps.ts';
import type { StoreAnswer } from './answer.ts';
import { mayHaveArrived, type Rejection } from './message.ts';
import {
  buildStep,
  isUpdateOpen,
  noDeadline,
  rejectedUpdate,
  type StoreDelivery,
  type StoreStep,
} from './store-delivery.ts';

/** The store has the release: it may be delivered, or flagged since. */
export function applyToLive(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  context: AnswerContext,
): StoreStep | undefined {
  if (isAboutUpdate(storeDelivery, answer) && answer.kind !== 'removed') {
    return isUpdateOpen(storeDelivery)
      ? applyToUpdate(storeDelivery, answer, context)
      : applyAfterUpdate(storeDelivery, answer, context);
  }
  return applyToRelease(storeDelivery, answer, context);
}

/** The store answers about the release it has, and about no message under way. */
function applyToRelease(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  { now }: AnswerContext,
): StoreStep | undefined {
  if (!isAboutRelease(storeDelivery, answer)) return undefined;
  switch (answer.kind) {
    case 'acknowledged':
      return isAboutMessage(storeDelivery, answer) ? acknowledge(storeDelivery, now) : undefined;
    case 'delivered':
      return confirmLive(storeDelivery, answer.url, now);
    case 'rejected':
      return rejectLive(storeDelivery, answer.rejection, now);
    case 'action_required':
      return flag(storeDelivery, answer.rejection, now);
    case 'removed':
      return takenDown(storeDelivery, now, 'store');
    default:
      return undefined;
  }
}

const isAboutUpdate = (storeDelivery: StoreDelivery, { messageId }: StoreAnswer): boolean =>
  storeDelivery.message.kind === 'update' &&
  storeDelivery.message.id === messageId &&
  mayHaveArrived(storeDelivery.message);

/** Until the store confirms an update, it offers the revision it has. */
function applyToUpdate(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  { now }: AnswerContext,
): StoreStep | undefined {
  const { update } = storeDelivery;
  if (update === null) return undefined;
  switch (answer.kind) {
    case 'acknowledged':
      return acknowledge(storeDelivery, now);
    case 'delivered':
      return buildStep(storeDelivery, now, 'updated', {
        ...noDeadline,
        status: 'delivered',
        revision: update.revision,
        deal: update.deal,
        update: null,
        rejection: null,
        // The store announces the release with its update.
        liveBasis: 'store',
        mayStillPublish: false,
        storeUrl: answer.url ?? storeDelivery.storeUrl,
      });
    case 'rejected':
      return buildStep(storeDelivery, now, 'update_refused', {
        ...noDeadline,
        update: rejectedUpdate(storeDelivery, answer.rejection),
      });
    case 'action_required':
      if (isSameRejection(update.rejection, answer.rejection)) return undefined;
      return buildStep(storeDelivery, now, 'update_flagged', {
        ...noDeadline,
        update: { ...update, status: 'flagged', rejection: answer.rejection },
      });
    default:
      return undefined;
  }
}

/** The update is settled. A store that does not announce availability may still reject what was inferred to be done. */
function applyAfterUpdate(
  storeDelivery: StoreDelivery,
  answer: StoreAnswer,
  context: AnswerContext,
): StoreStep | undefined {
  const { revision, deal, update } = storeDelivery;
  const wasAnnounced = context.confirmation === 'live' && update === null;
  if (answer.kind !== 'rejected' || wasAnnounced)
    return applyToRelease(storeDelivery, answer, context);
  if (update !== null) return undefined;
  return buildStep(storeDelivery, context.now, 'update_refused', {
    update: { revision, deal, status: 'rejected', rejection: answer.rejection },
  });
}

/** The store resolves its flag, or confirms what was only inferred. */
function confirmLive(
  storeDelivery: StoreDelivery,
  url: string | null,
  now: Date,
): StoreStep | undefined {
  if (storeDelivery.status === 'delivered' && storeDelivery.liveBasis === 'store') return undefined;
  return buildStep(storeDelivery, now, 'delivered', {
    status: 'delivered',
    rejection: null,
    mayStillPublish: false,
    liveBasis: 'store',
    storeUrl: url ?? storeDelivery.storeUrl,
  });
}

/** A flagged release, or one that was only inferred to be live; the store's own word is not withdrawn by a rejection. */
function rejectLive(
  storeDelivery: StoreDelivery,
  rejection: Rejection,
  now: Date,
): StoreStep | undefined {
  const { status, liveBasis, message } = storeDelivery;
  if (status === 'delivered' && liveBasis === 'store') return undefined;
  return buildStep(storeDelivery, now, 'rejected', {
    ...noDeadline,
    status: 'rejected',
    waitingFor: null,
    update: null,
    rejection,
    ...withoutInferredLive(storeDelivery),
    // What was live once may be again: its takedown asks the store.
    mayStillPublish: storeDelivery.mayStillPublish || liveBasis === 'store',
    message: message.state === 'sent' ? message : { ...message, state: 'dropped' },
  });
}
