/**
 * A store's part of a delivery (contract §3), and every way it can move:
 *
 *   pending → in_progress → delivered | rejected | action_required
 *   action_required → delivered | rejected            the store's later answer
 *   rejected, action_required → pending               resubmission
 *   delivered → takedown_requested → taken_down       a refused takedown: → delivered
 *   pending, in_progress → taken_down                 taken down before it was sent, and the store has nothing
 *   pending, in_progress, rejected → takedown_requested  … or has an earlier message it has only flagged
 *   in_progress → takedown_requested                  wanted down while it was sent, and perhaps it never left
 *   pending → rejected                                our own review refuses it
 *
 * One message is on its way to a store at a time. `in_progress` begins when it is handed to the store's lane,
 * so that whatever a store answers finds it there; until it has its turn in the lane it can still be
 * cancelled. Only answers to the latest message count, and only where the table above knows a way: a
 * repeated, late or impossible answer moves nothing (apply-answer.ts).
 */

import type { TerritoryCode } from '../../kernel/territory.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import { isUnclaimed, type MessageId, type OutgoingMessage, type Rejection } from './message.ts';

export const storeDeliveryStatuses = [
  'pending',
  'in_progress',
  'delivered',
  'rejected',
  'action_required',
  'takedown_requested',
  'taken_down',
] as const;
export type StoreDeliveryStatus = (typeof storeDeliveryStatuses)[number];

export type StoreDelivery = {
  readonly storeId: string;
  readonly status: StoreDeliveryStatus;
  readonly territoryCodes: readonly TerritoryCode[];
  /** What the store has, or is about to get. */
  readonly revision: number;
  /** Newer than what the store has: an update it has not confirmed. */
  readonly pendingRevision: number | null;
  /** Where it may be sold once that update is confirmed. */
  readonly pendingTerritoryCodes: readonly TerritoryCode[] | null;
  readonly rejection: Rejection | null;
  readonly expectedBy: Date | null;
  readonly isOverdue: boolean;
  readonly liveAt: Date | null;
  readonly storeUrl: string | null;
  /** Asked for while it was on its way: it is taken down as soon as it lands. */
  readonly takedownWanted: boolean;
  /** An earlier message was flagged, then replaced: the store has it still, and may publish it. */
  readonly mayStillPublish: boolean;
  readonly message: OutgoingMessage;
  readonly updatedAt: Date;
};

/** How a part moved, as the timeline tells it. */
export const storeStepTypes = [
  'dispatched',
  'delivered',
  'rejected',
  'action_required',
  'resubmitted',
  'update_requested',
  'update_dispatched',
  'updated',
  'update_refused',
  'update_flagged',
  'takedown_wanted',
  'takedown_requested',
  'takedown_dispatched',
  'takedown_refused',
  'taken_down',
  'canceled',
  'overdue',
] as const;
export type StoreStepType = (typeof storeStepTypes)[number];

export type StoreStep = { readonly type: StoreStepType; readonly storeDelivery: StoreDelivery };

/** What a store is to be sent. */
export type MessageContent = {
  readonly revision: number;
  readonly territoryCodes: readonly TerritoryCode[];
  readonly messageId: MessageId;
};

type Changes = Partial<Omit<StoreDelivery, 'storeId'>>;

export const buildStep = (
  storeDelivery: StoreDelivery,
  now: Date,
  type: StoreStepType,
  changes: Changes,
): StoreStep => ({
  type,
  storeDelivery: { ...storeDelivery, ...changes, updatedAt: nextUpdatedAt(storeDelivery, now) },
});

export const noPendingUpdate = { pendingRevision: null, pendingTerritoryCodes: null } as const;

export const noDeadline = { expectedBy: null, isOverdue: false } as const;

const queuedMessage = (id: MessageId, kind: OutgoingMessage['kind']): OutgoingMessage => ({
  id,
  kind,
  state: 'queued',
  isSentInOrder: false,
});

/** As it is created: nothing of it has left. */
export const newStoreDelivery = (
  storeId: string,
  content: MessageContent,
  now: Date,
): StoreDelivery => ({
  storeId,
  status: 'pending',
  territoryCodes: content.territoryCodes,
  revision: content.revision,
  ...noPendingUpdate,
  rejection: null,
  ...noDeadline,
  liveAt: null,
  storeUrl: null,
  takedownWanted: false,
  mayStillPublish: false,
  message: queuedMessage(content.messageId, 'deliver'),
  updatedAt: now,
});

const dispatchStepTypes = {
  deliver: 'dispatched',
  update: 'update_dispatched',
  takedown: 'takedown_dispatched',
} as const;

/** Its message goes to the store's lane; undefined where no message waits for that. */
export function dispatch(
  storeDelivery: StoreDelivery,
  now: Date,
  expectedBy: Date,
): StoreStep | undefined {
  const { status, message } = storeDelivery;
  if (message.state !== 'queued') return undefined;
  return buildStep(storeDelivery, now, dispatchStepTypes[message.kind], {
    ...(status === 'pending' && { status: 'in_progress' }),
    expectedBy,
    message: { ...message, state: 'dispatched' },
  });
}

/** Undefined where there is nothing to take down, or it is being taken down already. */
export function requestTakedown(
  storeDelivery: StoreDelivery,
  now: Date,
  messageId: MessageId,
): StoreStep | undefined {
  switch (storeDelivery.status) {
    case 'delivered':
      // What is just being sent must not arrive after the request to remove it.
      return storeDelivery.message.state === 'sending'
        ? markTakedownWanted(storeDelivery, now)
        : queueTakedown(storeDelivery, now, messageId);
    case 'rejected':
      return storeDelivery.mayStillPublish
        ? queueTakedown(storeDelivery, now, messageId)
        : undefined;
    case 'pending':
    case 'in_progress':
    case 'action_required':
      // The way the first request went.
      if (isTakedownRefused(storeDelivery))
        return queueTakedown(storeDelivery, now, messageId, storeDelivery.message.isSentInOrder);
      if (!isUnclaimed(storeDelivery.message)) return markTakedownWanted(storeDelivery, now);
      return storeDelivery.mayStillPublish
        ? queueTakedown(storeDelivery, now, messageId)
        : cancel(storeDelivery, now);
    default:
      return undefined;
  }
}

const markTakedownWanted = (storeDelivery: StoreDelivery, now: Date): StoreStep | undefined =>
  storeDelivery.takedownWanted
    ? undefined
    : buildStep(storeDelivery, now, 'takedown_wanted', { takedownWanted: true });

/**
 * It was wanted down while it was being sent, and nobody can say that it has left: it is not sent again, and
 * the store is asked to remove it, behind whatever its lane may still be sending.
 */
export function replaceSendWithTakedown(
  storeDelivery: StoreDelivery,
  now: Date,
  messageId: MessageId,
): StoreStep | undefined {
  const { message, takedownWanted } = storeDelivery;
  if (!takedownWanted || message.state !== 'sending' || message.kind === 'takedown')
    return undefined;
  return queueTakedown(storeDelivery, now, messageId, true);
}

/** What never was out, and the store would not remove: nothing is on its way that could land. */
const isTakedownRefused = ({ status, message }: StoreDelivery): boolean =>
  status === 'action_required' && message.kind === 'takedown';

const queueTakedown = (
  storeDelivery: StoreDelivery,
  now: Date,
  messageId: MessageId,
  isSentInOrder = false,
): StoreStep =>
  buildStep(storeDelivery, now, 'takedown_requested', {
    ...noDeadline,
    ...noPendingUpdate,
    status: 'takedown_requested',
    rejection: null,
    takedownWanted: true,
    message: { ...queuedMessage(messageId, 'takedown'), isSentInOrder },
  });

/** Nobody has begun to send it, and nobody will. */
const cancel = (storeDelivery: StoreDelivery, now: Date): StoreStep =>
  buildStep(storeDelivery, now, 'canceled', {
    ...noDeadline,
    status: 'taken_down',
    message: { ...storeDelivery.message, state: 'dropped' },
  });

export const canResubmit = ({ status }: Pick<StoreDelivery, 'status'>): boolean =>
  status === 'rejected' || status === 'action_required';

/** Undefined where nothing was rejected or flagged. */
export function resubmit(
  storeDelivery: StoreDelivery,
  now: Date,
  { revision, territoryCodes, messageId }: MessageContent,
): StoreStep | undefined {
  if (!canResubmit(storeDelivery)) return undefined;
  return buildStep(storeDelivery, now, 'resubmitted', {
    ...noDeadline,
    status: 'pending',
    revision,
    territoryCodes,
    rejection: null,
    takedownWanted: false,
    mayStillPublish: storeDelivery.mayStillPublish || storeDelivery.status === 'action_required',
    message: queuedMessage(messageId, 'deliver'),
  });
}

/** The newest the store has, or is about to get. */
export const targetRevision = ({ revision, pendingRevision }: StoreDelivery): number =>
  pendingRevision ?? revision;

/** Undefined where the store does not have it, or not for long, or that revision is on its way already. */
export function requestUpdate(
  storeDelivery: StoreDelivery,
  now: Date,
  { revision, territoryCodes, messageId }: MessageContent,
): StoreStep | undefined {
  if (storeDelivery.status !== 'delivered' || storeDelivery.takedownWanted) return undefined;
  if (targetRevision(storeDelivery) >= revision) return undefined;
  return buildStep(storeDelivery, now, 'update_requested', {
    ...noDeadline,
    pendingRevision: revision,
    pendingTerritoryCodes: territoryCodes,
    rejection: null,
    message: queuedMessage(messageId, 'update'),
  });
}

/** Our own review says no: it is not sent. Undefined where nothing waits to be dispatched. */
export function rejectBeforeSending(
  storeDelivery: StoreDelivery,
  now: Date,
  rejection: Rejection,
): StoreStep | undefined {
  if (storeDelivery.message.state !== 'queued' || storeDelivery.message.kind === 'takedown')
    return undefined;
  const message = { ...storeDelivery.message, state: 'dropped' } as const;
  return storeDelivery.message.kind === 'update'
    ? buildStep(storeDelivery, now, 'update_refused', {
        ...noDeadline,
        ...noPendingUpdate,
        rejection,
        message,
      })
    : buildStep(storeDelivery, now, 'rejected', {
        ...noDeadline,
        status: 'rejected',
        rejection,
        message,
      });
}

/** The store's time is up, which is said once for each message. */
export function markOverdue(storeDelivery: StoreDelivery, now: Date): StoreStep | undefined {
  if (
    storeDelivery.isOverdue ||
    storeDelivery.expectedBy === null ||
    storeDelivery.expectedBy > now
  )
    return undefined;
  return buildStep(storeDelivery, now, 'overdue', { isOverdue: true });
}
