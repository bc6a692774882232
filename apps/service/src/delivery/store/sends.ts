/** The messages of store deliveries on their way: dispatched → sending → sent. */

import { type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { json, type Sql, sql } from '../../platform/db/sql.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import type { OutgoingMessage } from '../domain/message.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import {
  storeDeliveryColumns,
  type StoreDeliveryRow,
  toStoreDelivery,
} from './store-deliveries.ts';

export type ClaimedMessage = {
  readonly storeDelivery: StoreDelivery;
  readonly releaseId: ReleaseId;
};

/** Undefined if the lane has nothing to send, or must not send it. */
export async function claimMessage(
  tx: Tx,
  id: DeliveryId,
  storeId: string,
): Promise<ClaimedMessage | undefined> {
  const [claimed] = await claimMessages(tx, id, sql`store.store_id = ${storeId}`);
  return claimed;
}

/** The messages to simulated stores, which have no lanes, by `store_id`. */
export async function claimSimulatedMessages(
  tx: Tx,
  id: DeliveryId,
): Promise<readonly ClaimedMessage[]> {
  const claimed = await claimMessages(tx, id, sql`store.connector = 'simulated'`);
  return claimed.toSorted((a, b) => (a.storeDelivery.storeId < b.storeDelivery.storeId ? -1 : 1));
}

/**
 * Marks messages as sending: from here on a cancellation needs a takedown. Left out are messages that must not be sent:
 * a takedown is wanted, the release is under legal hold, the store is not active, or it has not answered the batch
 * before (`domain/batch.ts`).
 */
async function claimMessages(tx: Tx, id: DeliveryId, isOfStore: Sql): Promise<ClaimedMessage[]> {
  const rows = await tx.query<StoreDeliveryRow & { release_id: string }>(sql`
    update delivery_stores set message_state = 'sending'
     where org_id = ${toUuid(tx.orgId)} and delivery_id = ${toUuid(id)}
       and message_state in ('dispatched', 'sending')
       and (message_kind = 'takedown'
            or takedown_requested_at is null
               and not exists (select from legal_holds
                                where legal_holds.org_id = delivery_stores.org_id
                                  and legal_holds.release_id = delivery_stores.release_id))
       and store_id in (select store.store_id from stores store where store.status = 'active' and ${isOfStore})
       and not exists (select from store_batches batch
                        where batch.org_id = delivery_stores.org_id and batch.store_id = delivery_stores.store_id
                          and batch.release_id = delivery_stores.release_id
                          and batch.message_id <> delivery_stores.message_id
                          and batch.state = 'complete' and batch.times_out_at > ${tx.now})
    returning ${storeDeliveryColumns}, release_id
  `);
  return rows.map((row) => ({
    storeDelivery: toStoreDelivery(row),
    releaseId: toWire('rel', row.release_id),
  }));
}

type UnsentMessage = Pick<StoreDelivery, 'storeId'> & {
  readonly deliveryId: DeliveryId;
  readonly message: Pick<OutgoingMessage, 'kind' | 'isSentInOrder'>;
};

/** Messages in lanes that are not sent yet, of the oldest deliveries first. */
export async function findUnsentMessages(tx: Tx, limit: number): Promise<UnsentMessage[]> {
  const rows = await tx.query<{
    delivery_id: string;
    store_id: string;
    message_kind: OutgoingMessage['kind'];
    message_in_order: boolean;
  }>(sql`
    select delivery_id, store_id, message_kind, message_in_order from delivery_stores
     where org_id = ${toUuid(tx.orgId)} and message_state in ('dispatched', 'sending')
     order by delivery_id, store_id
     limit ${limit}
  `);
  return rows.map((row) => ({
    deliveryId: toWire('dlv', row.delivery_id),
    storeId: row.store_id,
    message: { kind: row.message_kind, isSentInOrder: row.message_in_order },
  }));
}

/** The ids of the stores whose message was neither replaced nor answered during the send. */
export async function markSent(
  tx: Tx,
  id: DeliveryId,
  sent: readonly Pick<StoreDelivery, 'storeId' | 'message'>[],
): Promise<ReadonlySet<string>> {
  const records = sent.map(({ storeId, message }) => ({
    store_id: storeId,
    message_id: toUuid(message.id),
  }));
  // The commit does not wait for the disk. If it is lost, the message is sent again with the same id.
  tx.write(sql`set local synchronous_commit = off`);
  const rows = await tx.query<{ store_id: string }>(sql`
    update delivery_stores old set message_state = 'sent'
      from json_to_recordset(${json(records)}) as sent (store_id text, message_id uuid)
     where old.org_id = ${toUuid(tx.orgId)} and old.delivery_id = ${toUuid(id)}
       and old.store_id = sent.store_id
       and old.message_id = sent.message_id and old.message_state = 'sending'
    returning old.store_id
  `);
  return new Set(rows.map(({ store_id }) => store_id));
}
