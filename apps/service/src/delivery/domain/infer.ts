/**
 * Stores that do not announce availability (catalogue §1.3): what we infer at the deadline, from the store's receipt or
 * from its silence. Other stores are overdue then.
 */

import type { Confirmation } from '../../network/face.ts';
import {
  buildStep,
  isUpdateOpen,
  noDeadline,
  type StoreDelivery,
  type StoreStep,
} from './store-delivery.ts';

/** The deadline of the current message has passed. Undefined if nothing follows. */
export function reachDeadline(
  storeDelivery: StoreDelivery,
  now: Date,
  confirmation: Confirmation,
): StoreStep | undefined {
  const { expectedBy, message } = storeDelivery;
  if (expectedBy === null || expectedBy > now) return undefined;
  if (confirmation === 'none') {
    return message.state === 'sent' ? inferDone(storeDelivery, now) : undefined;
  }
  const isIngested = confirmation === 'ingest' && storeDelivery.acknowledgedAt !== null;
  return isIngested && message.kind === 'deliver'
    ? inferDone(storeDelivery, now)
    : markOverdue(storeDelivery, now);
}

/** A silent store is not overdue; its message is inferred to be done only after it was sent. */
export const waitsForSend = (
  { expectedBy, message }: StoreDelivery,
  now: Date,
  confirmation: Confirmation,
): boolean =>
  confirmation === 'none' && expectedBy !== null && expectedBy <= now && message.state !== 'sent';

/** Once for each message. */
const markOverdue = (storeDelivery: StoreDelivery, now: Date): StoreStep | undefined =>
  storeDelivery.isOverdue
    ? undefined
    : buildStep(storeDelivery, now, 'overdue', { isOverdue: true });

/**
 * What a receipt says at a store that confirms only that: an update or a takedown is done; a release is live, once its
 * deadline has passed. The receipt is already recorded.
 */
export function inferFromReceipt(
  storeDelivery: StoreDelivery,
  now: Date,
  confirmation: Confirmation,
): StoreStep | undefined {
  if (confirmation !== 'ingest') return undefined;
  const { expectedBy, message } = storeDelivery;
  const isDue = message.kind !== 'deliver' || (expectedBy !== null && expectedBy <= now);
  return isDue ? inferDone(storeDelivery, now, 'receipt') : undefined;
}

type InferredFrom = 'receipt' | 'silence';

function inferDone(
  storeDelivery: StoreDelivery,
  now: Date,
  from: InferredFrom = 'silence',
): StoreStep | undefined {
  const { status, update, liveAt, takedown, message } = storeDelivery;
  switch (message.kind) {
    case 'deliver':
      if (status !== 'in_progress') return undefined;
      // `mayStillPublish` stays: silence does not say that this message replaced one that the store flagged.
      return buildStep(storeDelivery, now, 'inferred', {
        ...noDeadline,
        status: 'delivered',
        liveAt: liveAt ?? inferredLiveAt(storeDelivery),
        liveBasis: 'inferred',
        deliveredBy: message.id,
      });
    case 'update':
      // Silence does not resolve a flag of the store.
      if (!isUpdateOpen(storeDelivery) || update === null) return undefined;
      return buildStep(storeDelivery, now, 'inferred', {
        ...noDeadline,
        revision: update.revision,
        deal: update.deal,
        update: null,
        ...(from === 'receipt' && { status: 'delivered', rejection: null }),
      });
    default:
      if (status !== 'takedown_requested') return undefined;
      return buildStep(storeDelivery, now, 'inferred', {
        ...noDeadline,
        status: 'taken_down',
        takenDownBy: takedown?.by ?? 'partner',
      });
  }
}

/** Catalogue §1.3: the deadline, however late it is checked; or the receipt, if it came later. */
const inferredLiveAt = ({ expectedBy, acknowledgedAt }: StoreDelivery): Date | null =>
  expectedBy !== null && acknowledgedAt !== null && acknowledgedAt > expectedBy
    ? acknowledgedAt
    : expectedBy;
