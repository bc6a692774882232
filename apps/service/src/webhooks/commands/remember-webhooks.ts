import type { Clock } from '../../kernel/clock.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/db/database.ts';
import { enqueueMessages } from '../../platform/engine/outbox.ts';
import { fanOut, runDispatcher } from '../messages.ts';
import { findStaleFanoutCursors } from '../store/fanout-cursors.ts';
import { findStaleDispatchers } from '../store/webhook-dispatchers.ts';

type Parts = { readonly db: Database; readonly clock: Clock; readonly newId: NewId };

/** The reconciler of webhooks: the engine may have lost what it was told. */
export function rememberWebhooks({ db, clock, newId }: Parts): Promise<number> {
  return db.transactWithoutTenant(async (outside) => {
    const heads = await findStaleFanoutCursors(outside, clock);
    const lanes = await findStaleDispatchers(outside, clock);
    const messages = [
      ...heads.map((orgId) => fanOut(orgId)),
      ...lanes.map(({ orgId, webhookId }) => runDispatcher(orgId, webhookId)),
    ];
    if (messages.length > 0) await enqueueMessages(outside, newId, messages);
    return messages.length;
  });
}
