import type { Clock } from '../../kernel/clock.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/db/database.ts';
import { enqueueMessages } from '../../platform/engine/outbox.ts';
import { runDispatcher } from '../messages.ts';
import { claimStaleDispatchers } from '../store/webhook-dispatchers.ts';

type ReconcileDeps = { readonly db: Database; readonly clock: Clock; readonly newId: NewId };

/** The reconciler of webhooks: the engine may have lost messages, for example with its disk. */
export function requeueStaleWebhooks({ db, clock, newId }: ReconcileDeps): Promise<number> {
  return db.transactWithoutTenant(async (outside) => {
    const now = clock.now();
    const staleDispatchers = await claimStaleDispatchers(outside, now);
    const messages = staleDispatchers.map(({ orgId, webhookId }) =>
      runDispatcher(orgId, webhookId),
    );
    if (messages.length > 0) await enqueueMessages(outside, newId, messages);
    return messages.length;
  });
}
