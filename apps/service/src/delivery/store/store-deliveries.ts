import { type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import { packTerritories, unpackTerritories } from '../../kernel/territory-set.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { Delivery, DeliveryId } from '../domain/delivery.ts';
import type { OutgoingMessage } from '../domain/message.ts';
import type { StoreDeliveryStatus, StoreDelivery } from '../domain/store-delivery.ts';

const columns = sql`
  store_id, status, territories, revision, pending_revision, pending_territories, rejection_code, rejection_reason, expected_by,
  is_overdue, live_at, store_url, takedown_wanted, may_still_publish, message_id, message_kind, message_state,
  message_in_order, updated_at
`;

type Row = {
  readonly store_id: string;
  readonly status: StoreDeliveryStatus;
  readonly territories: Buffer;
  readonly revision: number;
  readonly pending_revision: number | null;
  readonly pending_territories: Buffer | null;
  readonly rejection_code: string | null;
  readonly rejection_reason: string | null;
  readonly expected_by: Date | null;
  readonly is_overdue: boolean;
  readonly live_at: Date | null;
  readonly store_url: string | null;
  readonly takedown_wanted: boolean;
  readonly may_still_publish: boolean;
  readonly message_id: string;
  readonly message_kind: OutgoingMessage['kind'];
  readonly message_state: OutgoingMessage['state'];
  readonly message_in_order: boolean;
  readonly updated_at: Date;
};

const toStoreDelivery = (row: Row): StoreDelivery => ({
  storeId: row.store_id,
  status: row.status,
  territoryCodes: unpackTerritories(row.territories),
  revision: row.revision,
  pendingRevision: row.pending_revision,
  pendingTerritoryCodes:
    row.pending_territories === null ? null : unpackTerritories(row.pending_territories),
  rejection:
    row.rejection_reason === null
      ? null
      : { code: row.rejection_code, reason: row.rejection_reason },
  expectedBy: row.expected_by,
  isOverdue: row.is_overdue,
  liveAt: row.live_at,
  storeUrl: row.store_url,
  takedownWanted: row.takedown_wanted,
  mayStillPublish: row.may_still_publish,
  message: {
    id: toWire('msg', row.message_id),
    kind: row.message_kind,
    state: row.message_state,
    isSentInOrder: row.message_in_order,
  },
  updatedAt: row.updated_at,
});

const asHex = (codes: readonly TerritoryCode[]): string =>
  Buffer.from(packTerritories(codes)).toString('hex');

/** As `json_to_recordset` reads them. */
const toRecord = (storeDelivery: StoreDelivery) => ({
  store_id: storeDelivery.storeId,
  status: storeDelivery.status,
  territories: asHex(storeDelivery.territoryCodes),
  revision: storeDelivery.revision,
  pending_revision: storeDelivery.pendingRevision,
  pending_territories:
    storeDelivery.pendingTerritoryCodes === null
      ? null
      : asHex(storeDelivery.pendingTerritoryCodes),
  rejection_code: storeDelivery.rejection?.code ?? null,
  rejection_reason: storeDelivery.rejection?.reason ?? null,
  expected_by: storeDelivery.expectedBy,
  is_overdue: storeDelivery.isOverdue,
  live_at: storeDelivery.liveAt,
  store_url: storeDelivery.storeUrl,
  takedown_wanted: storeDelivery.takedownWanted,
  may_still_publish: storeDelivery.mayStillPublish,
  message_id: toUuid(storeDelivery.message.id),
  message_kind: storeDelivery.message.kind,
  message_state: storeDelivery.message.state,
  message_in_order: storeDelivery.message.isSentInOrder,
  updated_at: storeDelivery.updatedAt,
});

const recordColumns = sql`
  store_id text, status text, territories text, revision integer, pending_revision integer, pending_territories text, rejection_code text,
  rejection_reason text, expected_by timestamptz, is_overdue boolean, live_at timestamptz, store_url text,
  takedown_wanted boolean, may_still_publish boolean, message_id uuid, message_kind text, message_state text, message_in_order boolean, updated_at timestamptz
`;

/** By store. */
export async function listStoreDeliveries(
  db: Db,
  orgId: OrgId,
  id: DeliveryId,
): Promise<StoreDelivery[]> {
  const rows = await db.query<Row>(sql`
    select ${columns} from delivery_stores
     where org_id = ${toUuid(orgId)} and delivery_id = ${toUuid(id)}
     order by store_id
  `);
  return rows.map(toStoreDelivery);
}

/**
 * For whoever moves them: he holds the delivery already, but the lanes, which only say that they are sending
 * and have sent, hold no more than the part.
 */
export async function lockStoreDeliveries(
  tx: Tx,
  id: DeliveryId,
  which: readonly string[] | 'all' | 'unsent' = 'all',
): Promise<StoreDelivery[]> {
  const chosen =
    which === 'all'
      ? sql`true`
      : which === 'unsent'
        ? sql`message_state in ('queued', 'dispatched', 'sending')`
        : sql`store_id = any(${which})`;
  const rows = await tx.query<Row>(sql`
    select ${columns} from delivery_stores
     where org_id = ${toUuid(tx.orgId)} and delivery_id = ${toUuid(id)} and ${chosen}
     order by store_id for update
  `);
  return rows.map(toStoreDelivery);
}

export type ClaimedMessage = {
  readonly storeDelivery: StoreDelivery;
  readonly releaseId: ReleaseId;
};

/**
 * It is about to be sent, from now on: whoever wants it back must ask the store. Undefined where nothing is, or
 * where it must not leave.
 */
export async function claimMessage(
  tx: Tx,
  id: DeliveryId,
  storeId: string,
): Promise<ClaimedMessage | undefined> {
  const [row] = await tx.query<Row & { release_id: string }>(sql`
    update delivery_stores set message_state = 'sending'
     where org_id = ${toUuid(tx.orgId)} and delivery_id = ${toUuid(id)} and store_id = ${storeId}
       and message_state in ('dispatched', 'sending')
       and (message_kind = 'takedown'
            or not takedown_wanted
               and not exists (select from legal_holds held
                                where held.org_id = delivery_stores.org_id
                                  and held.release_id = delivery_stores.release_id))
       and exists (select from stores where stores.store_id = ${storeId} and stores.status = 'active')
    returning ${columns}, release_id
  `);
  return row && { storeDelivery: toStoreDelivery(row), releaseId: toWire('rel', row.release_id) };
}

export type UnsentMessage = {
  readonly deliveryId: DeliveryId;
  readonly storeId: string;
  readonly message: Pick<OutgoingMessage, 'kind' | 'isSentInOrder'>;
};

/** What lanes were told to send and have not sent, the oldest first. */
export async function findUnsentMessages(tx: Tx, limit: number): Promise<UnsentMessage[]> {
  const rows = await tx.query<
    Pick<Row, 'store_id' | 'message_kind' | 'message_in_order'> & { delivery_id: string }
  >(sql`
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

/** Of a page of deliveries. */
export async function listStoreDeliveriesOfAll(
  db: Db,
  orgId: OrgId,
  ids: readonly DeliveryId[],
): Promise<ReadonlyMap<DeliveryId, readonly StoreDelivery[]>> {
  const rows = await db.query<Row & { delivery_id: string }>(sql`
    select delivery_id, ${columns} from delivery_stores
     where org_id = ${toUuid(orgId)} and delivery_id = any(${ids.map(toUuid)})
     order by delivery_id, store_id
  `);
  const found = new Map<DeliveryId, StoreDelivery[]>(ids.map((id) => [id, []]));
  for (const row of rows) found.get(toWire('dlv', row.delivery_id))?.push(toStoreDelivery(row));
  return found;
}

/** Which of these stores another delivery of the release serves (contract §3). */
export async function findConflicts(
  tx: Tx,
  releaseId: ReleaseId,
  storeIds: readonly string[],
): Promise<{ readonly storeId: string; readonly deliveryId: DeliveryId }[]> {
  const rows = await tx.query<{ store_id: string; delivery_id: string }>(sql`
    select store_id, delivery_id from delivery_stores
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)}
       and store_id = any(${storeIds}) and not is_taken_down
     order by store_id
  `);
  return rows.map((row) => ({
    storeId: row.store_id,
    deliveryId: toWire('dlv', row.delivery_id),
  }));
}

export function insertStoreDeliveries(
  tx: Tx,
  delivery: Delivery,
  storeDeliveries: readonly StoreDelivery[],
): void {
  tx.write(sql`
    insert into delivery_stores (org_id, delivery_id, release_id, created_at, ${columns})
    select ${toUuid(tx.orgId)}, ${toUuid(delivery.id)}, ${toUuid(delivery.releaseId)}, ${delivery.createdAt},
           store_id, status, decode(territories, 'hex'), revision, pending_revision,
           decode(pending_territories, 'hex'), rejection_code, rejection_reason, expected_by, is_overdue, live_at,
           store_url, takedown_wanted, may_still_publish, message_id, message_kind, message_state, message_in_order, updated_at
      from json_to_recordset(${json(storeDeliveries.map(toRecord))}) as record (${recordColumns})
  `);
}

/** Everything a step can touch. */
export function updateStoreDeliveries(
  tx: Tx,
  id: DeliveryId,
  storeDeliveries: readonly StoreDelivery[],
): void {
  tx.write(sql`
    update delivery_stores old
       set status = record.status, territories = decode(record.territories, 'hex'), revision = record.revision,
           pending_revision = record.pending_revision,
           pending_territories = decode(record.pending_territories, 'hex'),
           rejection_code = record.rejection_code, rejection_reason = record.rejection_reason,
           expected_by = record.expected_by, is_overdue = record.is_overdue, live_at = record.live_at,
           store_url = record.store_url, takedown_wanted = record.takedown_wanted, may_still_publish = record.may_still_publish,
           message_id = record.message_id, message_kind = record.message_kind,
           message_state = record.message_state, message_in_order = record.message_in_order,
           updated_at = record.updated_at
      from json_to_recordset(${json(storeDeliveries.map(toRecord))}) as record (${recordColumns})
     where old.org_id = ${toUuid(tx.orgId)} and old.delivery_id = ${toUuid(id)}
       and old.store_id = record.store_id
  `);
}

/** Whether it was so: that a message has left, and neither was replaced since nor answered already. */
export async function markSent(
  tx: Tx,
  id: DeliveryId,
  { storeId, message }: Pick<StoreDelivery, 'storeId' | 'message'>,
): Promise<boolean> {
  // Not waited for until it is on the disk: if it is lost there, the message is sent again under its own id.
  tx.write(sql`set local synchronous_commit = off`);
  const rows = await tx.query(sql`
    update delivery_stores set message_state = 'sent'
     where org_id = ${toUuid(tx.orgId)} and delivery_id = ${toUuid(id)} and store_id = ${storeId}
       and message_id = ${toUuid(message.id)} and message_state = 'sending'
    returning store_id
  `);
  return rows.length > 0;
}
