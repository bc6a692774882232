import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import { wakeDelivery } from '../messages.ts';
import { insertStoreMessages } from '../store/messages.ts';
import type { DeliveryChange } from './delivery-change.ts';

/** Records the messages of requested takedowns and wakes the dispatch of the delivery, soon even if it has failed often. */
export function dispatchTakedowns(
  tx: Tx,
  change: DeliveryChange,
  { id, dispatches }: Delivery,
  takedowns: readonly StoreDelivery[],
  { isPurge }: { readonly isPurge: boolean } = { isPurge: false },
): void {
  if (takedowns.length === 0) return;
  insertStoreMessages(tx, id, takedowns, { isPurge });
  change.setFields({ dispatches: Math.min(dispatches, 1) });
  enqueueDurably(tx, wakeDelivery(tx.orgId, id, 'dispatch'));
}
