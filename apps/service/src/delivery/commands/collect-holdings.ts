import { findSnapshotCodes } from '../../catalog/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Delivery } from '../domain/delivery.ts';
import { beginsHolding, endsHolding, holdingsOf } from '../domain/holdings.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import { type Holding, recordHoldings } from '../store/holdings.ts';

/** Collects what the steps of a delivery change in the directory of what stores have, and writes it once. */
export function collectHoldings() {
  const begun = new Map<string, StoreDelivery>();
  /** Begun and ended by steps that are written together, for example a confirmation and a removal. */
  const passed = new Map<string, StoreDelivery>();
  const ended = new Set<string>();
  return {
    add: (before: StoreDelivery, after: StoreDelivery): void => {
      const { storeId } = after;
      if (endsHolding(before, after)) {
        ended.add(storeId);
        const held = begun.get(storeId);
        if (held !== undefined) passed.set(storeId, held);
        begun.delete(storeId);
      }
      if (!beginsHolding(before, after)) return;
      ended.add(storeId);
      begun.set(storeId, after);
    },
    write: async (tx: Tx, delivery: Delivery): Promise<void> => {
      if (ended.size === 0) return;
      // A store names what it had, also if it had it for no time: its row begins, and ends with the others.
      if (passed.size > 0) {
        const holdings = await findHoldings(tx, delivery, passed);
        recordHoldings(tx, delivery, [...passed.keys()], holdings);
      }
      recordHoldings(tx, delivery, [...ended], await findHoldings(tx, delivery, begun));
    },
  };
}

async function findHoldings(
  tx: Tx,
  { releaseId }: Delivery,
  begun: ReadonlyMap<string, StoreDelivery>,
): Promise<readonly Holding[]> {
  const holdings: Holding[] = [];
  for (const [revision, held] of Map.groupBy(begun.values(), (each) => each.revision)) {
    const codes = await findSnapshotCodes(tx, releaseId, revision);
    if (codes === undefined) throw new Error(`${releaseId} has no snapshot ${revision}`);
    holdings.push(...held.flatMap((storeDelivery) => holdingsOf(storeDelivery, codes)));
  }
  return holdings;
}
