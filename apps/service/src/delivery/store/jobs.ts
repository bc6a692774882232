import { type OrgId, toUuid } from '../../kernel/ids.ts';
import {
  defineColumns,
  idColumn,
  insertInto,
  jsonb,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { removeInBatches } from '../../platform/db/remove-in-batches.ts';
import { json, sql } from '../../platform/db/sql.ts';
import {
  isPending,
  type Item,
  itemOf,
  type ItemRequest,
  type ItemResult,
  itemsPerBatch,
  type Job,
  type JobId,
} from '../domain/job.ts';

const fields = defineColumns<Omit<Job, 'actor'>>({
  id: idColumn('job'),
  action: plain(),
  status: plain(),
  defaults: jsonb(),
  total: plain(),
  succeeded: plain(),
  failed: plain(),
  createdAt: plain(),
  updatedAt: plain(),
  completedAt: plain(),
});

const names = sql`${fields.names}, actor_type, actor_id`;

const toJob = (row: Row): Job => ({
  ...fields.read(row),
  // `insertJob` wrote these columns from an Actor.
  actor: { type: row['actor_type'], id: row['actor_id'] } as Job['actor'],
});

export function insertJob(tx: Tx, job: Job, items: readonly ItemRequest[]): void {
  tx.write(
    insertInto('delivery_jobs', {
      org_id: toUuid(tx.orgId),
      ...fields.write(job),
      actor_type: job.actor.type,
      actor_id: job.actor.id,
    }),
  );
  const batches = Array.from({ length: Math.ceil(items.length / itemsPerBatch) }, (_, i) =>
    items.slice(i * itemsPerBatch, (i + 1) * itemsPerBatch),
  );
  tx.write(sql`
    insert into delivery_job_items (org_id, job_id, position, request, status)
    select ${toUuid(tx.orgId)}, ${toUuid(job.id)}, (batch.number - 1) * ${itemsPerBatch}::integer, batch.request, 'pending'
      from json_array_elements(${json(batches)}::json) with ordinality as batch (request, number)
  `);
}

/** Counts up to `max`. The advisory lock lets one transaction at a time count and create a job of the organization. */
export async function countRunningJobs(tx: Tx, max: number): Promise<number> {
  tx.write(sql`select pg_advisory_xact_lock(hashtextextended(${tx.orgId}, 20))`);
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count
      from (select from delivery_jobs
             where org_id = ${toUuid(tx.orgId)} and status = 'running' and actor_type <> 'operator'
             limit ${max}) as running
  `);
  return row?.count ?? 0;
}

export async function findJob(db: Db, orgId: OrgId, id: JobId): Promise<Job | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${names} from delivery_jobs where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && toJob(row);
}

export async function lockJob(tx: Tx, id: JobId): Promise<Job | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${names} from delivery_jobs where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && toJob(row);
}

/**
 * A batch of items; `position` is that of the first. The results have the order of the requests, null for a pending
 * item. A row from before batches has one request and one result, not arrays.
 */
type BatchRow = {
  readonly position: number;
  readonly request: ItemRequest | readonly ItemRequest[];
  readonly result: ItemResult | readonly (ItemResult | null)[] | null;
};

const toItems = ({ position, request, result }: BatchRow): Item[] => {
  const results = [result].flat();
  return [request].flat().map((each, i) => itemOf(position + i, each, results[i] ?? null));
};

export async function listItems(db: Db, orgId: OrgId, id: JobId): Promise<Item[]> {
  const rows = await db.query<BatchRow>(sql`
    select position, request, result from delivery_job_items
     where org_id = ${toUuid(orgId)} and job_id = ${toUuid(id)}
     order by position
  `);
  return rows.flatMap(toItems);
}

/** All items of the first batch with a pending item; empty when the job is done. */
export async function findNextBatch(tx: Tx, id: JobId): Promise<Item[]> {
  const rows = await tx.query<BatchRow>(sql`
    select position, request, result from delivery_job_items
     where org_id = ${toUuid(tx.orgId)} and job_id = ${toUuid(id)} and status = 'pending'
     order by position limit 1
  `);
  return rows.flatMap(toItems);
}

/** `items` are all items of the batch, in order. */
export function updateBatch(tx: Tx, id: JobId, items: readonly Item[]): void {
  const status = items.some(isPending) ? 'pending' : 'done';
  const results = items.map(({ result }) => result);
  tx.write(sql`
    update delivery_job_items set status = ${status}, result = ${json(results)}
     where org_id = ${toUuid(tx.orgId)} and job_id = ${toUuid(id)} and position = ${items[0]?.position}
  `);
}

/** Writes what `advanceJob` changes. */
export function updateJob(tx: Tx, job: Job): void {
  const { id, status, succeeded, failed, updated_at, completed_at } = fields.write(job);
  const settled_at = job.status === 'completed' ? sql`now()` : null;
  const changes = { status, succeeded, failed, updated_at, completed_at, settled_at };
  tx.write(updateWhere('delivery_jobs', changes, { org_id: toUuid(tx.orgId), id }));
}

/** A job has up to a thousand items. */
const jobsPerBatch = 5;

/** Jobs of every organization, oldest first: row-level security shows the worker jobs settled 30 days ago. */
export const removeSettledJobs = (db: Db): Promise<void> =>
  removeInBatches(jobsPerBatch, async (limit) => {
    const removed = await db.query(sql`
      with settled as (
        select org_id, id from delivery_jobs where settled_at < now() - interval '30 days'
         order by settled_at limit ${limit}
      ), items as (
        delete from delivery_job_items
         where (org_id, job_id) in (select org_id, id from settled)
      )
      delete from delivery_jobs where (org_id, id) in (select org_id, id from settled)
      returning id
    `);
    return removed.length;
  });
