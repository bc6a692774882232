import { findStoreSettings } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { EngineMessage } from '../../platform/engine/outbox.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import { hasLanes, laneForMessage, sendInLane, wakeDelivery } from '../messages.ts';
import { findUnsentMessages } from '../store/sends.ts';

const unsentMax = 5_000;

/** The engine messages of all messages that are dispatched and not sent. Enqueuing them again is safe: each is sent once. */
export async function listPendingSends(tx: Tx): Promise<readonly EngineMessage[]> {
  const unsent = await findUnsentMessages(tx, unsentMax);
  const stores = await findStoreSettings(tx, [...new Set(unsent.map(({ storeId }) => storeId))]);
  const byId = new Map(stores.map((store) => [store.storeId, store]));
  const inLanes: EngineMessage[] = [];
  const sentTogether = new Set<DeliveryId>();
  for (const { deliveryId, storeId, message } of unsent) {
    const store = byId.get(storeId);
    if (store === undefined) continue;
    if (hasLanes(store)) {
      inLanes.push(sendInLane(tx.orgId, deliveryId, laneForMessage(store, deliveryId, message)));
    } else sentTogether.add(deliveryId);
  }
  return [...Array.from(sentTogether, (id) => wakeDelivery(tx.orgId, id, 'send')), ...inLanes];
}
