/** Takedowns and deadlines in the model of the proofs `deliveries` and `clock`. */

import {
  applyInferred,
  applyStep,
  dispatchSteps,
  dropUnsent,
  isLive,
  mayHaveArrived,
  newMessage,
  type StoreDelivery,
} from './deliveries-model.ts';

/** No lane has claimed the message, or the store rejected it and has nothing: the store need not be asked. */
const applyClosed = (storeDelivery: StoreDelivery, name: 'canceled' | 'closed') =>
  applyStep(storeDelivery, name, {
    ...dropUnsent(storeDelivery),
    status: 'taken_down',
    deadline: null,
    isTakedownRequested: true,
    takenDownBy: 'partner',
  });

export const applyTakedownAsked = (storeDelivery: StoreDelivery): StoreDelivery =>
  applyStep(storeDelivery, 'takedown_requested', {
    ...newMessage,
    status: 'takedown_requested',
    kind: 'takedown',
    update: null,
    reason: null,
    isTakedownRequested: true,
    takenDownBy: null,
  });

const isTakedownWaiting = ({ isTakedownRequested, status }: StoreDelivery): boolean =>
  isTakedownRequested && status !== 'takedown_requested' && status !== 'taken_down';

/** Whether a takedown request applies to the store; the others are skipped. */
export function canTakeDown(storeDelivery: StoreDelivery, takesTakedowns = true): boolean {
  const { status, kind, messageState, mayStillPublish } = storeDelivery;
  if (status === 'takedown_requested' || status === 'taken_down') return false;
  const isUnclaimed = kind === 'deliver' && messageState === 'queued';
  if (!mayStillPublish && (status === 'rejected' || isUnclaimed)) return true;
  if (!takesTakedowns) return false;
  if (!isTakedownWaiting(storeDelivery)) return true;
  return isLive(storeDelivery) && messageState !== 'sending';
}

/** The partner takes the store down, or a takedown that waited for the store's answer becomes possible. */
export function applyTakedown(storeDelivery: StoreDelivery): StoreDelivery {
  const { status, mayStillPublish, kind, messageState } = storeDelivery;
  if (status === 'takedown_requested' || status === 'taken_down') return storeDelivery;
  if (status === 'rejected')
    return mayStillPublish
      ? applyTakedownAsked(storeDelivery)
      : applyClosed(storeDelivery, 'closed');
  // An update that is being sent must not arrive after the takedown.
  if (isLive(storeDelivery))
    return messageState === 'sending'
      ? applyTakedownWanted(storeDelivery)
      : applyTakedownAsked(storeDelivery);
  // The store refused to remove a release that was never live.
  if (kind === 'takedown') return applyTakedownAsked(storeDelivery);
  if (mayHaveArrived(storeDelivery)) return applyTakedownWanted(storeDelivery);
  const dispatched = applyUnknownDispatch(storeDelivery);
  return mayStillPublish ? applyTakedownAsked(dispatched) : applyClosed(dispatched, 'canceled');
}

const applyTakedownWanted = (storeDelivery: StoreDelivery): StoreDelivery =>
  isTakedownWaiting(storeDelivery)
    ? storeDelivery
    : applyStep(storeDelivery, 'takedown_wanted', { isTakedownRequested: true });

/** Whether the message was in the store's lane already is not known; if so, this step is in the timeline. */
export const applyUnknownDispatch = (storeDelivery: StoreDelivery): StoreDelivery =>
  applyStep(storeDelivery, `${dispatchSteps[storeDelivery.kind]}?`, {});

/** After an answer or a deadline: the takedown that waited for it follows. */
export function applyWaitingTakedown(storeDelivery: StoreDelivery): StoreDelivery {
  const { status, kind, update, messageState } = storeDelivery;
  const isUpdateUnderWay = kind === 'update' && update?.status === 'pending';
  const isPossible =
    (isLive(storeDelivery) || status === 'rejected') &&
    !(isUpdateUnderWay && mayHaveArrived(storeDelivery)) &&
    messageState !== 'sending';
  return isPossible && isTakedownWaiting(storeDelivery)
    ? applyTakedown(storeDelivery)
    : storeDelivery;
}

/** A takedown was requested while a message was being sent: the message is not sent again, a takedown replaces it. */
export const applyReplacement = (storeDelivery: StoreDelivery): StoreDelivery =>
  isTakedownWaiting(storeDelivery) && storeDelivery.messageState === 'sending'
    ? applyTakedownAsked(storeDelivery)
    : storeDelivery;

/** Catalogue §1.3: what follows if the store does not answer in time. */
export function applyDeadline(storeDelivery: StoreDelivery): StoreDelivery {
  const { confirmation, kind, isAcknowledged, deadline, messageState } = storeDelivery;
  const isInTime = deadline !== 'ahead' || (confirmation === 'none' && messageState !== 'sent');
  if (isInTime) return storeDelivery;
  const isIngested = confirmation === 'ingest' && kind === 'deliver' && isAcknowledged;
  return confirmation === 'none' || isIngested
    ? applyWaitingTakedown(applyInferred({ ...storeDelivery, deadline: 'passed' }))
    : applyStep(storeDelivery, 'overdue', { deadline: 'passed' });
}
