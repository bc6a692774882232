import { type OrgId, type ReleaseId, toUuid, toWire } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allOf, json, type Sql, sql } from '../../platform/db/sql.ts';
import { type StoreCounts, type DeliveryStatus, countStores } from '../domain/aggregate.ts';
import type { Delivery, DeliveryId } from '../domain/delivery.ts';

const columns = sql`
  id, reference, metadata, release_id, revision, status, territory_codes, pending, in_progress, delivered,
  rejected, action_required, takedown_requested, taken_down, dispatches, unsent, dispatch_at, check_at, created_at, updated_at,
  completed_at
`;

type Row = StoreCounts & {
  readonly id: string;
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  readonly release_id: string;
  readonly revision: number;
  readonly status: DeliveryStatus;
  readonly territory_codes: string[];
  readonly dispatches: number;
  readonly unsent: number;
  readonly dispatch_at: Date | null;
  readonly check_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly completed_at: Date | null;
};

const countsIn = (row: StoreCounts): StoreCounts => ({
  pending: row.pending,
  in_progress: row.in_progress,
  delivered: row.delivered,
  rejected: row.rejected,
  action_required: row.action_required,
  takedown_requested: row.takedown_requested,
  taken_down: row.taken_down,
});

const toDelivery = (row: Row): Delivery => ({
  id: toWire('dlv', row.id),
  reference: row.reference,
  metadata: row.metadata,
  releaseId: toWire('rel', row.release_id),
  revision: row.revision,
  status: row.status,
  territoryCodes: row.territory_codes,
  counts: countsIn(row),
  dispatches: row.dispatches,
  unsent: row.unsent,
  dispatchAt: row.dispatch_at,
  checkAt: row.check_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  completedAt: row.completed_at,
});

/** Locked: whoever moves a part of it holds the delivery. */
export async function lockDelivery(tx: Tx, id: DeliveryId): Promise<Delivery | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${columns} from deliveries where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && toDelivery(row);
}

export async function findDelivery(
  db: Db,
  orgId: OrgId,
  id: DeliveryId,
): Promise<Delivery | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${columns} from deliveries where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && toDelivery(row);
}

export type DeliveryFilters = {
  readonly status?: DeliveryStatus | undefined;
  readonly releaseId?: ReleaseId | undefined;
  readonly storeId?: string | undefined;
};

/**
 * Newest first by (created_at, id). Of one store, its parts lead to the deliveries: they carry the same date,
 * and an index in that order.
 */
export async function listDeliveries(
  db: Db,
  orgId: OrgId,
  { status, releaseId, storeId }: DeliveryFilters,
  { limit, after }: PageRequest,
): Promise<Page<Delivery>> {
  const source =
    storeId === undefined
      ? sql`select *, created_at as at, id as place from deliveries`
      : sql`select d.*, s.created_at as at, s.delivery_id as place
              from delivery_stores s join deliveries d on d.org_id = s.org_id and d.id = s.delivery_id
             where s.org_id = ${toUuid(orgId)} and s.store_id = ${storeId}`;
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`];
  if (status !== undefined) where.push(sql`status = ${status}`);
  if (releaseId !== undefined) where.push(sql`release_id = ${toUuid(releaseId)}`);
  if (after !== undefined) {
    where.push(sql`(at, place) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  const rows = await db.query<Row & { position: string }>(sql`
    select ${columns}, at::text as position
      from (${source}) listed
     where ${allOf(where)}
     order by at desc, place desc
     limit ${limit + 1}
  `);
  return toPage(rows, countFittingRows(rows, limit), {
    item: toDelivery,
    position: ({ position, id }) => ({ at: position, id }),
  });
}

/** A page ends early where deliveries have many stores: some megabytes are enough. */
const storesPerPageMax = 4_000;

function countFittingRows(rows: readonly StoreCounts[], limit: number): number {
  let storeCount = 0;
  const tooMany = rows.findIndex((row) => (storeCount += countStores(row)) > storesPerPageMax);
  return tooMany === -1 ? limit : Math.min(limit, Math.max(1, tooMany));
}

/** A release has as many as it has stores, at the most, and those that were taken down. */
const deliveriesOfReleaseMax = 10_000;

/** All that are not gone, locked in one order, before anything of them is changed. */
export async function lockDeliveriesOf(tx: Tx, releaseId: ReleaseId): Promise<DeliveryId[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from deliveries
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)} and status <> 'taken_down'
     order by id limit ${deliveriesOfReleaseMax} for update
  `);
  return rows.map(({ id }) => toWire('dlv', id));
}

export type MissingRelease = {
  readonly releaseId: ReleaseId;
  readonly territoryCodes: readonly TerritoryCode[];
};

/** Releases that some store has and this one never had, with the territories their newest delivery asked for. */
export async function findReleasesMissingAt(
  tx: Tx,
  storeId: string,
  after: ReleaseId | undefined,
  limit: number,
): Promise<MissingRelease[]> {
  const behind = after === undefined ? sql`true` : sql`d.release_id > ${toUuid(after)}`;
  const rows = await tx.query<{ release_id: string; territory_codes: string[] }>(sql`
    select distinct on (d.release_id) d.release_id, d.territory_codes from deliveries d
     where d.org_id = ${toUuid(tx.orgId)} and d.delivered > 0 and ${behind}
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

/** Those with stores that are not dispatched yet. */
export async function findPendingDeliveries(tx: Tx, releaseId: ReleaseId): Promise<DeliveryId[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from deliveries
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)} and pending > 0
     order by id limit ${deliveriesOfReleaseMax}
  `);
  return rows.map(({ id }) => toWire('dlv', id));
}

/** The stores of all deliveries of a release but one, counted by state. */
export async function countStoresOfOtherDeliveries(
  tx: Tx,
  { id, releaseId }: Pick<Delivery, 'id' | 'releaseId'>,
): Promise<StoreCounts> {
  const [row] = await tx.query<StoreCounts>(sql`
    select coalesce(sum(pending), 0)::int as pending, coalesce(sum(in_progress), 0)::int as in_progress,
           coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(rejected), 0)::int as rejected,
           coalesce(sum(action_required), 0)::int as action_required,
           coalesce(sum(takedown_requested), 0)::int as takedown_requested,
           coalesce(sum(taken_down), 0)::int as taken_down
      from deliveries
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)} and id <> ${toUuid(id)}
  `);
  if (row === undefined) throw new Error('a sum has one row');
  return countsIn(row);
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
  const { counts } = delivery;
  tx.write(sql`
    insert into deliveries (org_id, ${columns}, actor_type, actor_id)
    values (${toUuid(tx.orgId)}, ${toUuid(delivery.id)}, ${delivery.reference}, ${json(delivery.metadata)},
            ${toUuid(delivery.releaseId)}, ${delivery.revision}, ${delivery.status}, ${delivery.territoryCodes},
            ${counts.pending}, ${counts.in_progress}, ${counts.delivered}, ${counts.rejected},
            ${counts.action_required}, ${counts.takedown_requested}, ${counts.taken_down},
            ${delivery.dispatches}, ${delivery.unsent}, ${delivery.dispatchAt}, ${delivery.checkAt}, ${delivery.createdAt}, ${delivery.updatedAt},
            ${delivery.completedAt}, ${tx.actor.type}, ${tx.actor.id})
  `);
}

export function updateDelivery(tx: Tx, delivery: Delivery): void {
  const { counts } = delivery;
  tx.write(sql`
    update deliveries
       set revision = ${delivery.revision}, status = ${delivery.status}, pending = ${counts.pending},
           in_progress = ${counts.in_progress}, delivered = ${counts.delivered}, rejected = ${counts.rejected},
           action_required = ${counts.action_required}, takedown_requested = ${counts.takedown_requested},
           taken_down = ${counts.taken_down}, dispatches = ${delivery.dispatches}, unsent = ${delivery.unsent},
           dispatch_at = ${delivery.dispatchAt}, check_at = ${delivery.checkAt},
           updated_at = ${delivery.updatedAt}, completed_at = ${delivery.completedAt},
           actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(delivery.id)}
  `);
}
