/** The parts of a delivery a request is about, and what must be known of them. */
import { lockRelease, type Release } from '../../catalog/face.ts';
import { enforce } from '../../kernel/problem.ts';
import { findStores, type Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { refuseStores } from '../domain/chosen-stores.ts';
import { type Delivery, type DeliveryId, deliveryNotFound } from '../domain/delivery.ts';
import type { StorePart } from '../domain/store-part.ts';
import { lockDelivery } from '../store/deliveries.ts';
import { lockParts } from '../store/parts.ts';

export type Chosen = {
  readonly delivery: Delivery;
  /** Those that are named; all of them when none is. */
  readonly parts: readonly StorePart[];
};

/** Holds the delivery. */
export async function chooseParts(
  tx: Tx,
  id: DeliveryId,
  named: readonly string[] | undefined,
): Promise<Chosen> {
  const [delivery, parts] = await Promise.all([lockDelivery(tx, id), lockParts(tx, id)]);
  if (delivery === undefined) throw deliveryNotFound();
  if (named === undefined) return { delivery, parts };
  enforce(
    refuseStores(
      named,
      parts.map(({ storeId }) => storeId),
      'is not a store of this delivery',
    ),
  );
  const wanted = new Set(named);
  return { delivery, parts: parts.filter(({ storeId }) => wanted.has(storeId)) };
}

/** Deliveries come before releases, wherever both are held: so that nobody waits in a circle. */
export async function lockItsRelease(tx: Tx, { id, releaseId }: Delivery): Promise<Release> {
  const release = await lockRelease(tx, releaseId);
  if (release === undefined) throw new Error(`${id} has no release`);
  return release;
}

export const storesOf = (tx: Tx, parts: readonly StorePart[]): Promise<Store[]> =>
  findStores(
    tx,
    parts.map(({ storeId }) => storeId),
  );
