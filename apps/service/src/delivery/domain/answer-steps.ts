/** The steps that answers of several kinds share (apply-answer.ts). */

import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { Confirmation } from '../../network/face.ts';
import type { StoreAnswer } from './answer.ts';
import { mayHaveArrived, type MessageId, type Rejection } from './message.ts';
import {
  buildStep,
  isUpdateOpen,
  noDeadline,
  type StoreDelivery,
  type StoreStep,
} from './store-delivery.ts';

export type AnswerContext = {
  readonly now: Date;
  readonly confirmation: Confirmation;
  /** The id of a takedown that may follow. */
  readonly takedownId: MessageId;
};

/** An answer that names only the release is not about its update. */
export const isAboutMessage = ({ message }: StoreDelivery, { messageId }: StoreAnswer): boolean =>
  mayHaveArrived(message) &&
  (messageId === message.id || (messageId === null && message.kind !== 'update'));

/** An answer to a message before the one that brought the release is about another one. */
export const isAboutRelease = (
  { deliveredBy }: StoreDelivery,
  { messageId }: StoreAnswer,
): boolean => messageId === null || deliveredBy === null || messageId >= deliveredBy;

export const acknowledge = (storeDelivery: StoreDelivery, now: Date): StoreStep | undefined =>
  storeDelivery.acknowledgedAt === null
    ? buildStep(storeDelivery, now, 'acknowledged', {
        acknowledgedAt: nextUpdatedAt(storeDelivery, now),
      })
    : undefined;

/** Undefined if the store repeats its flag. */
export function flag(
  storeDelivery: StoreDelivery,
  rejection: Rejection,
  now: Date,
): StoreStep | undefined {
  if (
    storeDelivery.status === 'action_required' &&
    isSameRejection(storeDelivery.rejection, rejection)
  )
    return undefined;
  // The deadline of an update under way stays.
  const deadline = isUpdateOpen(storeDelivery) ? {} : noDeadline;
  return buildStep(storeDelivery, now, 'action_required', {
    ...deadline,
    status: 'action_required',
    rejection,
  });
}

export const isSameRejection = (one: Rejection | null, other: Rejection): boolean =>
  one?.code === other.code && one.reason === other.reason;

/** Catalogue §1.3: a rejected release was not live after all, if that was only inferred. */
export const withoutInferredLive = ({ liveBasis }: StoreDelivery) =>
  liveBasis === 'inferred' ? ({ liveAt: null, liveBasis: null } as const) : {};

/** Nothing is sent (again): an update would publish what the store has removed. */
export function takenDown(
  storeDelivery: StoreDelivery,
  now: Date,
  takenDownBy: NonNullable<StoreDelivery['takenDownBy']>,
): StoreStep {
  const { message } = storeDelivery;
  return buildStep(storeDelivery, now, 'taken_down', {
    ...noDeadline,
    status: 'taken_down',
    waitingFor: null,
    update: null,
    rejection: null,
    takenDownBy,
    message: message.state === 'sent' ? message : { ...message, state: 'dropped' },
  });
}
