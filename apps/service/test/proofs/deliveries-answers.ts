/**
 * The answers of stores in the model of the proofs `deliveries` and `clock`: contract §3 and catalogue §1.2, §1.3 once
 * more.
 */

import {
  type Answer,
  applyDelivered,
  applyFlag,
  applyReceipt,
  applyRejected,
  applyRemoved,
  isAboutCurrent,
  isAboutHeld,
} from './deliveries-answer-steps.ts';
import {
  applyInferred,
  applyStep,
  currentMessageId,
  isLive,
  isUnconfirmed,
  isUpdateOpen,
  markSent,
  type StoreDelivery,
} from './deliveries-model.ts';
import {
  applyTakedownAsked,
  applyUnknownDispatch,
  applyWaitingTakedown,
} from './deliveries-takedowns.ts';

/** An answer that changes nothing returns the same object. */
export function applyAnswer(storeDelivery: StoreDelivery, answer: Answer): StoreDelivery {
  const stepped = applyByStatus(storeDelivery, answer);
  if (stepped === storeDelivery) return storeDelivery;
  // A store that answers a message has it, even if its send is not recorded yet.
  const answered = isAboutCurrent(storeDelivery, answer) ? markSent(stepped) : stepped;
  if (stepped.expectedTimeline.at(-1) === 'unexpectedly_live') return applyTakedownAsked(answered);
  const inferred =
    answer.kind === 'acknowledged' && isConfirmedByReceipt(answered)
      ? applyInferred(answered, true)
      : answered;
  return applyWaitingTakedown(inferred);
}

function applyByStatus(storeDelivery: StoreDelivery, answer: Answer): StoreDelivery {
  switch (storeDelivery.status) {
    case 'pending':
      return storeDelivery;
    case 'in_progress':
      return applyToUnconfirmed(storeDelivery, answer);
    case 'delivered':
      return applyToLive(storeDelivery, answer);
    case 'action_required':
      return applyToFlagged(storeDelivery, answer);
    case 'rejected':
      return applyAfterRejection(storeDelivery, answer);
    case 'takedown_requested':
      return applyToTakedown(storeDelivery, answer);
    default:
      return applyAfterTakedown(storeDelivery, answer);
  }
}

/** The store announces what it rejected; if it was sent an update meanwhile, perhaps with its earlier message. */
function applyAfterRejection(storeDelivery: StoreDelivery, answer: Answer): StoreDelivery {
  const isAboutIt =
    isAboutCurrent(storeDelivery, answer) ||
    (storeDelivery.kind !== 'deliver' && isAboutHeld(storeDelivery, answer));
  return answer.kind === 'delivered' && isAboutIt
    ? applyDelivered(storeDelivery, answer)
    : storeDelivery;
}

/** Catalogue §1.3: `ingest` confirms updates and takedowns by the receipt, and a release once its deadline passed. */
function isConfirmedByReceipt(storeDelivery: StoreDelivery): boolean {
  const { confirmation, kind, status, deadline } = storeDelivery;
  if (confirmation !== 'ingest') return false;
  if (kind === 'takedown') return status === 'takedown_requested';
  if (kind === 'update') return isUpdateOpen(storeDelivery);
  return status === 'in_progress' && deadline === 'passed';
}

/** The first message, or a resubmission, that the store has not confirmed. */
function applyToUnconfirmed(storeDelivery: StoreDelivery, answer: Answer): StoreDelivery {
  if (!isAboutCurrent(storeDelivery, answer)) return storeDelivery;
  switch (answer.kind) {
    case 'acknowledged':
      return applyReceipt(storeDelivery);
    case 'delivered':
      return applyDelivered(storeDelivery, answer);
    case 'rejected':
      return applyRejected(storeDelivery, answer.reason);
    case 'action_required':
      return applyFlag(storeDelivery, answer.reason);
    default:
      return storeDelivery;
  }
}

/** A store that flags a resubmission may still remove what it had before. */
function applyToFlagged(storeDelivery: StoreDelivery, answer: Answer): StoreDelivery {
  if (!isLive(storeDelivery)) {
    return storeDelivery.kind === 'takedown'
      ? applyAfterRefusedTakedown(storeDelivery, answer)
      : applyToUnconfirmed(storeDelivery, answer);
  }
  return isUnconfirmed(storeDelivery) && answer.kind !== 'removed'
    ? applyToUnconfirmed(storeDelivery, answer)
    : applyToLive(storeDelivery, answer);
}

/** The store never announced what it refused to remove: what it publishes or removes now is news. */
function applyAfterRefusedTakedown(storeDelivery: StoreDelivery, answer: Answer): StoreDelivery {
  if (answer.kind === 'removed') return applyRemoved(storeDelivery, 'store');
  if (answer.kind === 'delivered') return applyDelivered(storeDelivery, answer);
  return applyToUnconfirmed(storeDelivery, answer);
}

function applyToLive(storeDelivery: StoreDelivery, answer: Answer): StoreDelivery {
  const isAboutUpdate =
    storeDelivery.kind === 'update' && answer.messageId === currentMessageId(storeDelivery);
  if (!isAboutUpdate || answer.kind === 'removed') return applyToHeld(storeDelivery, answer);
  if (isUpdateOpen(storeDelivery)) return applyToUpdate(storeDelivery, answer);
  const isAnnounced = storeDelivery.confirmation === 'live' && storeDelivery.update === null;
  return answer.kind === 'rejected' && !isAnnounced
    ? rejectInferredUpdate(storeDelivery, answer.reason)
    : applyToHeld(storeDelivery, answer);
}

/** Flags and removals count whenever they arrive; the store's own `delivered` is not withdrawn by a rejection. */
function applyToHeld(storeDelivery: StoreDelivery, answer: Answer): StoreDelivery {
  if (!isAboutHeld(storeDelivery, answer)) return storeDelivery;
  const isCertain = storeDelivery.status === 'delivered' && storeDelivery.liveBasis === 'store';
  switch (answer.kind) {
    case 'acknowledged':
      return isAboutCurrent(storeDelivery, answer) ? applyReceipt(storeDelivery) : storeDelivery;
    case 'delivered':
      return isCertain ? storeDelivery : confirmHeld(storeDelivery);
    case 'rejected':
      return isCertain ? storeDelivery : applyRejected(storeDelivery, answer.reason);
    case 'action_required':
      return applyFlag(storeDelivery, answer.reason);
    case 'removed':
      return applyRemoved(storeDelivery, 'store');
    default:
      return storeDelivery;
  }
}

const confirmHeld = (storeDelivery: StoreDelivery): StoreDelivery =>
  applyStep(storeDelivery, 'delivered', {
    status: 'delivered',
    reason: null,
    liveBasis: 'store',
    mayStillPublish: false,
    deadline: isUpdateOpen(storeDelivery) ? storeDelivery.deadline : null,
  });

function applyToUpdate(storeDelivery: StoreDelivery, { kind, reason }: Answer): StoreDelivery {
  const { update } = storeDelivery;
  if (update === null) return storeDelivery;
  const { revision, territories } = update;
  switch (kind) {
    case 'acknowledged':
      return applyReceipt(storeDelivery);
    case 'delivered':
      return applyStep(storeDelivery, 'updated', {
        status: 'delivered',
        content: { revision, territories },
        held: { revision, territories },
        liveBasis: 'store',
        update: null,
        reason: null,
        deadline: null,
      });
    case 'rejected':
      return applyStep(storeDelivery, 'update_refused', {
        update: { ...update, status: 'rejected', reason },
        deadline: null,
      });
    case 'action_required':
      if (update.reason === reason) return storeDelivery;
      return applyStep(storeDelivery, 'update_flagged', {
        update: { ...update, status: 'flagged', reason },
        deadline: null,
      });
    default:
      return storeDelivery;
  }
}

/** ADR 0021: a rejection of an update that was inferred to be done shows in `update`. */
function rejectInferredUpdate(storeDelivery: StoreDelivery, reason: string): StoreDelivery {
  const { update, content } = storeDelivery;
  if (update !== null) return storeDelivery;
  return applyStep(storeDelivery, 'update_refused', {
    update: { ...content, status: 'rejected', reason },
  });
}

/** A flag changes nothing; a removal is the takedown, whatever message the store names. */
function applyToTakedown(storeDelivery: StoreDelivery, answer: Answer): StoreDelivery {
  if (answer.kind === 'removed') {
    if (!isAboutHeld(storeDelivery, answer)) return storeDelivery;
    const isClaimed = storeDelivery.messageState !== 'queued';
    return applyRemoved(isClaimed ? storeDelivery : applyUnknownDispatch(storeDelivery), 'partner');
  }
  if (!isAboutCurrent(storeDelivery, answer)) return storeDelivery;
  if (answer.kind === 'acknowledged') return applyReceipt(storeDelivery);
  return answer.kind === 'removal_refused'
    ? applyRefusedTakedown(storeDelivery, answer.reason)
    : storeDelivery;
}

/**
 * A release that was never live does not become `delivered` because the store refuses to remove it. A store that
 * becomes `delivered` has what it was sent last.
 */
const applyRefusedTakedown = (storeDelivery: StoreDelivery, reason: string): StoreDelivery =>
  applyStep(storeDelivery, 'takedown_refused', {
    status: storeDelivery.liveBasis === null ? 'action_required' : 'delivered',
    held: storeDelivery.liveBasis === null ? null : storeDelivery.content,
    reason,
    deadline: null,
    isTakedownRequested: false,
    takenDownBy: null,
  });

/**
 * A store that announces what is taken down is asked again, unless it repeats its first announcement. One that does not
 * confirm takedowns may refuse one that was inferred.
 */
function applyAfterTakedown(storeDelivery: StoreDelivery, answer: Answer): StoreDelivery {
  const { kind, confirmation, takenDownBy } = storeDelivery;
  const { messageId } = answer;
  const isToTakedown =
    kind === 'takedown' &&
    storeDelivery.messageState !== 'canceled' &&
    messageId === storeDelivery.messageIds.at(-1);
  if (answer.kind === 'removal_refused' && isToTakedown) {
    const wasInferred = storeDelivery.messageState === 'sent' && takenDownBy !== 'store';
    return confirmation !== 'live' && wasInferred
      ? applyRefusedTakedown(storeDelivery, answer.reason)
      : storeDelivery;
  }
  if (answer.kind !== 'delivered' || isToTakedown || !isNews(storeDelivery, answer))
    return storeDelivery;
  const live = {
    isTakedownRequested: true,
    liveBasis: 'store',
    liveMessageId:
      messageId ?? storeDelivery.liveMessageId ?? storeDelivery.messageIds.at(-1) ?? null,
  } as const;
  return applyStep(storeDelivery, 'unexpectedly_live', live);
}

/** What was never sent cannot be announced. */
function isNews(
  { liveBasis, liveMessageId, messageIds }: StoreDelivery,
  { messageId }: Answer,
): boolean {
  if (messageIds.length === 0) return false;
  return (
    messageId === null ||
    liveBasis !== 'store' ||
    liveMessageId === null ||
    messageIds.indexOf(messageId) > messageIds.indexOf(liveMessageId)
  );
}
