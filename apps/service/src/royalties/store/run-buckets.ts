import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { FinishedPart, PartTaxes } from '../domain/calculated-part.ts';
import type { Bucket } from '../domain/calculation.ts';
import type { RunBucket, RunId, StoredBucket } from '../domain/run-plan.ts';

type BucketRow = Omit<RunBucket, 'rowCount'> & { readonly row_count: string };

const readBucket = ({ row_count, ...bucket }: BucketRow): RunBucket => ({
  ...bucket,
  rowCount: Number(row_count),
});

const names = sql`number, status, statements, row_count, calculated, taxes, finished`;

export function insertBuckets(
  tx: Tx,
  runId: RunId,
  buckets: readonly (Bucket & { readonly rowCount: number })[],
): void {
  const records = buckets.map(({ number, statements, rowCount }) => ({
    number,
    statements,
    row_count: rowCount,
  }));
  tx.write(sql`
    insert into run_buckets (org_id, run_id, number, status, statements, row_count)
    select ${toUuid(tx.orgId)}, ${toUuid(runId)}, number, 'planned', statements, row_count
      from json_to_recordset(${json(records)}) as bucket (number int, statements jsonb, row_count bigint)
  `);
}

/** By number. */
export async function findBuckets(db: Db, orgId: OrgId, runId: RunId): Promise<RunBucket[]> {
  const rows = await db.query<BucketRow>(sql`
    select ${names} from run_buckets
     where org_id = ${toUuid(orgId)} and run_id = ${toUuid(runId)} order by number
  `);
  return rows.map(readBucket);
}

export async function findBucket(
  db: Db,
  orgId: OrgId,
  runId: RunId,
  number: number,
): Promise<RunBucket | undefined> {
  const [row] = await db.query<BucketRow>(sql`
    select ${names} from run_buckets
     where org_id = ${toUuid(orgId)} and run_id = ${toUuid(runId)} and number = ${number}
  `);
  return row && readBucket(row);
}

export type RunProgress = {
  readonly planned: number;
  readonly calculated: number;
  readonly finished: number;
  readonly rowsDone: number;
  readonly isTaxed: boolean;
  /** The first bucket that is not calculated, or if there is none, not finished. */
  readonly next: number | null;
};

/** The first pass counts as much as the second one. */
export async function findProgress(db: Db, orgId: OrgId, runId: RunId): Promise<RunProgress> {
  const [row] = await db.query<
    Record<'planned' | 'calculated' | 'finished' | 'rows_done', string> & {
      is_taxed: boolean;
      next: number | null;
    }
  >(sql`
    select count(*) filter (where status = 'planned') as planned,
           count(*) filter (where status = 'calculated') as calculated,
           count(*) filter (where status = 'finished') as finished,
           coalesce(sum(row_count) filter (where status <> 'planned'), 0) as rows_done,
           coalesce(bool_and(taxes is not null), true) as is_taxed,
           coalesce(min(number) filter (where status = 'planned'),
                    min(number) filter (where status = 'calculated')) as next
      from run_buckets where org_id = ${toUuid(orgId)} and run_id = ${toUuid(runId)}
  `);
  if (row === undefined) throw new Error('the progress of a run was not read');
  return {
    planned: Number(row.planned),
    calculated: Number(row.calculated),
    finished: Number(row.finished),
    rowsDone: Number(row.rows_done),
    isTaxed: row.is_taxed,
    next: row.next,
  };
}

export function writeCalculated(tx: Tx, runId: RunId, number: number, stored: StoredBucket): void {
  tx.write(sql`
    update run_buckets set status = 'calculated', calculated = ${json(stored)}
     where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)} and number = ${number} and status = 'planned'
  `);
}

export function writeTaxes(
  tx: Tx,
  runId: RunId,
  number: number,
  taxes: readonly PartTaxes[],
): void {
  tx.write(sql`
    update run_buckets set taxes = ${json(taxes)}
     where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)} and number = ${number}
  `);
}

export function writeFinished(
  tx: Tx,
  runId: RunId,
  number: number,
  finished: readonly FinishedPart[],
): void {
  tx.write(sql`
    update run_buckets set status = 'finished', finished = ${json(finished)}
     where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)} and number = ${number} and status = 'calculated'
  `);
}
