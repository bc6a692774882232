/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  CreateWebhook,
  ListWebhooksQuery,
  RedeliverSince,
  RedeliverySinceCount,
  RotateWebhookSecret,
  UpdateWebhook,
  Webhook,
  WebhookPage,
  WebhookWithSecret,
} from '../schema.ts';

/** Webhooks. */
export class WebhooksResource extends Resource {
  /**
   * Register a webhook.
   *
   * Registers a webhook, pings it at once and returns it. If it answers 200 within 10 seconds, it is `verified` and receives the events that you subscribed it to. Otherwise it stays `unverified`, and receives no events, until a ping succeeds.
   *
   * Scope: `webhooks:write`.
   *
   * @see operation `createWebhook`
   */
  create(body: CreateWebhook, options?: WriteOptions): ApiCall<WebhookWithSecret> {
    return this.client.call({
      method: 'POST',
      path: '/v1/webhooks',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * List webhooks.
   *
   * Returns a page of webhooks, newest first.
   *
   * Scope: `webhooks:read`.
   *
   * @see operation `listWebhooks`
   */
  list(query?: ListWebhooksQuery, options?: RequestOptions): Pager<Webhook, WebhookPage> {
    return this.client.list({ method: 'GET', path: '/v1/webhooks', query, options });
  }

  /**
   * Get a webhook.
   *
   * Returns the webhook without its secret.
   *
   * Scope: `webhooks:read`.
   *
   * @see operation `getWebhook`
   */
  get(webhookId: string, options?: ReadOptions): ApiCall<Webhook> {
    return this.client.call({
      method: 'GET',
      path: `/v1/webhooks/${segment(webhookId, 'webhook_id')}`,
      options,
    });
  }

  /**
   * Change a webhook.
   *
   * Changes only the fields that you send, and returns the webhook. A new `url` makes the webhook `unverified` and pings it. At most 10 pings a minute are allowed.
   *
   * Scope: `webhooks:write`.
   *
   * @see operation `updateWebhook`
   */
  update(webhookId: string, body?: UpdateWebhook, options?: WriteOptions): ApiCall<Webhook> {
    return this.client.call({
      method: 'PATCH',
      path: `/v1/webhooks/${segment(webhookId, 'webhook_id')}`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Delete a webhook.
   *
   * Deletes the webhook. No more events are sent to it. Its attempts stay in the history of their events.
   *
   * Scope: `webhooks:write`.
   *
   * @see operation `deleteWebhook`
   */
  delete(webhookId: string, options?: RequestOptions): ApiCall<void> {
    return this.client.call({
      method: 'DELETE',
      path: `/v1/webhooks/${segment(webhookId, 'webhook_id')}`,
      options,
    });
  }

  /**
   * Ping a webhook.
   *
   * Sends a ping and returns the webhook. If it answers 200 within 10 seconds, it becomes `verified`, even if it was disabled. At most 10 pings a minute are allowed.
   *
   * Scope: `webhooks:write`.
   *
   * @see operation `pingWebhook`
   */
  ping(webhookId: string, options?: WriteOptions): ApiCall<Webhook> {
    return this.client.call({
      method: 'POST',
      path: `/v1/webhooks/${segment(webhookId, 'webhook_id')}/ping`,
      takesKey: true,
      options,
    });
  }

  /**
   * Rotate the secret.
   *
   * Creates a new secret and returns it once. Until the grace period ends, `X-SVC-Signature` is made with the old secret, and `webhook-signature` with both. If you rotate again during the grace period, the oldest secret stops working at once.
   *
   * Scope: `webhooks:write`.
   *
   * @see operation `rotateWebhookSecret`
   */
  rotateSecret(
    webhookId: string,
    body?: RotateWebhookSecret,
    options?: WriteOptions,
  ): ApiCall<WebhookWithSecret> {
    return this.client.call({
      method: 'POST',
      path: `/v1/webhooks/${segment(webhookId, 'webhook_id')}/rotate_secret`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Redeliver undelivered events.
   *
   * Sends the events that are undelivered to this webhook since a time again, the oldest 10,000 of them. If `has_more` is `true`, send the same request again with another `Idempotency-Key`. The events can arrive in any order.
   *
   * Scope: `webhooks:write`.
   *
   * @see operation `redeliverToWebhook`
   */
  redeliver(
    webhookId: string,
    body: RedeliverSince,
    options?: WriteOptions,
  ): ApiCall<RedeliverySinceCount> {
    return this.client.call({
      method: 'POST',
      path: `/v1/webhooks/${segment(webhookId, 'webhook_id')}/redeliver`,
      body,
      takesKey: true,
      options,
    });
  }
}
