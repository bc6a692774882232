/** Redelivery that a partner requests (spec §6). */

import { Problem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { EventId } from '../domain/attempt.ts';
import { type WebhookId, webhookNotFound } from '../domain/webhook.ts';
import { findEvent } from '../store/events.ts';
import {
  insertWebhookDeliveries,
  requeueWebhookDeliveries,
  type WebhookDeliveryKey,
} from '../store/webhook-deliveries.ts';
import { findWebhook } from '../store/webhooks.ts';
import { wakeEndpoints } from './wake-endpoints.ts';

/** In one transaction. `Redelivery.hasMore` says that there are more. */
const redeliveredMax = 10_000;

export type Redelivery = { readonly count: number; readonly hasMore: boolean };

/** To one webhook, with or without an earlier delivery of this event; or to every webhook that has one. */
export async function redeliverEvent(
  tx: Tx,
  eventId: EventId,
  webhookId: WebhookId | undefined,
): Promise<Redelivery> {
  const event = await findEvent(tx, tx.orgId, eventId);
  if (event === undefined) throw eventNotFound();
  if (webhookId !== undefined) await insertDeliveryIfMissing(tx, { eventId, webhookId });
  return wakeRedelivered(
    tx,
    await requeueWebhookDeliveries(tx, { eventId, webhookId }, redeliveredMax),
  );
}

/** An existing delivery is not changed. */
async function insertDeliveryIfMissing(tx: Tx, key: WebhookDeliveryKey): Promise<void> {
  const webhook = await findWebhook(tx, tx.orgId, key.webhookId);
  if (webhook === undefined) throw unknownWebhook();
  if (webhook.status !== 'verified') throw notVerified();
  insertWebhookDeliveries(tx, [{ ...key, status: 'undelivered' }]);
}

/** Requeues the webhook's undelivered events since a time. */
export async function redeliverSince(
  tx: Tx,
  webhookId: WebhookId,
  since: Date,
): Promise<Redelivery> {
  const webhook = await findWebhook(tx, tx.orgId, webhookId);
  if (webhook === undefined) throw webhookNotFound();
  if (webhook.status !== 'verified') throw notVerified();
  return wakeRedelivered(
    tx,
    await requeueWebhookDeliveries(tx, { webhookId, since }, redeliveredMax),
  );
}

const notVerified = () =>
  new Problem(
    'invalid_state',
    'The webhook is not verified: it receives no events until a ping succeeds. Ping it first.',
  );

async function wakeRedelivered(
  tx: Tx,
  { pairs, hasMore }: Awaited<ReturnType<typeof requeueWebhookDeliveries>>,
): Promise<Redelivery> {
  await wakeEndpoints(tx, [...new Set(pairs.map(({ webhookId }) => webhookId))]);
  return { count: pairs.length, hasMore };
}

export const eventNotFound = () =>
  new Problem(
    'resource_not_found',
    'No event of your organization has this id. Events are kept for 30 days.',
  );

export const unknownWebhook = () =>
  new Problem('invalid_field', 'webhook_id must be the id of a webhook of yours.', {
    details: [
      {
        field: 'webhook_id',
        issue: 'must be the id of a webhook of yours; GET /v1/webhooks lists them',
      },
    ],
  });
