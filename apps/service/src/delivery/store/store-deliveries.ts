import { type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { UseType } from '../../kernel/use-type.ts';
import { defineColumns, idColumn, nullable, plain, type Row } from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, type Sql, sql } from '../../platform/db/sql.ts';
import type { TrackDeal } from '../domain/deal.ts';
import type { Delivery, DeliveryId } from '../domain/delivery.ts';
import type { MessageId, OutgoingMessage } from '../domain/message.ts';
import type { StoreDelivery, TakedownRequester } from '../domain/store-delivery.ts';
import { storeUpdate, territorySet, trackDeals, useTypeSet } from './deal-columns.ts';

type StoredFields = Omit<
  StoreDelivery,
  'storeId' | 'deal' | 'rejection' | 'takedown' | 'message'
> & {
  readonly territories: readonly TerritoryCode[];
  readonly isWorldwide: boolean;
  readonly useTypes: readonly UseType[];
  readonly trackDeals: readonly TrackDeal[];
  readonly rejectionCode: string | null;
  readonly rejectionReason: string | null;
  readonly takedownRequestedAt: Date | null;
  readonly takedownRequestedBy: TakedownRequester | null;
  readonly messageId: MessageId;
  readonly messageKind: OutgoingMessage['kind'];
  readonly messageState: OutgoingMessage['state'];
  readonly messageInOrder: boolean;
};

/** Every column that a step can change. */
const fields = defineColumns<StoredFields>({
  status: plain(),
  waitingFor: plain(),
  requestedTerritoryCodes: plain(),
  territories: territorySet,
  isWorldwide: plain(),
  useTypes: useTypeSet,
  trackDeals,
  revision: plain(),
  update: nullable(storeUpdate),
  rejectionCode: plain(),
  rejectionReason: plain(),
  acknowledgedAt: plain(),
  expectedBy: plain(),
  isOverdue: plain(),
  liveAt: plain(),
  liveBasis: plain(),
  storeUrl: plain(),
  deliveredBy: nullable(idColumn('msg')),
  takedownRequestedAt: plain(),
  takedownRequestedBy: plain(),
  takenDownBy: plain(),
  mayStillPublish: plain(),
  messageId: idColumn('msg'),
  messageKind: plain(),
  messageState: plain(),
  messageInOrder: plain(),
  updatedAt: plain(),
});

/** For statements in other files. */
export const storeDeliveryColumns = sql`store_id, ${fields.names}`;

export type StoreDeliveryRow = Row & { readonly store_id: string };

export function toStoreDelivery(row: StoreDeliveryRow): StoreDelivery {
  const {
    territories: territoryCodes,
    isWorldwide,
    useTypes,
    trackDeals: tracks,
    rejectionCode: code,
    rejectionReason: reason,
    takedownRequestedAt: requestedAt,
    takedownRequestedBy: by,
    messageId,
    messageKind,
    messageState,
    messageInOrder,
    ...others
  } = fields.read(row);
  return {
    ...others,
    storeId: row.store_id,
    deal: { territoryCodes, isWorldwide, useTypes, tracks },
    rejection: code === null || reason === null ? null : { code, reason },
    takedown: requestedAt === null || by === null ? null : { requestedAt, by },
    message: {
      id: messageId,
      kind: messageKind,
      state: messageState,
      isSentInOrder: messageInOrder,
    },
  };
}

const toRow = (storeDelivery: StoreDelivery): StoreDeliveryRow => ({
  store_id: storeDelivery.storeId,
  ...fields.write({
    ...storeDelivery,
    territories: storeDelivery.deal.territoryCodes,
    isWorldwide: storeDelivery.deal.isWorldwide,
    useTypes: storeDelivery.deal.useTypes,
    trackDeals: storeDelivery.deal.tracks,
    rejectionCode: storeDelivery.rejection?.code ?? null,
    rejectionReason: storeDelivery.rejection?.reason ?? null,
    takedownRequestedAt: storeDelivery.takedown?.requestedAt ?? null,
    takedownRequestedBy: storeDelivery.takedown?.by ?? null,
    messageId: storeDelivery.message.id,
    messageKind: storeDelivery.message.kind,
    messageState: storeDelivery.message.state,
    messageInOrder: storeDelivery.message.isSentInOrder,
  }),
});

/** The rows as a table expression, for one statement that writes them all. */
const rowSet = (storeDeliveries: readonly StoreDelivery[]): Sql =>
  sql`json_populate_recordset(null::delivery_stores, ${json(storeDeliveries.map(toRow))})`;

export async function listStoreDeliveries(
  db: Db,
  orgId: OrgId,
  id: DeliveryId,
): Promise<StoreDelivery[]> {
  const rows = await db.query<StoreDeliveryRow>(sql`
    select ${storeDeliveryColumns} from delivery_stores
     where org_id = ${toUuid(orgId)} and delivery_id = ${toUuid(id)}
     order by store_id
  `);
  return rows.map(toStoreDelivery);
}

/** Earlier deliveries than these decide since when a store has music of the organization. */
const firstDeliveriesMax = 1_000;

/** When the first release was available at each store that ever had one, by `store_id`. */
export async function findFirstLiveTimes(
  db: Db,
  orgId: OrgId,
  storeIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.query<{ store_id: string; live_at: Date | null }>(sql`
    select store.store_id, first.live_at
      from unnest(${storeIds}::text[]) store (store_id)
     cross join lateral (
       select min(live_at) as live_at
         from (select live_at from delivery_stores
                where org_id = ${toUuid(orgId)} and store_id = store.store_id and live_at is not null
                order by created_at limit ${firstDeliveriesMax}) earliest) first
  `);
  return new Map(
    rows.flatMap((row) => (row.live_at === null ? [] : [[row.store_id, row.live_at]])),
  );
}

export async function findStoreDelivery(
  db: Db,
  orgId: OrgId,
  id: DeliveryId,
  storeId: string,
): Promise<StoreDelivery | undefined> {
  const [row] = await db.query<StoreDeliveryRow>(sql`
    select ${storeDeliveryColumns} from delivery_stores
     where org_id = ${toUuid(orgId)} and delivery_id = ${toUuid(id)} and store_id = ${storeId}
  `);
  return row && toStoreDelivery(row);
}

/**
 * The caller has locked the delivery. These row locks exclude the lanes, which lock only the store delivery when they
 * claim a message and record it as sent.
 */
export async function lockStoreDeliveries(
  tx: Tx,
  id: DeliveryId,
  selection: readonly string[] | 'all' | 'unsent' = 'all',
): Promise<StoreDelivery[]> {
  const isSelected =
    selection === 'all'
      ? sql`true`
      : selection === 'unsent'
        ? sql`message_state in ('queued', 'dispatched', 'sending')`
        : sql`store_id = any(${selection})`;
  const rows = await tx.query<StoreDeliveryRow>(sql`
    select ${storeDeliveryColumns} from delivery_stores
     where org_id = ${toUuid(tx.orgId)} and delivery_id = ${toUuid(id)} and ${isSelected}
     order by store_id for update
  `);
  return rows.map(toStoreDelivery);
}

/** The store deliveries of each delivery on a page. */
export async function listStoreDeliveriesOfAll(
  db: Db,
  orgId: OrgId,
  ids: readonly DeliveryId[],
): Promise<ReadonlyMap<DeliveryId, readonly StoreDelivery[]>> {
  const rows = await db.query<StoreDeliveryRow & { delivery_id: string }>(sql`
    select delivery_id, ${storeDeliveryColumns} from delivery_stores
     where org_id = ${toUuid(orgId)} and delivery_id = any(${ids.map(toUuid)})
     order by delivery_id, store_id
  `);
  const found = new Map<DeliveryId, StoreDelivery[]>(ids.map((id) => [id, []]));
  for (const row of rows) found.get(toWire('dlv', row.delivery_id))?.push(toStoreDelivery(row));
  return found;
}

/** The stores among these that already have a delivery of the release (contract §3). */
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
    insert into delivery_stores (org_id, delivery_id, release_id, created_at, ${storeDeliveryColumns})
    select ${toUuid(tx.orgId)}, ${toUuid(delivery.id)}, ${toUuid(delivery.releaseId)}, ${delivery.createdAt}, ${storeDeliveryColumns}
      from ${rowSet(storeDeliveries)}
  `);
}

const assignments = fields.assignFrom('changed');

/**
 * Writes every column that a step can change. The stores are named twice: by the join alone PostgreSQL would read all
 * stores of the delivery to change one.
 */
export function updateStoreDeliveries(
  tx: Tx,
  id: DeliveryId,
  storeDeliveries: readonly StoreDelivery[],
): void {
  tx.write(sql`
    update delivery_stores old
       set ${assignments}
      from ${rowSet(storeDeliveries)} changed
     where old.org_id = ${toUuid(tx.orgId)} and old.delivery_id = ${toUuid(id)}
       and old.store_id = any(${storeDeliveries.map(({ storeId }) => storeId)})
       and old.store_id = changed.store_id
  `);
}
