/** Takedowns of a store delivery (contract §3): requested, cancelled, closed, or waiting for the store's answer. */

import { isUnclaimed, mayHaveArrived, type MessageId } from './message.ts';
import {
  buildStep,
  isLive,
  noDeadline,
  type StoreDelivery,
  type StoreStep,
  type TakedownRequester,
  withMessage,
} from './store-delivery.ts';

/** Undefined if a takedown is already requested, or the release is taken down. */
export function requestTakedown(
  storeDelivery: StoreDelivery,
  now: Date,
  messageId: MessageId,
  by: TakedownRequester,
): StoreStep | undefined {
  const { message, mayStillPublish } = storeDelivery;
  const queue = (isSentInOrder = false) =>
    queueTakedown(storeDelivery, now, { messageId, by, isSentInOrder });
  switch (storeDelivery.status) {
    case 'takedown_requested':
    case 'taken_down':
      return undefined;
    case 'rejected':
      // A message that was dropped may have been in its lane already.
      return mayStillPublish ? queue(message.state === 'dropped') : close(storeDelivery, now, by);
    default:
  }
  if (isLive(storeDelivery)) {
    // An update that is being sent must not arrive after the takedown.
    return message.state === 'sending' ? markTakedownWanted(storeDelivery, now, by) : queue();
  }
  // A second takedown uses the lane of the first.
  if (isTakedownRefused(storeDelivery)) return queue(message.isSentInOrder);
  if (!isUnclaimed(message)) return markTakedownWanted(storeDelivery, now, by);
  return mayStillPublish ? queue() : cancel(storeDelivery, now, by);
}

const markTakedownWanted = (
  storeDelivery: StoreDelivery,
  now: Date,
  by: TakedownRequester,
): StoreStep | undefined =>
  storeDelivery.takedown === null
    ? buildStep(storeDelivery, now, 'takedown_wanted', { takedown: { requestedAt: now, by } })
    : undefined;

/**
 * A takedown was requested during a send whose outcome is unknown. The message is not sent again: a takedown
 * replaces it, in the same lane (`isSentInOrder`), so that it cannot overtake the send.
 */
export function replaceSendWithTakedown(
  storeDelivery: StoreDelivery,
  now: Date,
  messageId: MessageId,
): StoreStep | undefined {
  const { message, takedown } = storeDelivery;
  if (takedown === null || message.state !== 'sending' || message.kind === 'takedown')
    return undefined;
  return queueTakedown(storeDelivery, now, { messageId, by: takedown.by, isSentInOrder: true });
}

/** The store refused to remove a release that was never live: no message is being sent that could arrive later. */
const isTakedownRefused = ({ status, message }: StoreDelivery): boolean =>
  status === 'action_required' && message.kind === 'takedown';

type NewTakedown = {
  readonly messageId: MessageId;
  readonly by: TakedownRequester;
  readonly isSentInOrder: boolean;
};

/** A takedown that waited keeps the time of its request. */
export const queueTakedown = (
  storeDelivery: StoreDelivery,
  now: Date,
  { messageId, by, isSentInOrder }: NewTakedown,
): StoreStep =>
  buildStep(storeDelivery, now, 'takedown_requested', {
    ...withMessage(messageId, 'takedown', isSentInOrder),
    status: 'takedown_requested',
    update: null,
    rejection: null,
    takedown: storeDelivery.takedown ?? { requestedAt: now, by },
    takenDownBy: null,
  });

/** No lane has claimed the message, and none will. */
const cancel = (storeDelivery: StoreDelivery, now: Date, by: TakedownRequester): StoreStep =>
  buildStep(storeDelivery, now, 'canceled', {
    ...noDeadline,
    status: 'taken_down',
    waitingFor: null,
    takedown: { requestedAt: now, by },
    takenDownBy: by,
    message: { ...storeDelivery.message, state: 'dropped' },
  });

/** The store rejected the release and has nothing of it: it need not be asked. */
const close = (storeDelivery: StoreDelivery, now: Date, by: TakedownRequester): StoreStep =>
  buildStep(storeDelivery, now, 'closed', {
    status: 'taken_down',
    takedown: storeDelivery.takedown ?? { requestedAt: now, by },
    takenDownBy: by,
  });

/** A takedown that waited for the store's answer. */
export function takeDownIfWanted(
  storeDelivery: StoreDelivery,
  now: Date,
  takedownId: MessageId,
): StoreStep | undefined {
  const { status, takedown, message } = storeDelivery;
  if (takedown === null || isUpdateUnderWay(storeDelivery) || message.state === 'sending')
    return undefined;
  return isLive(storeDelivery) || status === 'rejected'
    ? requestTakedown(storeDelivery, now, takedownId, takedown.by)
    : undefined;
}

const isUpdateUnderWay = ({ update, message }: StoreDelivery): boolean =>
  message.kind === 'update' && update?.status === 'pending' && mayHaveArrived(message);
