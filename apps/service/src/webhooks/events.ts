/** What webhooks announce (contract §6), and what they ask of the engine. */
import { type OrgId, toUuid } from '../kernel/ids.ts';
import { subjectOf } from '../platform/engine/lanes.ts';
import type { Message } from '../platform/engine/outbox.ts';
import { type ChangelogEntry, presentEntry } from './domain/changelog.ts';
import { presentWebhook } from './domain/webhook-resource.ts';
import type { Webhook, WebhookId } from './domain/webhook.ts';

export const webhookDisabled = (webhook: Webhook) => ({
  type: 'webhook.disabled',
  data: presentWebhook(webhook),
});

export const changelogPublished = (entry: ChangelogEntry) => ({
  type: 'api.changelog.published',
  data: presentEntry(entry),
});

/** The sequencer names it too (0016_webhooks.sql). */
export const fanOutService = 'webhook-fanouts';
export const webhookLaneService = 'webhook-lanes';

export const fanOut = (orgId: OrgId): Message => ({
  service: fanOutService,
  key: toUuid(orgId),
  handler: 'run',
});

export const laneOf = (orgId: OrgId, webhookId: WebhookId): Message => ({
  service: webhookLaneService,
  key: webhookId,
  handler: 'send',
  subject: subjectOf(orgId, webhookId),
});
