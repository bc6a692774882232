/** Events that were numbered are owed to the endpoints that want them. */

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
  /** The endpoints that have to be told. */
  readonly dispatchersToWake: readonly WebhookId[];
  readonly isBehind: boolean;
};

/** The next of them, as many as are good to do at once. */
export async function fanOutNextBatch(tx: Tx): Promise<FanOutResult> {
  const cursor = await findFanoutCursor(tx);
  if (cursor === undefined || cursor.fannedOutUpto >= cursor.sequencedUpto) {
    // Cut off after its commit, it begins again, and nobody else may know whom it was about to tell.
    return { dispatchersToWake: await listQueuedDispatchers(tx), isBehind: false };
  }
  const [events, webhooks] = await Promise.all([
    listEventsAfter(tx, cursor.fannedOutUpto, eventsAtOnceMax),
    listSubscribedWebhooks(tx),
  ]);
  const { owed, fannedOutUpto: fanned } = buildWebhookDeliveries(
    events,
    webhooks,
    cursor.sequencedUpto,
  );
  if (owed.length > 0) insertWebhookDeliveries(tx, owed);
  const pending = owed.filter(({ status }) => status === 'pending');
  const told = await markDispatchersQueued(tx, [
    ...new Set(pending.map(({ webhookId }) => webhookId)),
  ]);
  return { dispatchersToWake: told, isBehind: await advanceFanoutCursor(tx, fanned) };
}

type NewWebhookDelivery = WebhookDeliveryKey & { readonly status: WebhookDeliveryStatus };

/**
 * Contract §3: what happens while an endpoint is disabled is undelivered, and can be asked for later; while it has
 * moved and is not verified again, it waits.
 */
function buildWebhookDeliveries(
  events: readonly SequencedEvent[],
  webhooks: readonly Webhook[],
  sequencedUpto: number,
): { readonly owed: readonly NewWebhookDelivery[]; readonly fannedOutUpto: number } {
  const owed: NewWebhookDelivery[] = [];
  for (const { id: eventId, type, sequence } of events) {
    for (const webhook of webhooks) {
      if (!matchesEventType(webhook, type)) continue;
      const status = webhook.status === 'disabled' ? 'undelivered' : 'pending';
      owed.push({ eventId, webhookId: webhook.id, status });
    }
    if (owed.length >= deliveriesPerBatchMax) return { owed, fannedOutUpto: sequence };
  }
  return { owed, fannedOutUpto: events.at(-1)?.sequence ?? sequencedUpto };
}
