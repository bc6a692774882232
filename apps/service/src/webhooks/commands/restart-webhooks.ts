import type { Tx } from '../../platform/db/database.ts';
import { clearFailingSince, listSubscribedWebhooks } from '../store/webhooks.ts';
import { wakeEndpoints } from './wake-endpoints.ts';

/** The organization's clock has begun anew, and its timers are gone: what is due is sent. */
export async function restartWebhooks(tx: Tx): Promise<void> {
  clearFailingSince(tx);
  const webhooks = await listSubscribedWebhooks(tx);
  await wakeEndpoints(
    tx,
    webhooks.map(({ id }) => id),
  );
}
