/** What a run takes of the reports: their parts, and whose rows are in them. */

import type { Currency } from '../../kernel/currency.ts';
import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { StatementId } from '../domain/calculation.ts';
import type { PartKind, ReportId, ReportShare } from '../domain/report.ts';
import type { RunId, RunPart } from '../domain/run-plan.ts';
import type { ReportAmount } from '../domain/run-review.ts';

type PartRow = {
  readonly report_id: string;
  readonly store_id: string;
  readonly kind: PartKind;
  readonly number: number;
  readonly object_key: string;
  readonly sha256: string;
};

const readPart = (row: PartRow): RunPart => ({
  reportId: toWire('rpt', row.report_id),
  storeId: row.store_id,
  kind: row.kind,
  number: row.number,
  objectKey: row.object_key,
  sha256: row.sha256,
});

/** The matched and other parts of these reports that no run has, in the order of their keys. */
export async function findFreeParts(
  db: Db,
  orgId: OrgId,
  reportIds: readonly ReportId[],
): Promise<RunPart[]> {
  const rows = await db.query<PartRow>(sql`
    select report_id, store_id, kind, number, object_key, encode(sha256, 'hex') as sha256
      from report_parts part
      join store_reports report on report.org_id = part.org_id and report.id = part.report_id
     where part.org_id = ${toUuid(orgId)} and report_id = any(${reportIds.map(toUuid)}::uuid[])
       and kind in ('matched', 'other') and run_id is null
     order by report_id, kind, number
  `);
  return rows.map(readPart);
}

/** Until the end of the transaction nothing is decided about the reports that a run may take, and no payment of them. */
export const lockOpenReports = (tx: Tx): void =>
  tx.write(sql`
    select from store_reports report
     where org_id = ${toUuid(tx.orgId)} and status in ('matched', 'included')
       and exists (select from report_parts part
                    where part.org_id = report.org_id and part.report_id = report.id
                      and kind in ('matched', 'other') and run_id is null)
     order by id for update
  `);

/** From now on the reports are included: no operator can reject them, or replace them as if they were not paid. */
export function takeParts(tx: Tx, runId: RunId, parts: readonly RunPart[]): void {
  const ids = parts.map(({ reportId }) => toUuid(reportId));
  const kinds = parts.map(({ kind }) => kind);
  const numbers = parts.map(({ number }) => number);
  // A part that a later match has written meanwhile is for the next run.
  tx.write(sql`
    update report_parts part set run_id = ${toUuid(runId)}
      from unnest(${ids}::uuid[], ${kinds}::text[], ${numbers}::integer[]) as taken (report_id, kind, number)
     where part.org_id = ${toUuid(tx.orgId)} and part.report_id = taken.report_id and part.kind = taken.kind
       and part.number = taken.number and run_id is null
  `);
  tx.write(sql`
    update store_reports set status = 'included'
     where org_id = ${toUuid(tx.orgId)} and id = any(${ids}::uuid[]) and status = 'matched'
  `);
}

/**
 * After a run was discarded. A report with parts in an earlier run stays included. One that was superseded meanwhile is not
 * paid any more.
 */
export function releaseReports(tx: Tx, runId: RunId): void {
  tx.write(sql`
    update store_reports report
       set status = case when exists (select from store_reports successor
                                       where successor.org_id = report.org_id and successor.status <> 'rejected'
                                         and successor.supersedes @> array[report.id])
                         then 'superseded' else 'matched' end
     where org_id = ${toUuid(tx.orgId)} and status = 'included'
       and id in (select report_id from report_parts
                   where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)})
       and not exists (select from report_parts part
                        where part.org_id = report.org_id and part.report_id = report.id
                          and run_id <> ${toUuid(runId)})
  `);
  tx.write(sql`
    update report_parts set run_id = null where org_id = ${toUuid(tx.orgId)} and run_id = ${toUuid(runId)}
  `);
}

export type RunShare = ReportShare & { readonly reportId: ReportId };

type ShareRow = {
  readonly report_id: string;
  readonly part_number: number;
  readonly partner_org_id: string;
  readonly currency: Currency;
  readonly row_count: string;
  readonly amount: string;
};

/** Of the matched parts that the run has taken. */
export async function findRunShares(db: Db, orgId: OrgId, runId: RunId): Promise<RunShare[]> {
  const rows = await db.query<ShareRow>(sql`
    select share.report_id, part_number, partner_org_id, currency, share.row_count, amount
      from report_parts part
      join report_shares share on share.org_id = part.org_id and share.report_id = part.report_id
                              and share.part_number = part.number
     where part.org_id = ${toUuid(orgId)} and part.run_id = ${toUuid(runId)} and part.kind = 'matched'
     order by share.report_id, part_number, partner_org_id, currency
  `);
  return rows.map((row) => ({
    reportId: toWire('rpt', row.report_id),
    partNumber: row.part_number,
    orgId: toWire('org', row.partner_org_id),
    currency: row.currency,
    rowCount: Number(row.row_count),
    amount: row.amount,
  }));
}

export type StatementCandidate = {
  readonly orgId: OrgId;
  readonly currency: Currency;
  /** Null: it has none yet. */
  readonly statementId: StatementId | null;
};

/** Every partner and currency with an open statement or with money. Only the worker may. */
export async function findStatementCandidates(db: Db): Promise<StatementCandidate[]> {
  const rows = await db.query<{ org_id: string; currency: Currency; statement_id: string | null }>(
    sql`select org_id, currency, statement_id from statements_of_run() order by org_id, currency`,
  );
  return rows.map(({ org_id, currency, statement_id }) => ({
    orgId: toWire('org', org_id),
    currency,
    statementId: statement_id === null ? null : toWire('stm', statement_id),
  }));
}

type AmountRow = {
  readonly report_id: string;
  readonly store_id: string;
  readonly currency: Currency;
  readonly amount: string;
};

/** Amounts without an owner in the reports of the run. */
export async function findSuspense(db: Db, orgId: OrgId, runId: RunId): Promise<ReportAmount[]> {
  const rows = await db.query<AmountRow>(sql`
    select total.report_id, store_id, currency, suspense_amount as amount
      from report_totals total
      join store_reports report on report.org_id = total.org_id and report.id = total.report_id
     where total.org_id = ${toUuid(orgId)} and suspense_amount <> 0
       and total.report_id in (select report_id from report_parts
                                where org_id = ${toUuid(orgId)} and run_id = ${toUuid(runId)})
     order by total.report_id, currency
  `);
  return rows.map(({ report_id, store_id, currency, amount }) => ({
    reportId: toWire('rpt', report_id),
    storeId: store_id,
    currency,
    amount,
  }));
}

/** Without an owner in all reports that runs have included: what the account `suspense` should contain. */
export async function sumSuspense(
  db: Db,
  orgId: OrgId,
): Promise<{ readonly currency: Currency; readonly amount: string }[]> {
  return db.query(sql`
    select currency, sum(suspense_amount)::text as amount
      from report_totals total
      join store_reports report on report.org_id = total.org_id and report.id = total.report_id
     where total.org_id = ${toUuid(orgId)} and report.status = 'included'
     group by currency order by currency
  `);
}
