/** What a run has calculated for each statement. The rows stay after the close: the next review compares with them. */

import { type OrgId, toUuid } from '../../kernel/ids.ts';
import { microsColumn } from '../../money/face.ts';
import { defineColumns, idColumn, jsonb, plain, type Row } from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { StatementId } from '../domain/calculation.ts';
import type { RunId } from '../domain/run-plan.ts';
import type { RunStatement } from '../domain/run-statement.ts';

const statements = defineColumns<RunStatement>({
  statementId: idColumn('stm'),
  partnerOrgId: idColumn('org'),
  currency: plain(),
  grossAmount: microsColumn,
  feeAmount: microsColumn,
  sourceTaxAmount: microsColumn,
  payeeTaxAmount: microsColumn,
  netAmount: microsColumn,
  lineItemCount: { read: (stored: string) => Number(stored), write: (value) => value },
  artifacts: jsonb(),
  adjustments: jsonb(),
  holds: jsonb(),
  isAnnounced: plain(),
  isClosed: plain(),
});

const rowsAtOnce = 1_000;

/** Replaces those that a run has. */
export function replaceRunStatements(
  tx: Tx,
  runId: RunId,
  replaced: readonly RunStatement[],
): void {
  tx.write(sql`
    delete from run_statements where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)}
  `);
  const key = { org_id: toUuid(tx.orgId), run_id: toUuid(runId) };
  for (let start = 0; start < replaced.length; start += rowsAtOnce) {
    const records = replaced
      .slice(start, start + rowsAtOnce)
      .map((statement) => ({ ...key, ...statements.toJson(statement) }));
    tx.write(sql`
      insert into run_statements
      select * from jsonb_populate_recordset(null::run_statements, ${json(records)}::jsonb)
    `);
  }
}

/** By statement. */
export async function findRunStatements(
  db: Db,
  orgId: OrgId,
  runId: RunId,
): Promise<RunStatement[]> {
  const rows = await db.query<Row>(sql`
    select ${statements.names} from run_statements
     where org_id = ${toUuid(orgId)} and run_id = ${toUuid(runId)} order by statement_id
  `);
  return rows.map(statements.read);
}

/** By statement. */
export async function findStatementsOfRun(
  db: Db,
  orgId: OrgId,
  runId: RunId,
  ids: readonly StatementId[],
): Promise<RunStatement[]> {
  const rows = await db.query<Row>(sql`
    select ${statements.names} from run_statements
     where org_id = ${toUuid(orgId)} and run_id = ${toUuid(runId)} and statement_id = any (${ids.map(toUuid)}::uuid[])
     order by statement_id
  `);
  return rows.map(statements.read);
}

/** Of those that are not closed yet. */
export async function findUnclosed(
  db: Db,
  orgId: OrgId,
  runId: RunId,
  limit: number,
): Promise<RunStatement[]> {
  const rows = await db.query<Row>(sql`
    select ${statements.names} from run_statements
     where org_id = ${toUuid(orgId)} and run_id = ${toUuid(runId)} and not is_closed
     order by statement_id limit ${limit}
  `);
  return rows.map(statements.read);
}

/** Of those whose net amount is, or is not, pending in the balance of the partner. */
export async function findByAnnouncement(
  db: Db,
  orgId: OrgId,
  runId: RunId,
  isAnnounced: boolean,
  limit: number,
): Promise<RunStatement[]> {
  const rows = await db.query<Row>(sql`
    select ${statements.names} from run_statements
     where org_id = ${toUuid(orgId)} and run_id = ${toUuid(runId)} and is_announced = ${isAnnounced}
       and not is_closed
     order by statement_id limit ${limit}
  `);
  return rows.map(statements.read);
}

const idsOf = (marked: readonly RunStatement[]): string[] =>
  marked.map(({ statementId }) => toUuid(statementId));

export function markClosed(tx: Tx, runId: RunId, marked: readonly RunStatement[]): void {
  tx.write(sql`
    update run_statements set is_closed = true, is_announced = false
     where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)} and statement_id = any (${idsOf(marked)}::uuid[])
  `);
}

export function markAnnounced(
  tx: Tx,
  runId: RunId,
  marked: readonly RunStatement[],
  isAnnounced: boolean,
): void {
  tx.write(sql`
    update run_statements set is_announced = ${isAnnounced}
     where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)} and statement_id = any (${idsOf(marked)}::uuid[])
  `);
}
