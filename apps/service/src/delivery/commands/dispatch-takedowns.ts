import type { Tx } from '../../platform/db/database.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import { insertStoreMessages } from '../store/messages.ts';
import type { DeliveryChange } from './delivery-change.ts';
import { requestDispatch } from './request-dispatch.ts';

/** Records the messages of requested takedowns and wakes the dispatch of the delivery, soon even if it has failed often. */
export async function dispatchTakedowns(
  tx: Tx,
  change: DeliveryChange,
  delivery: Delivery,
  takedowns: readonly StoreDelivery[],
  { isPurge }: { readonly isPurge: boolean } = { isPurge: false },
): Promise<void> {
  if (takedowns.length === 0) return;
  insertStoreMessages(tx, delivery.id, takedowns, { isPurge });
  change.setFields({ dispatches: Math.min(delivery.dispatches, 1) });
  await requestDispatch(tx, change, delivery);
}
