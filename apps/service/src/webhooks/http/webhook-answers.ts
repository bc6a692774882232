/** Webhook ids in paths, and webhooks in answers (contract §1, §2). */

import { parseId } from '../../kernel/ids.ts';
import { type Answer, asCreated, decorated, resource } from '../../platform/http/answer.ts';
import { presentWebhook } from '../domain/present-webhook.ts';
import { type Webhook, type WebhookId, webhookNotFound } from '../domain/webhook.ts';

export const webhooksPath = '/v1/webhooks';

export const webhookIdOf = (params: { readonly webhook_id: string }): WebhookId => {
  const id = parseId('wh', params.webhook_id);
  if (id === undefined) throw webhookNotFound();
  return id;
};

export const shown = (webhook: Webhook): Answer => resource(presentWebhook(webhook));

/** A later read does not return the secret, so the ETag does not cover it. */
export const shownWithSecret = (webhook: Webhook, secret: string): Answer =>
  decorated(presentWebhook(webhook), { secret });

export const registered = (webhook: Webhook, secret: string): Answer =>
  asCreated(shownWithSecret(webhook, secret), `${webhooksPath}/${webhook.id}`);
