import { findStores } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { EngineMessage } from '../../platform/engine/outbox.ts';
import { laneForMessage, sendInLane } from '../messages.ts';
import { findUnsentMessages } from '../store/store-deliveries.ts';

const unsentMax = 5_000;

/** What is on its way to stores right now, or would be if they were there: asked again, each is sent once. */
export async function listPendingSends(tx: Tx): Promise<readonly EngineMessage[]> {
  const unsent = await findUnsentMessages(tx, unsentMax);
  const stores = await findStores(tx, [...new Set(unsent.map(({ storeId }) => storeId))]);
  const byId = new Map(stores.map((store) => [store.storeId, store]));
  return unsent.flatMap(({ deliveryId, storeId, message }) => {
    const store = byId.get(storeId);
    if (store === undefined) return [];
    return [sendInLane(tx.orgId, deliveryId, laneForMessage(store, deliveryId, message))];
  });
}
