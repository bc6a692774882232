/** The events partners receive about deliveries (spec §6, contract §6). */

import type { Delivery } from './domain/delivery.ts';
import { presentDelivery, presentStoreDelivery } from './domain/present-delivery.ts';
import type { StoreDelivery, StoreDeliveryStatus } from './domain/store-delivery.ts';

export const deliveryCompleted = (
  delivery: Delivery,
  storeDeliveries: readonly StoreDelivery[],
) => ({
  type: 'delivery.completed',
  data: presentDelivery(delivery, storeDeliveries),
});

export const deliveryTakenDown = (
  delivery: Delivery,
  storeDeliveries: readonly StoreDelivery[],
) => ({
  type: 'delivery.taken_down',
  data: presentDelivery(delivery, storeDeliveries),
});

/** Has one store, not all of them (contract §6). */
const storeEventData = ({ id, releaseId, status }: Delivery, storeDelivery: StoreDelivery) => ({
  delivery_id: id,
  release_id: releaseId,
  status,
  store: presentStoreDelivery(storeDelivery),
});

/** `previous_status` is that of the store. */
export const storeUpdated = (
  delivery: Delivery,
  storeDelivery: StoreDelivery,
  previousStatus: StoreDeliveryStatus,
) => ({
  type: 'delivery.store.updated',
  data: { ...storeEventData(delivery, storeDelivery), previous_status: previousStatus },
});

export const storeOverdue = (delivery: Delivery, storeDelivery: StoreDelivery) => ({
  type: 'delivery.store.overdue',
  data: storeEventData(delivery, storeDelivery),
});
