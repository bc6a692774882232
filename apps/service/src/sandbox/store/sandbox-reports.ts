import type { Currency } from '../../kernel/currency.ts';
import { type OrgId, toUuid } from '../../kernel/ids.ts';
import { firstDayOf, lastDayOf, type Month } from '../../kernel/month.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import { unpackTerritories } from '../../kernel/territory-set.ts';
import { microsColumn } from '../../money/face.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  insertInto,
  nullable,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { listPage } from '../../platform/db/list-page.ts';
import { sql } from '../../platform/db/sql.ts';
import { type HeldRecording, territoriesOfUse } from '../domain/report-content.ts';
import type { SandboxReport, SandboxReportId } from '../domain/sandbox-report.ts';

const reports = defineColumns<SandboxReport>({
  id: idColumn('rpt'),
  storeId: plain(),
  period: plain(),
  kind: plain(),
  number: plain(),
  status: plain(),
  arrivesAt: plain(),
  supersedes: nullable(idColumn('rpt')),
  currency: plain<Currency | null>(),
  rowCount: plain(),
  unmatchedRowCount: plain(),
  reportedAmount: nullable(microsColumn),
  paidAmount: nullable(microsColumn),
  problem: plain(),
  createdAt: plain(),
  updatedAt: plain(),
});

export async function countReports(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from sandbox_reports where org_id = ${toUuid(tx.orgId)}
  `);
  return row?.count ?? 0;
}

/** Of one store and period, by their numbers. */
export async function findReportsAbout(
  tx: Tx,
  { storeId, period }: Pick<SandboxReport, 'storeId' | 'period'>,
): Promise<readonly SandboxReport[]> {
  const rows = await tx.query<Row>(sql`
    select ${reports.names} from sandbox_reports
     where org_id = ${toUuid(tx.orgId)} and store_id = ${storeId} and period = ${period}
     order by number
  `);
  return rows.map(reports.read);
}

export function insertSandboxReport(tx: Tx, report: SandboxReport): void {
  tx.write(
    insertInto('sandbox_reports', {
      org_id: toUuid(tx.orgId),
      ...reports.write(report),
      ...actorColumns(tx),
    }),
  );
}

export async function findSandboxReport(
  db: Db,
  orgId: OrgId,
  id: SandboxReportId,
): Promise<SandboxReport | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${reports.names} from sandbox_reports where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && reports.read(row);
}

/** Newest first. */
export function listSandboxReports(
  db: Db,
  orgId: OrgId,
  page: PageRequest,
): Promise<Page<SandboxReport>> {
  return listPage(
    db,
    { orgId, from: sql`sandbox_reports`, columns: reports.names, by: 'id', read: reports.read },
    page,
  );
}

type Arrival = Pick<
  SandboxReport,
  | 'status'
  | 'currency'
  | 'rowCount'
  | 'unmatchedRowCount'
  | 'reportedAmount'
  | 'paidAmount'
  | 'problem'
>;

export function updateArrival(tx: Tx, id: SandboxReportId, arrival: Arrival): void {
  const { status, currency, rowCount, unmatchedRowCount, problem } = arrival;
  const micros = nullable(microsColumn);
  const changes: Row = {
    status,
    currency,
    row_count: rowCount,
    unmatched_row_count: unmatchedRowCount,
    reported_amount: micros.write(arrival.reportedAmount),
    paid_amount: micros.write(arrival.paidAmount),
    problem,
    updated_at: tx.now,
    ...actorColumns(tx),
  };
  tx.write(updateWhere('sandbox_reports', changes, { org_id: toUuid(tx.orgId), id: toUuid(id) }));
}

/** Whether a run has included a report, and whether another one has replaced it. */
export function copyReportStatuses(tx: Tx): void {
  tx.write(sql`
    update sandbox_reports made
       set status = report.status, updated_at = ${tx.now}, actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
      from store_reports report
     where made.org_id = ${toUuid(tx.orgId)} and report.org_id = made.org_id and report.id = made.id
       and report.status in ('included', 'superseded') and made.status <> report.status
  `);
}

/** What the store had of the organization in this month, in the order of the ISRCs. */
export async function findHeldRecordings(
  tx: Tx,
  { storeId, period }: { readonly storeId: string; readonly period: Month },
  recordingsMax: number,
): Promise<readonly HeldRecording[]> {
  const rows = await tx.query<{ isrc: string; upc: string | null; territories: Buffer }>(sql`
    select isrc, upc, territories
      from held_recordings(${storeId}, ${firstDayOf(period)}, ${lastDayOf(period)}, ${recordingsMax})
  `);
  return rows.map(({ isrc, upc, territories }) => ({
    isrc,
    upc,
    territories: territoriesOfUse(unpackTerritories(territories)),
  }));
}
