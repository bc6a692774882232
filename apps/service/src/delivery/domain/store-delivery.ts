/**
 * One store's share of a delivery (contract §3), and every transition of its status:
 *
 *   pending → in_progress → delivered | rejected | action_required
 *   action_required → delivered | rejected            a later answer to the same message
 *   rejected, action_required → pending               resubmission
 *   delivered → takedown_requested → taken_down       a refused takedown: → delivered
 *   takedown_requested ↔ action_required              a takedown refused before the release was ever live
 *   pending, in_progress → taken_down                 cancelled: no lane had claimed the message
 *   pending, in_progress, rejected → takedown_requested  the store may still publish an earlier message it flagged
 *   in_progress → takedown_requested                  takedown during a send that may not have reached the store
 *   pending → rejected                                our review rejects the release
 *
 * A store has one current message. `dispatch` sets `in_progress` before the message enters the store's lane, so a
 * fast answer finds that status. Until the lane claims the message, it can be cancelled. Only answers to the
 * current message count, and only where this table has a transition: other answers change nothing (apply-answer.ts).
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
  /** The revision that the store has, or that its first message carries. */
  readonly revision: number;
  /** The revision of an update that the store has not confirmed. */
  readonly pendingRevision: number | null;
  /** Replaces `territoryCodes` when the store confirms that update. */
  readonly pendingTerritoryCodes: readonly TerritoryCode[] | null;
  readonly rejection: Rejection | null;
  readonly expectedBy: Date | null;
  readonly isOverdue: boolean;
  readonly liveAt: Date | null;
  readonly storeUrl: string | null;
  /** A takedown was requested while the message was being sent: it follows when the store answers `delivered`. */
  readonly takedownWanted: boolean;
  /** The store flagged an earlier message, which a resubmission replaced: the store may still publish it. */
  readonly mayStillPublish: boolean;
  readonly message: OutgoingMessage;
  readonly updatedAt: Date;
};

/** The types of steps; each step is an entry of the timeline. */
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
    expectedBy,
    message: { ...message, state: 'dispatched' },
  });
}

/** Undefined if the store has nothing to take down, or a takedown is already requested. */
export function requestTakedown(
  storeDelivery: StoreDelivery,
  now: Date,
  messageId: MessageId,
): StoreStep | undefined {
  switch (storeDelivery.status) {
    case 'delivered':
      // An update that is being sent must not arrive after the takedown.
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
      // A second takedown uses the lane of the first.
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
 * A takedown was requested during a send whose outcome is unknown. The message is not sent again: a takedown
 * replaces it, in the same lane (`isSentInOrder`), so that it cannot overtake the send.
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

/** The store refused to remove a release that was never live: no message is being sent that could arrive later. */
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

/** No lane has claimed the message, and none will. */
const cancel = (storeDelivery: StoreDelivery, now: Date): StoreStep =>
  buildStep(storeDelivery, now, 'canceled', {
    ...noDeadline,
    status: 'taken_down',
    message: { ...storeDelivery.message, state: 'dropped' },
  });

export const canResubmit = ({ status }: Pick<StoreDelivery, 'status'>): boolean =>
  status === 'rejected' || status === 'action_required';

/** Undefined unless the store rejected or flagged the release. */
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

/** The newest revision that the store has or is being sent. */
export const targetRevision = ({ revision, pendingRevision }: StoreDelivery): number =>
  pendingRevision ?? revision;

/** Undefined if the store does not have the release, a takedown is wanted, or it has or gets this revision already. */
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

/** Our review, a store's rules or a legal hold rejects it. Undefined if no message waits for its dispatch. */
export function rejectBeforeSending(
  storeDelivery: StoreDelivery,
  now: Date,
  rejection: Rejection,
): StoreStep | undefined {
  const { kind, state } = storeDelivery.message;
  if (state !== 'queued' || kind === 'takedown') return undefined;
  const message = { ...storeDelivery.message, state: 'dropped' } as const;
  const changes = { ...noDeadline, rejection, message };
  return kind === 'update'
    ? buildStep(storeDelivery, now, 'update_refused', { ...changes, ...noPendingUpdate })
    : buildStep(storeDelivery, now, 'rejected', { ...changes, status: 'rejected' });
}

/** Once for each message: its deadline has passed without an answer. */
export function markOverdue(storeDelivery: StoreDelivery, now: Date): StoreStep | undefined {
  const { isOverdue, expectedBy } = storeDelivery;
  if (isOverdue || expectedBy === null || expectedBy > now) return undefined;
  return buildStep(storeDelivery, now, 'overdue', { isOverdue: true });
}
