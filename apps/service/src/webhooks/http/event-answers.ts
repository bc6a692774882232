/** How webhook deliveries and attempts are presented, in events and in requests. */

import type { RecordedAttempt } from '../store/attempts.ts';
import type { WebhookDelivery } from '../store/webhook-deliveries.ts';

export const presentWebhookDelivery = ({
  webhookId,
  status,
  attempts,
  nextAttemptAt,
}: WebhookDelivery) => ({
  webhook_id: webhookId,
  delivery_status: status,
  attempts,
  next_attempt_at: nextAttemptAt?.toISOString() ?? null,
});

export const presentAttempt = (attempt: RecordedAttempt) => ({
  id: attempt.id,
  webhook_id: attempt.webhookId,
  number: attempt.earlierAttempts + attempt.number,
  redelivery: attempt.redeliveries > 0,
  status_code: attempt.statusCode,
  failure: attempt.failure,
  response: attempt.response,
  duration_ms: attempt.durationMs,
  next_retry_at: attempt.retryAt?.toISOString() ?? null,
  created_at: attempt.createdAt.toISOString(),
});
