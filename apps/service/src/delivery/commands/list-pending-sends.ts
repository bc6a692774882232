import { findStoreSettings } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { EngineMessage } from '../../platform/engine/outbox.ts';
import { laneForMessage, sendInLane } from '../messages.ts';
import { findUnsentMessages } from '../store/store-deliveries.ts';

const unsentMax = 5_000;

/** The engine messages of all unsent messages in lanes. Enqueuing them again is safe: each message is sent once. */
export async function listPendingSends(tx: Tx): Promise<readonly EngineMessage[]> {
  const unsent = await findUnsentMessages(tx, unsentMax);
  const stores = await findStoreSettings(tx, [...new Set(unsent.map(({ storeId }) => storeId))]);
  const byId = new Map(stores.map((store) => [store.storeId, store]));
  return unsent.flatMap(({ deliveryId, storeId, message }) => {
    const store = byId.get(storeId);
    if (store === undefined) return [];
    return [sendInLane(tx.orgId, deliveryId, laneForMessage(store, deliveryId, message))];
  });
}
