import type { Tx } from '../../platform/db/database.ts';
import { clearFailingSince, listSubscribedWebhooks } from '../store/webhooks.ts';
import { wakeEndpoints } from './wake-endpoints.ts';

/**
 * Wakes every subscribed webhook: after a reset, when the clock shows real time and the retry timers are deleted, and
 * after a suspension, during which no attempt was made.
 */
export async function restartWebhooks(tx: Tx): Promise<void> {
  clearFailingSince(tx);
  const webhooks = await listSubscribedWebhooks(tx);
  await wakeEndpoints(
    tx,
    webhooks.map(({ id }) => id),
  );
}
