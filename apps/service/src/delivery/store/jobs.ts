import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
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

const columns = sql`id, action, status, defaults, total, succeeded, failed, created_at, updated_at, completed_at, actor_type, actor_id`;

type Row = {
  readonly id: string;
  readonly action: Job['action'];
  readonly status: Job['status'];
  readonly defaults: Job['defaults'];
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly completed_at: Date | null;
  readonly actor_type: Job['actor']['type'];
  readonly actor_id: string;
};

const toJob = (row: Row): Job => ({
  id: toWire('job', row.id),
  action: row.action,
  status: row.status,
  defaults: row.defaults,
  total: row.total,
  succeeded: row.succeeded,
  failed: row.failed,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  completedAt: row.completed_at,
  // The database holds what an Actor was written as.
  actor: { type: row.actor_type, id: row.actor_id } as Job['actor'],
});

export function insertJob(tx: Tx, job: Job, items: readonly ItemRequest[]): void {
  tx.write(sql`
    insert into delivery_jobs (org_id, ${columns})
    values (${toUuid(tx.orgId)}, ${toUuid(job.id)}, ${job.action}, ${job.status}, ${json(job.defaults)}, ${job.total}, ${job.succeeded},
            ${job.failed}, ${job.createdAt}, ${job.updatedAt}, ${job.completedAt}, ${job.actor.type}, ${job.actor.id})
  `);
  const batches = Array.from({ length: Math.ceil(items.length / itemsPerBatch) }, (_, i) =>
    items.slice(i * itemsPerBatch, (i + 1) * itemsPerBatch),
  );
  tx.write(sql`
    insert into delivery_job_items (org_id, job_id, position, request, status)
    select ${toUuid(tx.orgId)}, ${toUuid(job.id)}, (batch.place - 1) * ${itemsPerBatch}::integer, batch.request, 'pending'
      from json_array_elements(${json(batches)}::json) with ordinality as batch (request, place)
  `);
}

/** At most `max`. Jobs are created one after the other: two that count at once would both find room. */
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
    select ${columns} from delivery_jobs where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && toJob(row);
}

export async function lockJob(tx: Tx, id: JobId): Promise<Job | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${columns} from delivery_jobs where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && toJob(row);
}

/**
 * A batch of items, from `position` on: their requests, and their results in the same order, null while one is
 * pending. A batch written before items were batched is one request and one result, not in an array.
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

/** All items of the first batch with something still to be done; none when everything is done. */
export async function findNextBatch(tx: Tx, id: JobId): Promise<Item[]> {
  const rows = await tx.query<BatchRow>(sql`
    select position, request, result from delivery_job_items
     where org_id = ${toUuid(tx.orgId)} and job_id = ${toUuid(id)} and status = 'pending'
     order by position limit 1
  `);
  return rows.flatMap(toItems);
}

/** All items of a batch, in order. */
export function updateBatch(tx: Tx, id: JobId, items: readonly Item[]): void {
  const status = items.some(isPending) ? 'pending' : 'done';
  const results = items.map(({ result }) => result);
  tx.write(sql`
    update delivery_job_items set status = ${status}, result = ${json(results)}
     where org_id = ${toUuid(tx.orgId)} and job_id = ${toUuid(id)} and position = ${items[0]?.position}
  `);
}

export function updateJob(tx: Tx, job: Job): void {
  tx.write(sql`
    update delivery_jobs
       set status = ${job.status}, succeeded = ${job.succeeded}, failed = ${job.failed},
           updated_at = ${job.updatedAt}, completed_at = ${job.completedAt},
           settled_at = case when ${job.status} = 'completed' then now() end
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(job.id)}
  `);
}

/** Up to a thousand items each. */
const jobsPerBatch = 5;

/** Of every organization, oldest first: row-level security shows the worker those that were settled 30 days ago. */
export const removeSettledJobs = (db: Db): Promise<void> =>
  removeInBatches(jobsPerBatch, async (most) => {
    const removed = await db.query(sql`
      with settled as (
        select org_id, id from delivery_jobs where settled_at < now() - interval '30 days'
         order by settled_at limit ${most}
      ), items as (
        delete from delivery_job_items
         where (org_id, job_id) in (select org_id, id from settled)
      )
      delete from delivery_jobs where (org_id, id) in (select org_id, id from settled)
      returning id
    `);
    return removed.length;
  });
