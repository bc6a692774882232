/** The directory of messages: it maps the message id in a store's answer to its delivery. */

import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import type { MessageId } from '../domain/message.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';

/** The store delivery that an answer is about. */
export type StoreDeliveryRef = {
  readonly orgId: OrgId;
  readonly deliveryId: DeliveryId;
  readonly storeId: string;
};

/** Inserted with the queued message: an answer may arrive before its send is recorded. */
export function insertStoreMessages(
  tx: Tx,
  id: DeliveryId,
  storeDeliveries: readonly StoreDelivery[],
  { isPurge }: { readonly isPurge: boolean } = { isPurge: false },
): void {
  const records = storeDeliveries.map(({ storeId, message }) => ({
    id: toUuid(message.id),
    store_id: storeId,
  }));
  tx.write(sql`
    insert into store_messages (id, org_id, delivery_id, store_id, is_purge)
    select message.id, ${toUuid(tx.orgId)}, ${toUuid(id)}, message.store_id, ${isPurge}
      from json_to_recordset(${json(records)}) as message (id uuid, store_id text)
  `);
}

/** Whether the takedown is written as a purge. */
export async function isPurgeMessage(db: Db, id: MessageId): Promise<boolean> {
  const rows = await db.query(
    sql`select from store_messages where id = ${toUuid(id)} and is_purge`,
  );
  return rows.length > 0;
}

export async function findMessageTargets(
  db: Db,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, StoreDeliveryRef>> {
  const rows = await db.query<{
    id: string;
    org_id: string;
    delivery_id: string;
    store_id: string;
  }>(sql`
    select id, org_id, delivery_id, store_id from store_messages where id = any(${ids.map(toUuid)}::uuid[])
  `);
  return new Map(
    rows.map((row) => [
      toWire('msg', row.id),
      {
        orgId: toWire('org', row.org_id),
        deliveryId: toWire('dlv', row.delivery_id),
        storeId: row.store_id,
      },
    ]),
  );
}
