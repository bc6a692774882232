/** The steps that answers of several kinds share, in the model of the proofs `deliveries` and `clock`. */

import {
  applyStep,
  currentMessageId,
  dropUnsent,
  isUpdateOpen,
  type StoreDelivery,
} from './deliveries-model.ts';

export type Answer = {
  /** Null: the store names only the release. */
  readonly messageId: string | null;
  readonly kind:
    | 'acknowledged'
    | 'delivered'
    | 'rejected'
    | 'action_required'
    | 'removed'
    | 'removal_refused';
  readonly reason: string;
};

/** An answer that names only the release is about the message that brings it, not about an update. */
export function isAboutCurrent(storeDelivery: StoreDelivery, { messageId }: Answer): boolean {
  const current = currentMessageId(storeDelivery);
  if (current === undefined) return false;
  return messageId === null ? storeDelivery.kind !== 'update' : messageId === current;
}

/** Messages before the one by which the store got the release were about another one. */
export function isAboutHeld(
  { messageIds, liveMessageId }: StoreDelivery,
  { messageId }: Answer,
): boolean {
  if (messageId === null || liveMessageId === null) return true;
  // The current message, which no lane has claimed yet, is newer than all others.
  return (
    !messageIds.includes(messageId) ||
    messageIds.indexOf(messageId) >= messageIds.indexOf(liveMessageId)
  );
}

/** The store got the release by the message that it names, else by the one that carried the release. */
export const applyDelivered = (
  storeDelivery: StoreDelivery,
  { messageId }: Answer,
): StoreDelivery =>
  applyStep(storeDelivery, 'delivered', {
    status: 'delivered',
    reason: null,
    deadline: null,
    held: storeDelivery.content,
    liveBasis: 'store',
    liveMessageId: messageId ?? carrierOf(storeDelivery),
    mayStillPublish: false,
  });

const carrierOf = (storeDelivery: StoreDelivery): string | null => {
  const current = currentMessageId(storeDelivery) ?? null;
  return storeDelivery.kind === 'deliver' ? current : (storeDelivery.liveMessageId ?? current);
};

export const applyReceipt = (storeDelivery: StoreDelivery): StoreDelivery =>
  storeDelivery.isAcknowledged
    ? storeDelivery
    : applyStep(storeDelivery, 'acknowledged', { isAcknowledged: true });

/** A repeated flag changes nothing. */
export function applyFlag(storeDelivery: StoreDelivery, reason: string): StoreDelivery {
  if (storeDelivery.status === 'action_required' && storeDelivery.reason === reason)
    return storeDelivery;
  return applyStep(storeDelivery, 'action_required', {
    status: 'action_required',
    reason,
    deadline: isUpdateOpen(storeDelivery) ? storeDelivery.deadline : null,
  });
}

/** A rejection after an inferred `delivered`: the release was never live. Else the store may publish it again. */
export function applyRejected(storeDelivery: StoreDelivery, reason: string): StoreDelivery {
  const { liveBasis } = storeDelivery;
  return applyStep(storeDelivery, 'rejected', {
    ...dropUnsent(storeDelivery),
    status: 'rejected',
    reason,
    update: null,
    deadline: null,
    liveBasis: liveBasis === 'inferred' ? null : liveBasis,
    mayStillPublish: storeDelivery.mayStillPublish || liveBasis === 'store',
  });
}

export const applyRemoved = (storeDelivery: StoreDelivery, takenDownBy: 'partner' | 'store') =>
  applyStep(storeDelivery, 'taken_down', {
    ...dropUnsent(storeDelivery),
    status: 'taken_down',
    takenDownBy,
    update: null,
    reason: null,
    deadline: null,
  });
