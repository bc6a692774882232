import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably, isTimerOnItsWay } from '../../platform/engine/timers.ts';
import type { Delivery } from '../domain/delivery.ts';
import { wakeDelivery } from '../messages.ts';
import type { DeliveryChange } from './delivery-change.ts';

/**
 * Wakes the dispatch of a delivery, unless one that was requested before has not begun (ADR 0062). The caller has locked
 * the delivery, which a dispatch locks before it reads: it finds the messages of all requests before it.
 */
export async function requestDispatch(
  tx: Tx,
  change: DeliveryChange,
  { id, dispatchTimerId }: Pick<Delivery, 'id' | 'dispatchTimerId'>,
): Promise<void> {
  if (dispatchTimerId !== null && (await isTimerOnItsWay(tx, dispatchTimerId))) return;
  change.setFields({ dispatchTimerId: enqueueDurably(tx, wakeDelivery(tx.orgId, id, 'dispatch')) });
}
