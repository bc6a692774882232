import type { Tx } from '../../platform/db/database.ts';
import { enqueueMessage } from '../../platform/engine/outbox.ts';
import type { WebhookId } from '../domain/webhook.ts';
import { laneOf } from '../messages.ts';
import { tellLanes } from '../store/lanes.ts';

/** There is something for these endpoints, or something has become of them. */
export async function tellWebhooks(tx: Tx, webhookIds: readonly WebhookId[]): Promise<void> {
  for (const webhookId of await tellLanes(tx, webhookIds)) {
    enqueueMessage(tx, laneOf(tx.orgId, webhookId));
  }
}
