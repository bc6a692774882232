/** The events partners receive about deliveries (spec §6, contract §6). */
import type { Delivery } from './domain/delivery.ts';
import { presentDelivery, presentPart } from './domain/delivery-resource.ts';
import type { StorePart } from './domain/store-part.ts';

export const deliveryCompleted = (delivery: Delivery, parts: readonly StorePart[]) => ({
  type: 'delivery.completed',
  data: presentDelivery(delivery, parts),
});

export const deliveryTakenDown = (delivery: Delivery, parts: readonly StorePart[]) => ({
  type: 'delivery.taken_down',
  data: presentDelivery(delivery, parts),
});

/** One store, not all of them (contract §6). */
const aboutStore = ({ id, releaseId, status }: Delivery, part: StorePart) => ({
  delivery_id: id,
  release_id: releaseId,
  status,
  store: presentPart(part),
});

export const storeUpdated = (delivery: Delivery, part: StorePart) => ({
  type: 'delivery.store.updated',
  data: aboutStore(delivery, part),
});

export const storeOverdue = (delivery: Delivery, part: StorePart) => ({
  type: 'delivery.store.overdue',
  data: aboutStore(delivery, part),
});
