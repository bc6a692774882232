/** The store deliveries that a request names, and the rows that its rules need. */

import { lockRelease, type Release } from '../../catalog/face.ts';
import { enforce } from '../../kernel/problem.ts';
import { findStores, type Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { refuseStores } from '../domain/chosen-stores.ts';
import { type Delivery, type DeliveryId, deliveryNotFound } from '../domain/delivery.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import { lockDelivery } from '../store/deliveries.ts';
import { lockStoreDeliveries } from '../store/store-deliveries.ts';

export type DeliveryWithStores = {
  readonly delivery: Delivery;
  readonly storeDeliveries: readonly StoreDelivery[];
};

export type ChosenStores = {
  readonly delivery: Delivery;
  /** The named stores; all stores if the request names none. */
  readonly storeDeliveries: readonly StoreDelivery[];
  /** The delivery with all of its stores, as it was before the change. */
  readonly before: DeliveryWithStores;
};

/** Locks the delivery and all of its store deliveries. */
export async function lockChosenStores(
  tx: Tx,
  id: DeliveryId,
  named: readonly string[] | undefined,
): Promise<ChosenStores> {
  const [delivery, storeDeliveries] = await Promise.all([
    lockDelivery(tx, id),
    lockStoreDeliveries(tx, id),
  ]);
  if (delivery === undefined) throw deliveryNotFound();
  const before = { delivery, storeDeliveries };
  if (named === undefined) return { ...before, before };
  enforce(
    refuseStores(
      named,
      storeDeliveries.map(({ storeId }) => storeId),
      'is not a store of this delivery',
    ),
  );
  const wanted = new Set(named);
  return {
    delivery,
    before,
    storeDeliveries: storeDeliveries.filter(({ storeId }) => wanted.has(storeId)),
  };
}

/** A transaction that locks both locks the delivery before its release, so that two of them cannot deadlock. */
export async function lockReleaseOf(tx: Tx, { id, releaseId }: Delivery): Promise<Release> {
  const release = await lockRelease(tx, releaseId);
  if (release === undefined) throw new Error(`${id} has no release`);
  return release;
}

export const findStoresOf = (tx: Tx, storeDeliveries: readonly StoreDelivery[]): Promise<Store[]> =>
  findStores(
    tx,
    storeDeliveries.map(({ storeId }) => storeId),
  );
