import { type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  insertInto,
  jsonb,
  nullable,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allOf, listLimit, type Sql, sql } from '../../platform/db/sql.ts';
import { type StoreCounts, type DeliveryStatus, countStores } from '../domain/aggregate.ts';
import type { Delivery, DeliveryId } from '../domain/delivery.ts';

/** One column for each status of a store delivery. */
const counts = defineColumns<StoreCounts>({
  pending: plain(),
  in_progress: plain(),
  delivered: plain(),
  rejected: plain(),
  action_required: plain(),
  takedown_requested: plain(),
  taken_down: plain(),
});

const fields = defineColumns<Omit<Delivery, 'counts'>>({
  id: idColumn('dlv'),
  reference: plain(),
  metadata: jsonb(),
  releaseId: idColumn('rel'),
  revision: plain(),
  status: plain(),
  territoryCodes: plain(),
  dispatches: plain(),
  unsent: plain(),
  dispatchAt: plain(),
  dispatchTimerId: nullable(idColumn('tmr')),
  checkAt: plain(),
  createdAt: plain(),
  updatedAt: plain(),
  completedAt: plain(),
});

const names = sql`${fields.names}, ${counts.names}`;

const toDelivery = (row: Row): Delivery => ({ ...fields.read(row), counts: counts.read(row) });

const toRow = (tx: Tx, delivery: Delivery): Row => ({
  ...fields.write(delivery),
  ...counts.write(delivery.counts),
  ...actorColumns(tx),
});

/** Every transaction that changes a store delivery locks its delivery first; lanes are the exception. */
export async function lockDelivery(tx: Tx, id: DeliveryId): Promise<Delivery | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${names} from deliveries where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && toDelivery(row);
}

export async function findDelivery(
  db: Db,
  orgId: OrgId,
  id: DeliveryId,
): Promise<Delivery | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${names} from deliveries where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && toDelivery(row);
}

export type DeliveryFilters = {
  readonly status?: DeliveryStatus | undefined;
  readonly releaseId?: ReleaseId | undefined;
  readonly storeId?: string | undefined;
};

/**
 * Newest first by (created_at, id). With `storeId`, the page is read from delivery_stores, which has the same
 * created_at and an index in this order.
 */
export async function listDeliveries(
  db: Db,
  orgId: OrgId,
  { status, releaseId, storeId }: DeliveryFilters,
  { limit, after }: PageRequest,
): Promise<Page<Delivery>> {
  const source =
    storeId === undefined
      ? sql`select *, created_at as page_at, id as page_id from deliveries`
      : sql`select d.*, s.created_at as page_at, s.delivery_id as page_id
              from delivery_stores s join deliveries d on d.org_id = s.org_id and d.id = s.delivery_id
             where s.org_id = ${toUuid(orgId)} and s.store_id = ${storeId}`;
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`];
  if (status !== undefined) where.push(sql`status = ${status}`);
  if (releaseId !== undefined) where.push(sql`release_id = ${toUuid(releaseId)}`);
  const isFiltered = storeId !== undefined || where.length > 1;
  if (after !== undefined) {
    where.push(sql`(page_at, page_id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  const rows = await db.query<Row & { id: string; position: string }>(sql`
    select ${names}, page_at::text as position
      from (${source}) listed
     where ${allOf(where)}
     order by page_at desc, page_id desc
     ${listLimit(limit + 1, isFiltered)}
  `);
  return toPage(rows, countFittingRows(rows, limit), {
    item: toDelivery,
    position: ({ position, id }) => ({ at: position, id }),
  });
}

/** Ends a page early if its deliveries have many stores, so that a response stays at a few megabytes. */
const storesPerPageMax = 4_000;

function countFittingRows(rows: readonly Row[], limit: number): number {
  let storeCount = 0;
  const firstBeyond = rows.findIndex(
    (row) => (storeCount += countStores(counts.read(row))) > storesPerPageMax,
  );
  return firstBeyond === -1 ? limit : Math.min(limit, Math.max(1, firstBeyond));
}

/** A release has at most one delivery for each store, and those that were taken down. */
const deliveriesOfReleaseMax = 10_000;

/** All that are not taken down, locked by id: two transactions that lock several deliveries cannot deadlock. */
export async function lockDeliveriesOf(tx: Tx, releaseId: ReleaseId): Promise<DeliveryId[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from deliveries
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)} and status <> 'taken_down'
     order by id limit ${deliveriesOfReleaseMax} for update
  `);
  return rows.map(({ id }) => toWire('dlv', id));
}

/** Locks the existing ones by id, and returns them in groups of one release, by release. */
export async function lockDeliveriesByRelease(
  tx: Tx,
  ids: readonly DeliveryId[],
): Promise<DeliveryId[][]> {
  const rows = await tx.query<{ id: string; release_id: string }>(sql`
    select id, release_id from deliveries
     where org_id = ${toUuid(tx.orgId)} and id = any(${ids.map(toUuid)}::uuid[])
     order by id for update
  `);
  const byRelease = rows.toSorted((a, b) => (a.release_id < b.release_id ? -1 : 1));
  return [...Map.groupBy(byRelease, ({ release_id }) => release_id).values()].map((ofRelease) =>
    ofRelease.map(({ id }) => toWire('dlv', id)),
  );
}

export type MissingRelease = {
  readonly releaseId: ReleaseId;
  readonly territoryCodes: readonly TerritoryCode[];
};

/** Releases that another store has and this store was never sent, with the territories of their newest delivery. */
export async function findReleasesMissingAt(
  tx: Tx,
  storeId: string,
  after: ReleaseId | undefined,
  limit: number,
): Promise<MissingRelease[]> {
  const isAfter = after === undefined ? sql`true` : sql`d.release_id > ${toUuid(after)}`;
  const rows = await tx.query<{ release_id: string; territory_codes: string[] }>(sql`
    select distinct on (d.release_id) d.release_id, d.territory_codes from deliveries d
     where d.org_id = ${toUuid(tx.orgId)} and d.delivered > 0 and ${isAfter}
       and not exists (select from deliveries other
                         join delivery_stores s on s.org_id = other.org_id and s.delivery_id = other.id
                        where other.org_id = d.org_id and other.release_id = d.release_id
                          and s.store_id = ${storeId})
     order by d.release_id, d.created_at desc limit ${limit}
  `);
  return rows.map((row) => ({
    releaseId: toWire('rel', row.release_id),
    territoryCodes: row.territory_codes,
  }));
}

/** Deliveries with a store that is not dispatched yet. */
export async function findPendingDeliveries(tx: Tx, releaseId: ReleaseId): Promise<DeliveryId[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from deliveries
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)} and pending > 0
     order by id limit ${deliveriesOfReleaseMax}
  `);
  return rows.map(({ id }) => toWire('dlv', id));
}

/** Counts the stores of the other deliveries of a release by status. */
export async function countStoresOfOtherDeliveries(
  tx: Tx,
  { id, releaseId }: Pick<Delivery, 'id' | 'releaseId'>,
): Promise<StoreCounts> {
  const [row] = await tx.query<Row>(sql`
    select coalesce(sum(pending), 0)::int as pending, coalesce(sum(in_progress), 0)::int as in_progress,
           coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(rejected), 0)::int as rejected,
           coalesce(sum(action_required), 0)::int as action_required,
           coalesce(sum(takedown_requested), 0)::int as takedown_requested,
           coalesce(sum(taken_down), 0)::int as taken_down
      from deliveries
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)} and id <> ${toUuid(id)}
  `);
  if (row === undefined) throw new Error('a sum has one row');
  return counts.read(row);
}

export async function findDeliveryIdByReference(
  tx: Tx,
  reference: string | null,
): Promise<DeliveryId | undefined> {
  if (reference === null) return undefined;
  const [row] = await tx.query<{ id: string }>(sql`
    select id from deliveries where org_id = ${toUuid(tx.orgId)} and reference = ${reference}
  `);
  return row && toWire('dlv', row.id);
}

export function insertDelivery(tx: Tx, delivery: Delivery): void {
  tx.write(insertInto('deliveries', { org_id: toUuid(tx.orgId), ...toRow(tx, delivery) }));
}

/** Writes every column but the key and those that never change. */
export function updateDelivery(tx: Tx, delivery: Delivery): void {
  const {
    id,
    reference: _reference,
    metadata: _metadata,
    release_id: _releaseId,
    territory_codes: _territoryCodes,
    created_at: _createdAt,
    ...changes
  } = toRow(tx, delivery);
  tx.write(updateWhere('deliveries', changes, { org_id: toUuid(tx.orgId), id }));
}
