/** An event as partners see it, in the history and in their receivers (contract §2). */

import type { Environment } from '../../kernel/environment.ts';
import type { EventId } from './attempt.ts';

export type StoredEvent = {
  readonly id: EventId;
  readonly type: string;
  readonly sequence: number;
  readonly createdAt: Date;
  readonly data: unknown;
};

export const presentEvent = (environment: Environment, event: StoredEvent) => ({
  id: event.id,
  type: event.type,
  created_at: event.createdAt.toISOString(),
  api_version: 'v1' as const,
  environment,
  sequence: event.sequence,
  data: event.data,
});

/** A ping is not in the event history, so it has no sequence. */
const outsideSequence = 0;

export const pingEvent = (
  id: EventId,
  createdAt: Date,
  webhook: { readonly id: string; readonly url: string },
): StoredEvent => ({
  id,
  type: 'ping',
  sequence: outsideSequence,
  createdAt,
  data: { webhook_id: webhook.id, url: webhook.url },
});
