import type { ReleaseId } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import { wakeDelivery } from '../messages.ts';
import { findPendingDeliveries } from '../store/deliveries.ts';

/** Enqueues the dispatch of the deliveries that waited for a review: `dispatchDelivery` applies its decision. */
export async function dispatchAfterReview(tx: Tx, releaseId: ReleaseId): Promise<void> {
  for (const id of await findPendingDeliveries(tx, releaseId)) {
    enqueueDurably(tx, wakeDelivery(tx.orgId, id, 'dispatch'));
  }
}
