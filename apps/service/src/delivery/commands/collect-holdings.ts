import { findSnapshotCodes } from '../../catalog/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Delivery } from '../domain/delivery.ts';
import { beginsHolding, endsHolding, holdingsOf } from '../domain/holdings.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import { type Holding, recordHoldings } from '../store/holdings.ts';

/** Collects what the steps of a delivery change in the directory of what stores have, and writes it once. */
export function collectHoldings() {
  const begun = new Map<string, StoreDelivery>();
  const ended = new Set<string>();
  return {
    add: (before: StoreDelivery, after: StoreDelivery): void => {
      const { storeId } = after;
      if (endsHolding(before, after)) {
        ended.add(storeId);
        begun.delete(storeId);
      }
      if (!beginsHolding(before, after)) return;
      ended.add(storeId);
      begun.set(storeId, after);
    },
    write: async (tx: Tx, delivery: Delivery): Promise<void> => {
      if (ended.size === 0) return;
      const holdings: Holding[] = [];
      for (const [revision, held] of Map.groupBy(begun.values(), (each) => each.revision)) {
        const codes = await findSnapshotCodes(tx, delivery.releaseId, revision);
        if (codes === undefined)
          throw new Error(`${delivery.releaseId} has no snapshot ${revision}`);
        holdings.push(...held.flatMap((storeDelivery) => holdingsOf(storeDelivery, codes)));
      }
      recordHoldings(tx, delivery, [...ended], holdings);
    },
  };
}
