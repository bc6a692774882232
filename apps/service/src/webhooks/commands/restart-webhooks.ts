import type { Tx } from '../../platform/db/database.ts';
import { clearFailingSince, listSubscribedWebhooks } from '../store/webhooks.ts';
import { wakeEndpoints } from './wake-endpoints.ts';

/** After a reset the clock shows real time and the retry timers are deleted: wakes every subscribed webhook. */
export async function restartWebhooks(tx: Tx): Promise<void> {
  clearFailingSince(tx);
  const webhooks = await listSubscribedWebhooks(tx);
  await wakeEndpoints(
    tx,
    webhooks.map(({ id }) => id),
  );
}
