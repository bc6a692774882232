import { isVerified } from '../../identity/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import { wakeDelivery } from '../messages.ts';
import { takeUnverifiedDeliveries } from '../store/unverified-deliveries.ts';

const deliveriesAtOnce = 200;

/**
 * Enqueues the dispatch of deliveries that waited until the organization is verified, one batch. Returns whether there
 * may be more. The row of a delivery is deleted in the transaction that enqueues it, so a run that is killed loses none.
 * If the organization has lost its verification again, they keep waiting.
 */
export async function dispatchAfterVerification(tx: Tx): Promise<boolean> {
  if (!(await isVerified(tx))) return false;
  const ids = await takeUnverifiedDeliveries(tx, deliveriesAtOnce);
  for (const id of ids) enqueueDurably(tx, wakeDelivery(tx.orgId, id, 'dispatch'));
  return ids.length === deliveriesAtOnce;
}
