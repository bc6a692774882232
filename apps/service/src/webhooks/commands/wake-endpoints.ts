import type { Tx } from '../../platform/db/database.ts';
import { enqueueMessage } from '../../platform/engine/outbox.ts';
import type { WebhookId } from '../domain/webhook.ts';
import { runDispatcher } from '../messages.ts';
import { listBusyDispatchers, markDispatchersQueued } from '../store/webhook-dispatchers.ts';

/** Call it after adding deliveries to these webhooks, or after changing their status. */
export async function wakeEndpoints(tx: Tx, webhookIds: readonly WebhookId[]): Promise<void> {
  for (const webhookId of await markDispatchersQueued(tx, webhookIds)) {
    enqueueMessage(tx, runDispatcher(tx.orgId, webhookId));
  }
}

/** For dispatchers that may have lost their run. A second message waits behind a run, and then finds nothing due. */
export async function requeueBusyDispatchers(tx: Tx): Promise<void> {
  for (const webhookId of await listBusyDispatchers(tx)) {
    enqueueMessage(tx, runDispatcher(tx.orgId, webhookId));
  }
}
