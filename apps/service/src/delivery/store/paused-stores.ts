/** Deliveries of all organizations that wait for a paused store, found again when it is resumed. */

import { toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import type { DeliveryRef } from './answers.ts';

export function insertPausedStores(tx: Tx, id: DeliveryId, storeIds: readonly string[]): void {
  tx.write(sql`
    insert into paused_store_deliveries (store_id, org_id, delivery_id)
    select store_id, ${toUuid(tx.orgId)}, ${toUuid(id)} from unnest(${storeIds}::text[]) store_id
    on conflict do nothing
  `);
}

/** Simulated stores that were paused after the dispatch and before the claim. */
export function insertPausedSimulatedStores(tx: Tx, id: DeliveryId): void {
  tx.write(sql`
    insert into paused_store_deliveries (store_id, org_id, delivery_id)
    select store_id, org_id, delivery_id from delivery_stores
     where org_id = ${toUuid(tx.orgId)} and delivery_id = ${toUuid(id)}
       and message_state in ('dispatched', 'sending')
       and store_id in (select stores.store_id from stores
                         where stores.status = 'paused' and stores.connector = 'simulated')
    on conflict do nothing
  `);
}

export async function findResumedStores(
  db: Db,
  limit: number,
): Promise<(DeliveryRef & { readonly storeId: string })[]> {
  const rows = await db.query<{ store_id: string; org_id: string; delivery_id: string }>(sql`
    select store_id, org_id, delivery_id
      from paused_store_deliveries join stores using (store_id)
     where status = 'active'
     limit ${limit}
  `);
  return rows.map((row) => ({
    storeId: row.store_id,
    orgId: toWire('org', row.org_id),
    deliveryId: toWire('dlv', row.delivery_id),
  }));
}

/** Whether the row still existed. */
export async function deletePausedStore(tx: Tx, id: DeliveryId, storeId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from paused_store_deliveries
     where store_id = ${storeId} and org_id = ${toUuid(tx.orgId)} and delivery_id = ${toUuid(id)}
    returning store_id
  `);
  return rows.length > 0;
}
