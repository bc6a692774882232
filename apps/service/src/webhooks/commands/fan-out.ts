/** Turns sequenced events into webhook deliveries: one row for each event and each webhook that wants its type. */

import { findOrganization } from '../../identity/face.ts';
import type { Tier } from '../../kernel/tier.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { WebhookDeliveryStatus } from '../domain/attempt.ts';
import { matchesEventType, type Webhook, type WebhookId } from '../domain/webhook.ts';
import { listEventsAfter, type SequencedEvent } from '../store/events.ts';
import { findFanoutCursor, advanceFanoutCursor } from '../store/fanout-cursors.ts';
import { insertWebhookDeliveries, type WebhookDeliveryKey } from '../store/webhook-deliveries.ts';
import { listQueuedDispatchers, markDispatchersQueued } from '../store/webhook-dispatchers.ts';
import { listSubscribedWebhooks } from '../store/webhooks.ts';

const eventsAtOnceMax = 200;
const deliveriesPerBatchMax = 1_000;

export type FanOutResult = {
  /** These left idle in this transaction: the caller sends each a message. */
  readonly dispatchersToWake: readonly WebhookId[];
  readonly isBehind: boolean;
};

/** One batch after the organization's fan-out cursor. */
export async function fanOutNextBatch(tx: Tx): Promise<FanOutResult> {
  const cursor = await findFanoutCursor(tx);
  if (cursor === undefined || cursor.fannedOutUpto >= cursor.sequencedUpto) {
    // A run that was killed between its commit and its messages starts again here: dispatchers that are still queued
    // may have received no message.
    return { dispatchersToWake: await listQueuedDispatchers(tx), isBehind: false };
  }
  const [events, webhooks, organization] = await Promise.all([
    listEventsAfter(tx, cursor.fannedOutUpto, eventsAtOnceMax),
    listSubscribedWebhooks(tx),
    findOrganization(tx, tx.orgId),
  ]);
  const { deliveries, fannedOutUpto } = buildWebhookDeliveries(
    events,
    webhooks,
    organization?.tier ?? 'starter',
    cursor.sequencedUpto,
  );
  if (deliveries.length > 0) insertWebhookDeliveries(tx, deliveries);
  const pending = deliveries.filter(({ status }) => status === 'pending');
  const dispatchersToWake = await markDispatchersQueued(tx, [
    ...new Set(pending.map(({ webhookId }) => webhookId)),
  ]);
  return { dispatchersToWake, isBehind: await advanceFanoutCursor(tx, fannedOutUpto) };
}

type NewWebhookDelivery = WebhookDeliveryKey & { readonly status: WebhookDeliveryStatus };

/**
 * Contract §3: a delivery to a disabled webhook starts as undelivered, and can be redelivered later. A delivery to a
 * webhook whose new URL is not verified yet is pending until it is.
 */
function buildWebhookDeliveries(
  events: readonly SequencedEvent[],
  webhooks: readonly Webhook[],
  tier: Tier,
  sequencedUpto: number,
): { readonly deliveries: readonly NewWebhookDelivery[]; readonly fannedOutUpto: number } {
  const deliveries: NewWebhookDelivery[] = [];
  for (const { id: eventId, type, sequence } of events) {
    for (const webhook of webhooks) {
      if (!matchesEventType(webhook, type, tier)) continue;
      const status = webhook.status === 'disabled' ? 'undelivered' : 'pending';
      deliveries.push({ eventId, webhookId: webhook.id, status });
    }
    if (deliveries.length >= deliveriesPerBatchMax) return { deliveries, fannedOutUpto: sequence };
  }
  return { deliveries, fannedOutUpto: events.at(-1)?.sequence ?? sequencedUpto };
}
