import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Month } from '../../kernel/month.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  insertInto,
  jsonb,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { RunId, RunPlan } from '../domain/run-plan.ts';
import type { Run } from '../domain/run.ts';

const countColumn = { read: (stored: string) => Number(stored), write: (value: number) => value };

const runs = defineColumns<Run>({
  id: idColumn('run'),
  statementMonth: plain(),
  fxSetId: idColumn('fxs'),
  status: plain(),
  rulesVersion: plain(),
  rowCount: countColumn,
  review: jsonb(),
  createdBy: plain(),
  approvedBy: plain(),
  startedAt: plain(),
  approvedAt: plain(),
  closingAt: plain(),
  closedAt: plain(),
  removedAt: plain(),
  createdAt: plain(),
  updatedAt: plain(),
});

export async function findRun(db: Db, orgId: OrgId, id: RunId): Promise<Run | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${runs.names} from royalty_runs where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && runs.read(row);
}

/** FOR UPDATE: of two moves of a run, the second one reads the status that the first one has written. */
export async function lockRun(tx: Tx, id: RunId): Promise<Run | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${runs.names} from royalty_runs
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && runs.read(row);
}

const listMax = 100;

/** The newest first. */
export async function listRuns(db: Db, orgId: OrgId): Promise<Run[]> {
  const rows = await db.query<Row>(sql`
    select ${runs.names} from royalty_runs where org_id = ${toUuid(orgId)}
     order by created_at desc, id desc limit ${listMax}
  `);
  return rows.map(runs.read);
}

/** Neither closed nor discarded, or discarded and not removed yet. */
export async function findUnfinishedRun(db: Db, orgId: OrgId): Promise<RunId | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${runs.names} from royalty_runs
     where org_id = ${toUuid(orgId)} and closed_at is null and removed_at is null
  `);
  return row && runs.read(row).id;
}

/** In the order of their ids, after this one. */
export async function findRunIds(
  tx: Tx,
  after: RunId | null,
  limit: number,
): Promise<readonly RunId[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from royalty_runs
     where org_id = ${toUuid(tx.orgId)} and (${after && toUuid(after)}::uuid is null or id > ${after && toUuid(after)}::uuid)
     order by id limit ${limit}
  `);
  return rows.map(({ id }) => toWire('run', id));
}

export async function findLastClosedRun(
  db: Db,
  orgId: OrgId,
): Promise<{ readonly id: RunId; readonly statementMonth: Month } | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${runs.names} from royalty_runs where org_id = ${toUuid(orgId)} and status = 'closed'
     order by statement_month desc limit 1
  `);
  return row && runs.read(row);
}

export function insertRun(tx: Tx, run: Run): void {
  const row = { org_id: toUuid(tx.orgId), ...runs.write(run), ...actorColumns(tx) };
  tx.write(insertInto('royalty_runs', row));
}

type RunChanges = Partial<
  Pick<
    Run,
    | 'status'
    | 'rowCount'
    | 'review'
    | 'approvedBy'
    | 'startedAt'
    | 'approvedAt'
    | 'closingAt'
    | 'closedAt'
    | 'removedAt'
  >
>;

const changedNames = {
  status: 'status',
  rowCount: 'row_count',
  review: 'review',
  approvedBy: 'approved_by',
  startedAt: 'started_at',
  approvedAt: 'approved_at',
  closingAt: 'closing_at',
  closedAt: 'closed_at',
  removedAt: 'removed_at',
} as const satisfies Record<keyof RunChanges, string>;

export function updateRun(tx: Tx, id: RunId, changes: RunChanges): void {
  const columns = Object.entries(changes).map(([field, value]) => [
    changedNames[field as keyof RunChanges],
    field === 'review' ? json(value) : value,
  ]);
  const row: Row = {
    ...(Object.fromEntries(columns) as Row),
    updated_at: tx.now,
    ...actorColumns(tx),
  };
  tx.write(updateWhere('royalty_runs', row, { org_id: toUuid(tx.orgId), id: toUuid(id) }));
}

export function writePlan(tx: Tx, id: RunId, plan: RunPlan, digest: Buffer): void {
  tx.write(
    updateWhere(
      'royalty_runs',
      { plan: json(plan), input_digest: digest },
      { org_id: toUuid(tx.orgId), id: toUuid(id) },
    ),
  );
}

export async function findPlan(db: Db, orgId: OrgId, id: RunId): Promise<RunPlan | undefined> {
  const [row] = await db.query<{ plan: RunPlan | null }>(sql`
    select plan from royalty_runs where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row?.plan ?? undefined;
}

/** For a worker that has done a part of what a run needs: how long ago is what operators are alerted by. */
export const touchRun = (tx: Tx, id: RunId): void => updateRun(tx, id, {});

/** Since when the run that a worker must be working at has made no progress; null if there is none. */
export async function findUnmovedSince(tx: Tx): Promise<Date | null> {
  const [row] = await tx.query<{ since: Date | null }>(sql`
    select min(updated_at) as since from royalty_runs
     where org_id = ${toUuid(tx.orgId)} and closed_at is null and removed_at is null
       and (status in ('calculating', 'discarded') or closing_at is not null)
  `);
  return row?.since ?? null;
}

/** Whether the audit log names an operator other than this one. */
export async function hasOtherOperator(tx: Tx, name: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from audit
     where org_id = ${toUuid(tx.orgId)} and actor_type = 'operator' and actor_id <> ${name} limit 1
  `);
  return rows.length > 0;
}
