import type { Currency } from '../../kernel/currency.ts';
import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import { microsColumn } from '../../money/face.ts';
import {
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
import { given, listPage } from '../../platform/db/list-page.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { StatementId } from '../domain/calculation.ts';
import type { Artifact } from '../domain/run-statement.ts';
import type { Statement, StatementStatus } from '../domain/statement.ts';

const statements = defineColumns<Statement>({
  id: idColumn('stm'),
  status: plain(),
  currency: plain(),
  periodStart: plain(),
  periodEnd: plain(),
  openingBalance: microsColumn,
  grossAmount: microsColumn,
  feeAmount: microsColumn,
  sourceTaxAmount: microsColumn,
  payeeTaxAmount: microsColumn,
  netAmount: microsColumn,
  adjustmentAmount: microsColumn,
  payoutAmount: microsColumn,
  closingBalance: microsColumn,
  availableAmount: microsColumn,
  reservedAmount: microsColumn,
  heldAmount: microsColumn,
  lineItemCount: { read: (stored: string) => Number(stored), write: (value) => value },
  openingVersions: jsonb(),
  closingVersions: jsonb(),
  runId: nullable(idColumn('run')),
  publishedAt: plain(),
  createdAt: plain(),
});

export async function findStatement(
  db: Db,
  orgId: OrgId,
  id: StatementId,
): Promise<Statement | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${statements.names} from statements
     where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && statements.read(row);
}

export type StatementFilters = {
  readonly status?: StatementStatus | undefined;
  readonly currency?: Currency | undefined;
  /** Dates. */
  readonly periodFrom?: string | undefined;
  readonly periodTo?: string | undefined;
};

/** Newest first by (created_at, id). */
export function listStatements(
  db: Db,
  orgId: OrgId,
  { status, currency, periodFrom, periodTo }: StatementFilters,
  page: PageRequest,
): Promise<Page<Statement>> {
  return listPage(
    db,
    {
      orgId,
      from: sql`statements`,
      columns: statements.names,
      filters: [
        given(status, (value) => sql`status = ${value}`),
        given(currency, (value) => sql`currency = ${value}`),
        given(periodFrom, (value) => sql`period_start >= ${value}::date`),
        given(periodTo, (value) => sql`period_end <= ${value}::date`),
      ],
      read: statements.read,
    },
    page,
  );
}

/** The last published statement in this currency. */
export async function findLastStatement(
  tx: Tx,
  currency: Currency,
): Promise<Statement | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${statements.names} from statements
     where org_id = ${toUuid(tx.orgId)} and currency = ${currency} and status = 'published'
     order by period_start desc limit 1
  `);
  return row && statements.read(row);
}

export function insertStatement(tx: Tx, statement: Statement): void {
  const row = { org_id: toUuid(tx.orgId), ...statements.write(statement) };
  tx.write(insertInto('statements', row));
}

/** Publishes the open statement. */
export function publishStatement(tx: Tx, statement: Statement): void {
  const {
    id,
    currency: _currency,
    period_start: _start,
    opening_balance: _opening,
    opening_versions: _versions,
    created_at: _created,
    ...changes
  } = statements.write(statement);
  tx.write(updateWhere('statements', changes, { org_id: toUuid(tx.orgId), id }));
}

export function insertArtifacts(
  tx: Tx,
  statementId: StatementId,
  artifacts: readonly Artifact[],
): void {
  const records = artifacts.map((artifact) => ({
    org_id: toUuid(tx.orgId),
    statement_id: toUuid(statementId),
    kind: artifact.kind,
    part: artifact.part,
    object_key: artifact.objectKey,
    size_bytes: artifact.sizeBytes,
    sha256: `\\x${artifact.sha256}`,
    row_count: artifact.rowCount,
    amount: artifact.amount,
    first_position: artifact.firstPosition,
  }));
  tx.write(sql`
    insert into statement_artifacts
    select * from jsonb_populate_recordset(null::statement_artifacts, ${json(records)}::jsonb)
  `);
}
