/** The events partners receive about webhooks (contract §6). */

import { type ChangelogEntry, presentEntry } from './domain/changelog.ts';
import { presentWebhook } from './domain/present-webhook.ts';
import type { Webhook } from './domain/webhook.ts';

export const webhookDisabled = (webhook: Webhook) => ({
  type: 'webhook.disabled',
  data: presentWebhook(webhook),
});

export const changelogPublished = (entry: ChangelogEntry, publicUrl: string) => ({
  type: 'api.changelog.published',
  data: presentEntry(entry, publicUrl),
});
