/** Which statements of a closed run have their document, and which documents cannot be drawn. */

import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { RunId } from '../domain/run-plan.ts';
import type { RunStatement } from '../domain/run-statement.ts';
import type { DocumentFailure } from '../domain/statement-document.ts';

type StatementOfRun = Pick<RunStatement, 'statementId' | 'partnerOrgId'>;

/** Of those that are closed and have no document yet, without those that cannot be drawn. */
export async function findUndocumented(
  db: Db,
  orgId: OrgId,
  runId: RunId,
  limit: number,
): Promise<StatementOfRun[]> {
  const rows = await db.query<{ statement_id: string; partner_org_id: string }>(sql`
    select statement_id, partner_org_id from run_statements
     where org_id = ${toUuid(orgId)} and run_id = ${toUuid(runId)} and is_closed and documented_at is null
       and document_failed_at is null
     order by statement_id limit ${limit}
  `);
  return rows.map((row) => ({
    statementId: toWire('stm', row.statement_id),
    partnerOrgId: toWire('org', row.partner_org_id),
  }));
}

export function markDocumented(tx: Tx, runId: RunId, marked: readonly StatementOfRun[]): void {
  const ids = marked.map(({ statementId }) => toUuid(statementId));
  tx.write(sql`
    update run_statements set documented_at = ${tx.realNow}
     where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)} and statement_id = any (${ids}::uuid[])
  `);
}

export function markDocumentFailed(
  tx: Tx,
  runId: RunId,
  failures: readonly DocumentFailure[],
): void {
  if (failures.length === 0) return;
  const rows = failures.map(({ statementId, error }) => ({
    statement_id: toUuid(statementId),
    error,
  }));
  tx.write(sql`
    update run_statements set document_failed_at = ${tx.realNow}, document_error = failed.error
      from jsonb_to_recordset(${json(rows)}::jsonb) as failed (statement_id uuid, error text)
     where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)}
       and run_statements.statement_id = failed.statement_id
  `);
}

/** Returns how many there were. */
export async function clearDocumentFailures(tx: Tx, runId: RunId): Promise<number> {
  const rows = await tx.query(sql`
    update run_statements set document_failed_at = null, document_error = null
     where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)} and document_failed_at is not null
    returning statement_id
  `);
  return rows.length;
}

type FailureRow = { readonly statement_id: string; readonly document_error: string };

export async function findDocumentFailures(
  db: Db,
  orgId: OrgId,
  runId: RunId,
  limit: number,
): Promise<DocumentFailure[]> {
  const rows = await db.query<FailureRow>(sql`
    select statement_id, document_error from run_statements
     where org_id = ${toUuid(orgId)} and run_id = ${toUuid(runId)} and document_failed_at is not null
     order by statement_id limit ${limit}
  `);
  return rows.map((row) => ({
    statementId: toWire('stm', row.statement_id),
    error: row.document_error,
  }));
}

/** In all organizations, counted up to 10,000. */
export async function countFailedDocuments(db: Db): Promise<number> {
  const [row] = await db.query<{ count: string }>(sql`select count_failed_documents() as count`);
  return Number(row?.count ?? 0);
}
