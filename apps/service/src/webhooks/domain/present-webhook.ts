/** A webhook on the wire (contract §2), without its secret. */

import type { Ping, Webhook } from './webhook.ts';

export const presentPing = (ping: Ping) => ({
  at: ping.at.toISOString(),
  status_code: ping.statusCode,
  failure: ping.failure,
  duration_ms: ping.durationMs,
});

export const presentWebhook = (webhook: Webhook) => ({
  id: webhook.id,
  url: webhook.url,
  event_type: [...webhook.eventTypes],
  status: webhook.status,
  description: webhook.description,
  secret_hint: webhook.secretHint,
  verified_at: webhook.verifiedAt?.toISOString() ?? null,
  last_ping: webhook.lastPing && presentPing(webhook.lastPing),
  created_at: webhook.createdAt.toISOString(),
  updated_at: webhook.updatedAt.toISOString(),
});
