/** Events that were numbered are owed to the endpoints that want them. */
import type { Tx } from '../../platform/db/database.ts';
import type { DeliveryStatus } from '../domain/attempt.ts';
import { wants, type Webhook, type WebhookId } from '../domain/webhook.ts';
import { eventsFrom, type NumberedEvent } from '../store/events.ts';
import { findHead, moveHead } from '../store/heads.ts';
import { listQueuedDispatchers, markDispatchersQueued } from '../store/webhook-dispatchers.ts';
import { insertOwed, type Pair } from '../store/owed.ts';
import { subscribedWebhooks } from '../store/webhooks.ts';

const eventsAtOnceMax = 200;
const pairsAtOnceMax = 1_000;

export type Share = {
  /** The endpoints that have to be told. */
  readonly told: readonly WebhookId[];
  readonly isBehind: boolean;
};

/** The next of them, as many as are good to do at once. */
export async function fanOutNext(tx: Tx): Promise<Share> {
  const head = await findHead(tx);
  if (head === undefined || head.fanned >= head.numbered) {
    // Cut off after its commit, it begins again, and nobody else may know whom it was about to tell.
    return { told: await listQueuedDispatchers(tx), isBehind: false };
  }
  const [events, webhooks] = await Promise.all([
    eventsFrom(tx, head.fanned, eventsAtOnceMax),
    subscribedWebhooks(tx),
  ]);
  const { owed, fanned } = share(events, webhooks, head.numbered);
  if (owed.length > 0) insertOwed(tx, owed);
  const pending = owed.filter(({ status }) => status === 'pending');
  const told = await markDispatchersQueued(tx, [
    ...new Set(pending.map(({ webhookId }) => webhookId)),
  ]);
  return { told, isBehind: await moveHead(tx, fanned) };
}

type NewlyOwed = Pair & { readonly status: DeliveryStatus };

/**
 * Contract §3: what happens while an endpoint is disabled is undelivered, and can be asked for later; while it has
 * moved and is not verified again, it waits.
 */
function share(
  events: readonly NumberedEvent[],
  webhooks: readonly Webhook[],
  numbered: number,
): { readonly owed: readonly NewlyOwed[]; readonly fanned: number } {
  const owed: NewlyOwed[] = [];
  for (const { id: eventId, type, sequence } of events) {
    for (const webhook of webhooks) {
      if (!wants(webhook, type)) continue;
      const status = webhook.status === 'disabled' ? 'undelivered' : 'pending';
      owed.push({ eventId, webhookId: webhook.id, status });
    }
    if (owed.length >= pairsAtOnceMax) return { owed, fanned: sequence };
  }
  return { owed, fanned: events.at(-1)?.sequence ?? numbered };
}
