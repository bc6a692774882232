/** The dispatch of messages, and the requests that replace the current message: resubmission and update. */

import { isSameDeal } from './deal.ts';
import type { Rejection } from './message.ts';
import {
  buildStep,
  type MessageContent,
  noDeadline,
  rejectedUpdate,
  type StoreDelivery,
  type StoreStep,
  targetDeal,
  targetRevision,
  type WaitingReason,
  withMessage,
} from './store-delivery.ts';

const dispatchStepTypes = {
  deliver: 'dispatched',
  update: 'update_dispatched',
  takedown: 'takedown_dispatched',
} as const;

/** Marks the message as being in its store's lane; undefined if it is not queued. */
export function dispatch(
  storeDelivery: StoreDelivery,
  now: Date,
  expectedBy: Date,
): StoreStep | undefined {
  const { status, message } = storeDelivery;
  if (message.state !== 'queued') return undefined;
  return buildStep(storeDelivery, now, dispatchStepTypes[message.kind], {
    ...(status === 'pending' && { status: 'in_progress' }),
    waitingFor: null,
    expectedBy,
    message: { ...message, state: 'dispatched' },
  });
}

/** Undefined if the message is not queued, or already waits for this. */
export function wait(
  storeDelivery: StoreDelivery,
  now: Date,
  waitingFor: WaitingReason,
): StoreStep | undefined {
  const { message, waitingFor: before } = storeDelivery;
  if (message.state !== 'queued' || before === waitingFor) return undefined;
  return buildStep(storeDelivery, now, 'waiting', { waitingFor });
}

export const canResubmit = ({ status }: Pick<StoreDelivery, 'status'>): boolean =>
  status === 'rejected' || status === 'action_required';

/** Undefined unless the store rejected or flagged the release. */
export function resubmit(
  storeDelivery: StoreDelivery,
  now: Date,
  { revision, deal, requestedTerritoryCodes, messageId }: MessageContent,
): StoreStep | undefined {
  if (!canResubmit(storeDelivery)) return undefined;
  return buildStep(storeDelivery, now, 'resubmitted', {
    ...withMessage(messageId, 'deliver'),
    status: 'pending',
    revision,
    deal,
    requestedTerritoryCodes,
    update: null,
    rejection: null,
    takedown: null,
    mayStillPublish: storeDelivery.mayStillPublish || storeDelivery.status === 'action_required',
  });
}

/** Undefined if the store does not have the release, a takedown is wanted, or it has or gets the same already. */
export function requestUpdate(
  storeDelivery: StoreDelivery,
  now: Date,
  { revision, deal, requestedTerritoryCodes, messageId }: MessageContent,
): StoreStep | undefined {
  if (storeDelivery.status !== 'delivered' || storeDelivery.takedown !== null) return undefined;
  const isSame =
    targetRevision(storeDelivery) === revision && isSameDeal(targetDeal(storeDelivery), deal);
  if (targetRevision(storeDelivery) > revision) return undefined;
  if (isSame && storeDelivery.update?.status !== 'rejected') return undefined;
  return buildStep(storeDelivery, now, 'update_requested', {
    ...withMessage(messageId, 'update'),
    requestedTerritoryCodes,
    update: { revision, deal, status: 'pending', rejection: null },
    rejection: null,
  });
}

/** The update is not sent: it is rejected before it has a message (catalogue §1.5). */
export const refuseUpdateRequest = (
  storeDelivery: StoreDelivery,
  now: Date,
  { revision, deal }: Pick<MessageContent, 'revision' | 'deal'>,
  rejection: Rejection,
): StoreStep =>
  buildStep(storeDelivery, now, 'update_refused', {
    update: { revision, deal, status: 'rejected', rejection },
  });

/** Our review, a store's rules or a legal hold rejects it. Undefined if no message waits for its dispatch. */
export function rejectBeforeSending(
  storeDelivery: StoreDelivery,
  now: Date,
  rejection: Rejection,
): StoreStep | undefined {
  const { kind, state } = storeDelivery.message;
  if (state !== 'queued' || kind === 'takedown') return undefined;
  const message = { ...storeDelivery.message, state: 'dropped' } as const;
  const changes = { ...noDeadline, waitingFor: null, message };
  return kind === 'update'
    ? buildStep(storeDelivery, now, 'update_refused', {
        ...changes,
        update: rejectedUpdate(storeDelivery, rejection),
      })
    : buildStep(storeDelivery, now, 'rejected', { ...changes, status: 'rejected', rejection });
}
