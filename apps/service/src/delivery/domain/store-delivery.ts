/**
 * One store's share of a delivery (contract §3), and every transition of its status:
 *
 *   pending → in_progress → delivered | rejected | action_required
 *   action_required → delivered | rejected            the store's later answer
 *   rejected, action_required → pending               resubmission
 *   delivered → action_required                       the store flags a release it has, also months later
 *   delivered, action_required → taken_down           the store removes a release it has (`takenDownBy: store`)
 *   delivered → rejected                              the store rejects a release that was only inferred to be live
 *   rejected → delivered                              the store announces it after all
 *   delivered → takedown_requested → taken_down       a refused takedown: → delivered
 *   action_required → takedown_requested              a flagged release that is live, or whose takedown was refused
 *   takedown_requested → action_required              a takedown refused before the release was ever live
 *   pending, in_progress → taken_down                 cancelled: no lane had claimed the message
 *   rejected → taken_down                             closed: the store has nothing of the release
 *   pending, in_progress, rejected → takedown_requested  the store may still publish an earlier message it flagged
 *   in_progress → takedown_requested                  takedown during a send that may not have reached the store
 *   taken_down → takedown_requested                   the store announces a release that we took down
 *   taken_down → delivered, action_required           the store refuses a takedown that was only inferred
 *   pending → rejected                                our review rejects the release
 *
 * A store has one current message. `dispatch` sets `in_progress` before the message enters the store's lane, so a
 * fast answer finds that status. Until the lane claims the message, it can be cancelled. The steps of requests are in
 * send-again.ts and takedown.ts, those of answers in apply-answer.ts; infer.ts replaces the answers of stores that do
 * not confirm. Flags and removals count whenever they arrive, other answers only where this table has a transition.
 */

import type { TerritoryCode } from '../../kernel/territory.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { Deal } from './deal.ts';
import type { MessageId, OutgoingMessage, Rejection } from './message.ts';

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

export const updateStatuses = ['pending', 'rejected', 'flagged'] as const;

/** An update that the store has not confirmed. A rejected one stays here until the next update. */
export type StoreUpdate = {
  readonly revision: number;
  /** Replaces the store's deal when the store confirms the update. */
  readonly deal: Deal;
  readonly status: (typeof updateStatuses)[number];
  readonly rejection: Rejection | null;
};

export const takedownRequesters = ['partner', 'operator'] as const;
export type TakedownRequester = (typeof takedownRequesters)[number];

type TakedownRequest = { readonly requestedAt: Date; readonly by: TakedownRequester };

export const waitingReasons = ['review', 'verification', 'store_paused', 'rights_review'] as const;
export type WaitingReason = (typeof waitingReasons)[number];

/** Whether the store said that the release is live, or we infer it from the release date. */
export const liveBases = ['store', 'inferred'] as const;

export type StoreDelivery = {
  readonly storeId: string;
  readonly status: StoreDeliveryStatus;
  /** Why the queued message is not dispatched. */
  readonly waitingFor: WaitingReason | null;
  /** Null: the territories of the delivery. */
  readonly requestedTerritoryCodes: readonly TerritoryCode[] | null;
  readonly deal: Deal;
  /** The revision that the store has, or that its first message carries. */
  readonly revision: number;
  readonly update: StoreUpdate | null;
  readonly rejection: Rejection | null;
  /** The store's receipt of the current message. */
  readonly acknowledgedAt: Date | null;
  readonly expectedBy: Date | null;
  readonly isOverdue: boolean;
  /** When the store first had the release. */
  readonly liveAt: Date | null;
  readonly liveBasis: (typeof liveBases)[number] | null;
  readonly storeUrl: string | null;
  /** The message by which the store got the release: answers to it and to later messages are about that release. */
  readonly deliveredBy: MessageId | null;
  /** A takedown that waits for the store to get the release, is requested from the store, or is done. */
  readonly takedown: TakedownRequest | null;
  readonly takenDownBy: TakedownRequester | 'store' | null;
  /** The store flagged or published an earlier message, which a resubmission replaced: the store may still publish it. */
  readonly mayStillPublish: boolean;
  readonly message: OutgoingMessage;
  readonly updatedAt: Date;
};

/** The types of steps; each step is an entry of the timeline. */
export const storeStepTypes = [
  'waiting',
  'dispatched',
  'acknowledged',
  'delivered',
  'inferred',
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
  'unexpectedly_live',
  'canceled',
  'closed',
  'overdue',
] as const;
export type StoreStepType = (typeof storeStepTypes)[number];

export type StoreStep = { readonly type: StoreStepType; readonly storeDelivery: StoreDelivery };

export type MessageContent = {
  readonly revision: number;
  readonly deal: Deal;
  readonly requestedTerritoryCodes: readonly TerritoryCode[] | null;
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

export const noDeadline = { expectedBy: null, isOverdue: false } as const;

/** A new current message: nothing is known yet about its dispatch, receipt or deadline. */
export const withMessage = (id: MessageId, kind: OutgoingMessage['kind'], isSentInOrder = false) =>
  ({
    ...noDeadline,
    waitingFor: null,
    acknowledgedAt: null,
    message: { id, kind, state: 'queued', isSentInOrder },
  }) as const;

export const newStoreDelivery = (
  storeId: string,
  { revision, deal, requestedTerritoryCodes, messageId }: MessageContent,
  now: Date,
): StoreDelivery => ({
  storeId,
  status: 'pending',
  requestedTerritoryCodes,
  deal,
  revision,
  update: null,
  rejection: null,
  liveAt: null,
  liveBasis: null,
  storeUrl: null,
  deliveredBy: null,
  takedown: null,
  takenDownBy: null,
  mayStillPublish: false,
  ...withMessage(messageId, 'deliver'),
  updatedAt: now,
});

/** The store has not confirmed the update and has not rejected it. */
export const isUpdateOpen = ({ update }: StoreDelivery): boolean =>
  update !== null && update.status !== 'rejected';

/** The revision that an open update brings. */
export const pendingRevisionOf = (storeDelivery: StoreDelivery): number | null =>
  isUpdateOpen(storeDelivery) ? (storeDelivery.update?.revision ?? null) : null;

/** The newest revision that the store has or is being sent. */
export const targetRevision = (storeDelivery: StoreDelivery): number =>
  pendingRevisionOf(storeDelivery) ?? storeDelivery.revision;

/** The deal that belongs to `targetRevision`. */
export const targetDeal = (storeDelivery: StoreDelivery): Deal =>
  isUpdateOpen(storeDelivery) && storeDelivery.update !== null
    ? storeDelivery.update.deal
    : storeDelivery.deal;

/** The store has the release: it is delivered, or was and the store flagged it. */
export const isLive = ({ status, liveAt }: StoreDelivery): boolean =>
  status === 'delivered' || (status === 'action_required' && liveAt !== null);

export const rejectedUpdate = (
  { update }: StoreDelivery,
  rejection: Rejection,
): StoreUpdate | null => update && { ...update, status: 'rejected', rejection };
