/** What runs take back of reports that other reports replace. Only the worker writes it. */

import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Micros } from '../../kernel/money.ts';
import { microsColumn } from '../../money/face.ts';
import { defineColumns, idColumn, nullable, plain, type Row } from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { StatementId } from '../domain/calculation.ts';
import type { ReportId } from '../domain/report.ts';
import type { CalculatedReversal, Reversal } from '../domain/reversal.ts';
import type { RunId, Supersession } from '../domain/run-plan.ts';
import { microsOf } from '../domain/run-statement.ts';

const reversals = defineColumns<Reversal>({
  paidStatementId: idColumn('stm'),
  reportId: idColumn('rpt'),
  supersededBy: idColumn('rpt'),
  storeId: plain(),
  paidRunId: idColumn('run'),
  partnerOrgId: idColumn('org'),
  currency: plain(),
  grossAmount: microsColumn,
  sourceTaxAmount: microsColumn,
  otherGrossAmount: microsColumn,
  otherFeeAmount: microsColumn,
  feeAmount: nullable(microsColumn),
  payeeTaxAmount: nullable(microsColumn),
  problem: plain(),
});

type SupersessionRow = {
  readonly report_id: string;
  readonly superseded_by: string;
  readonly store_id: string;
  readonly run_ids: readonly string[];
  readonly open_run_id: string | null;
};

/** `openRunId`: a run that has taken a part of the superseded report and is not closed. */
export type FoundSupersession = Supersession & { readonly openRunId: RunId | null };

/**
 * The reports that those of the run replace and that a run has taken. A report that replaced one and was itself replaced
 * before a run took it leaves the reversal to its successor. One that is reversed already is not included any more.
 */
export async function findSupersessions(tx: Tx, runId: RunId): Promise<FoundSupersession[]> {
  const org = toUuid(tx.orgId);
  const rows = await tx.query<SupersessionRow>(sql`
    with recursive replaced (id, superseded_by) as (
      select superseded, report.id
        from store_reports report, unnest(report.supersedes) superseded
       where report.org_id = ${org}
         and exists (select from report_parts part where part.org_id = report.org_id
                        and part.report_id = report.id and part.run_id = ${toUuid(runId)})
      union
      select superseded, replaced.superseded_by
        from replaced
        join store_reports between_them on between_them.org_id = ${org} and between_them.id = replaced.id,
             unnest(between_them.supersedes) superseded
    )
    select replaced.id as report_id, min(replaced.superseded_by::text) as superseded_by, report.store_id,
           array_agg(distinct run.id::text order by run.id::text) as run_ids,
           min(run.id::text) filter (where run.status <> 'closed') as open_run_id
      from replaced
      join store_reports report on report.org_id = ${org} and report.id = replaced.id and report.status = 'included'
      join report_parts part on part.org_id = ${org} and part.report_id = replaced.id
      join royalty_runs run on run.org_id = ${org} and run.id = part.run_id
     group by replaced.id, report.store_id
     order by replaced.id
  `);
  return rows.map((row) => ({
    reportId: toWire('rpt', row.report_id),
    supersededBy: toWire('rpt', row.superseded_by),
    storeId: row.store_id,
    runIds: row.run_ids.map((id) => toWire('run', id)),
    openRunId: row.open_run_id === null ? null : toWire('run', row.open_run_id),
  }));
}

/** What a statement was paid for one report, before fees. */
export type PaidSource = {
  readonly runId: RunId;
  readonly statementId: StatementId;
  readonly reportId: ReportId;
  readonly grossAmount: Micros;
  readonly sourceTaxAmount: Micros;
};

type PaidSourceRow = {
  readonly run_id: string;
  readonly statement_id: StatementId;
  readonly report_id: ReportId;
  readonly gross_amount: string;
  readonly source_tax_amount: string;
};

/** By run, statement and report. */
export async function findPaidSources(
  db: Db,
  orgId: OrgId,
  runIds: readonly RunId[],
  reportIds: readonly ReportId[],
): Promise<PaidSource[]> {
  const ofRuns = sql`org_id = ${toUuid(orgId)} and run_id = any (${runIds.map(toUuid)}::uuid[])`;
  const rows = await db.query<PaidSourceRow>(sql`
    select run_id, statement_id, report_id, sum(gross)::numeric(28, 6) as gross_amount,
           sum(tax)::numeric(28, 6) as source_tax_amount
      from (
        select run_id, part ->> 'statementId' as statement_id, source ->> 'reportId' as report_id,
               (source ->> 'grossAmount')::numeric as gross, 0 as tax
          from run_buckets, jsonb_array_elements(calculated -> 'parts') part,
               jsonb_array_elements(part -> 'sources') source
         where ${ofRuns} and source ->> 'reportId' = any (${reportIds}::text[])
        union all
        select run_id, part ->> 'statementId', tax ->> 'reportId', 0, (tax ->> 'amount')::numeric
          from run_buckets, jsonb_array_elements(taxes) part, jsonb_array_elements(part -> 'sourceTaxes') tax
         where ${ofRuns} and tax ->> 'reportId' = any (${reportIds}::text[])
      ) paid
     group by run_id, statement_id, report_id
     order by run_id, statement_id, report_id
  `);
  return rows.map((row) => ({
    runId: toWire('run', row.run_id),
    statementId: row.statement_id,
    reportId: row.report_id,
    grossAmount: microsOf(row.gross_amount),
    sourceTaxAmount: microsOf(row.source_tax_amount),
  }));
}

const rowsAtOnce = 1_000;

export function insertReversals(tx: Tx, runId: RunId, inserted: readonly Reversal[]): void {
  const key = { org_id: toUuid(tx.orgId), run_id: toUuid(runId) };
  for (let start = 0; start < inserted.length; start += rowsAtOnce) {
    const records = inserted
      .slice(start, start + rowsAtOnce)
      .map((reversal) => ({ ...key, ...reversals.toJson(reversal) }));
    tx.write(sql`
      insert into run_reversals
      select * from jsonb_populate_recordset(null::run_reversals, ${json(records)}::jsonb)
    `);
  }
}

/** In the order in which reports leave a statement. */
export async function findReversals(db: Db, orgId: OrgId, runId: RunId): Promise<Reversal[]> {
  const rows = await db.query<Row>(sql`
    select ${reversals.names} from run_reversals
     where org_id = ${toUuid(orgId)} and run_id = ${toUuid(runId)} order by paid_statement_id, report_id
  `);
  return rows.map(reversals.read);
}

export async function hasUncalculated(tx: Tx, runId: RunId): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from run_reversals
     where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)} and fee_amount is null limit 1
  `);
  return rows.length > 0;
}

/** All of some statements that have one which is not calculated, in the order in which reports leave a statement. */
export async function findSomeUncalculated(
  tx: Tx,
  runId: RunId,
  statementsMax: number,
): Promise<Reversal[]> {
  const ofRun = sql`org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)}`;
  const rows = await tx.query<Row>(sql`
    select ${reversals.names} from run_reversals
     where ${ofRun} and paid_statement_id in (
             select distinct paid_statement_id from run_reversals where ${ofRun} and fee_amount is null
              order by paid_statement_id limit ${statementsMax})
     order by paid_statement_id, report_id
  `);
  return rows.map(reversals.read);
}

/** What closed runs have taken out of these statements. */
export async function findEarlierReversals(
  tx: Tx,
  statementIds: readonly StatementId[],
): Promise<Reversal[]> {
  const rows = await tx.query<Row>(sql`
    select ${reversals.names} from run_reversals reversal
     where org_id = ${toUuid(tx.orgId)} and paid_statement_id = any (${statementIds.map(toUuid)}::uuid[])
       and exists (select from royalty_runs run
                    where run.org_id = reversal.org_id and run.id = reversal.run_id and run.status = 'closed')
     order by paid_statement_id, report_id
  `);
  return rows.map(reversals.read);
}

export function writeReversals(
  tx: Tx,
  runId: RunId,
  calculated: readonly CalculatedReversal[],
): void {
  const records = calculated.map((each) => ({
    statement_id: toUuid(each.paidStatementId),
    report_id: toUuid(each.reportId),
    fee: nullable(microsColumn).write(each.feeAmount),
    tax: nullable(microsColumn).write(each.payeeTaxAmount),
    problem: each.problem,
  }));
  tx.write(sql`
    update run_reversals reversal set fee_amount = fee, payee_tax_amount = tax, problem = written.problem
      from json_to_recordset(${json(records)})
           as written (statement_id uuid, report_id uuid, fee numeric, tax numeric, problem text)
     where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)}
       and paid_statement_id = written.statement_id and reversal.report_id = written.report_id
  `);
}

/** Of a discarded run. */
export const removeReversals = (tx: Tx, runId: RunId): void =>
  tx.write(sql`
    delete from run_reversals where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)}
  `);
