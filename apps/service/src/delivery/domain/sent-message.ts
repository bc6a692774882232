/**
 * A message to a store as the partner reads it: what was sent, and what came back (contract §4). A message to a store
 * that speaks DDEX has a batch. One to a simulated store has none: nothing was written, so there is only the timeline.
 */

import type { AnswerKind } from './answer.ts';
import type { Batch } from './batch.ts';
import type { MessageId, OutgoingMessage } from './message.ts';
import { purgeDeliveryType } from './purge.ts';
import type { StoreStepType } from './store-delivery.ts';

export const messageTypes = ['new_release', 'redelivery', 'update', 'takedown', 'purge'] as const;
type MessageType = (typeof messageTypes)[number];

export const messageStatuses = [
  'waiting',
  'sending',
  'sent',
  'answered',
  'unanswered',
  'replaced',
  'canceled',
  'invalid',
] as const;
type MessageStatus = (typeof messageStatuses)[number];

/** A step of the timeline that an answer of a store caused. */
export type AnswerStep = {
  readonly answer: AnswerKind;
  readonly at: Date;
  readonly code: string | null;
  readonly reason: string | null;
};

export type SentMessage = {
  readonly id: MessageId;
  readonly kind: OutgoingMessage['kind'];
  /** The release was sent to the store before, in this delivery. */
  readonly isRepeated: boolean;
  /** Null: not in the timeline. */
  readonly revision: number | null;
  readonly dispatchedAt: Date;
  readonly answers: readonly AnswerStep[];
  /** The store does not confirm, and the message is taken as done. */
  readonly isInferred: boolean;
  readonly batch: Batch | undefined;
};

/** In the timeline, a message begins with one of these. */
export const dispatchSteps: ReadonlyMap<string, OutgoingMessage['kind']> = new Map([
  ['dispatched', 'deliver'],
  ['update_dispatched', 'update'],
  ['takedown_dispatched', 'takedown'],
]);

type AnswerSteps = Readonly<Partial<Record<StoreStepType, AnswerKind>>>;

const anyAnswers: AnswerSteps = {
  acknowledged: 'acknowledged',
  action_required: 'action_required',
  taken_down: 'removed',
};

/** By kind: an update that is refused before it has a message leaves its step with the message before. */
export const answerSteps: Readonly<Record<OutgoingMessage['kind'], AnswerSteps>> = {
  deliver: {
    ...anyAnswers,
    delivered: 'delivered',
    rejected: 'rejected',
    unexpectedly_live: 'delivered',
  },
  update: {
    ...anyAnswers,
    updated: 'delivered',
    update_refused: 'rejected',
    update_flagged: 'action_required',
  },
  takedown: { ...anyAnswers, takedown_refused: 'removal_refused' },
};

export function typeOf({ kind, isRepeated, batch }: SentMessage): MessageType {
  if (batch?.deliveryType === purgeDeliveryType) return 'purge';
  if (kind !== 'deliver') return kind;
  return isRepeated ? 'redelivery' : 'new_release';
}

/** `current`: the last message to the store. */
export function statusOf(message: SentMessage, current: OutgoingMessage): MessageStatus {
  const { batch } = message;
  switch (batch?.state) {
    case 'acknowledged':
      return 'answered';
    case 'complete':
      return 'sent';
    case 'timed_out':
      return 'unanswered';
    case 'refused':
      return 'invalid';
    case 'abandoned':
      return 'replaced';
    default:
      return statusWithoutBatch(message, current);
  }
}

const currentStatuses: Readonly<Record<OutgoingMessage['state'], MessageStatus>> = {
  queued: 'waiting',
  dispatched: 'waiting',
  sending: 'sending',
  sent: 'sent',
  dropped: 'canceled',
};

/** Or with one that is open: its manifest is not written. */
function statusWithoutBatch(
  { id, batch, answers, isInferred }: SentMessage,
  current: OutgoingMessage,
): MessageStatus {
  if (batch === undefined && answers.length > 0) return 'answered';
  if (current.id === id) return currentStatuses[current.state];
  return isInferred ? 'sent' : 'replaced';
}
