import type { ReleaseId } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import { wakeDelivery } from '../messages.ts';
import { waitingDeliveries } from '../store/deliveries.ts';

/** A review has ended: what waited for it is looked at again, whatever it decided. */
export async function followReview(tx: Tx, releaseId: ReleaseId): Promise<void> {
  for (const id of await waitingDeliveries(tx, releaseId)) {
    enqueueDurably(tx, wakeDelivery(tx.orgId, id, 'dispatch'));
  }
}
