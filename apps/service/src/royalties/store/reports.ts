import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import {
  actorColumns,
  type Column,
  defineColumns,
  idColumn,
  insertInto,
  jsonb,
  plain,
  type Row,
  updateWhere,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allOf, type Sql, sql } from '../../platform/db/sql.ts';
import type { ReportProgress } from '../domain/report-progress.ts';
import type { ReportId, ReportStatus } from '../domain/report.ts';
import type { StoreReport } from '../domain/store-report.ts';
import { bigintColumn, digestColumn } from './report-columns.ts';

const idsColumn: Column<readonly ReportId[]> = {
  read: (stored: readonly string[]) => stored.map((uuid) => toWire('rpt', uuid)),
  write: (ids) => ids.map(toUuid),
};

const reports = defineColumns<StoreReport>({
  id: idColumn('rpt'),
  storeId: plain(),
  format: plain(),
  status: plain(),
  messageId: plain(),
  setDigest: digestColumn,
  periodStart: plain(),
  periodEnd: plain(),
  rejection: jsonb(),
  rowsRead: bigintColumn,
  rowsMatched: bigintColumn,
  rowsSuspense: bigintColumn,
  rowsRejected: bigintColumn,
  overlapsWith: idsColumn,
  supersedes: idsColumn,
  supplements: idsColumn,
  progress: jsonb(),
  createdAt: plain(),
  updatedAt: plain(),
});

export async function findReport(
  db: Db,
  orgId: OrgId,
  id: ReportId,
): Promise<StoreReport | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${reports.names} from store_reports where org_id = ${toUuid(orgId)} and id = ${toUuid(id)}
  `);
  return row && reports.read(row);
}

export async function findReports(db: Db, orgId: OrgId, ids: readonly ReportId[]) {
  const rows = await db.query<Row>(sql`
    select ${reports.names} from store_reports
     where org_id = ${toUuid(orgId)} and id = any(${ids.map(toUuid)}::uuid[])
  `);
  return rows.map(reports.read);
}

export async function lockReport(tx: Tx, id: ReportId): Promise<StoreReport | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${reports.names} from store_reports
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && reports.read(row);
}

/**
 * The advisory lock serializes what is decided about the reports of one store: two overlapping reports that were read at
 * the same time would both find no live report. Taken before the rows are locked.
 */
export const lockReportsOfStore = (tx: Tx, storeId: string): void =>
  tx.write(sql`select pg_advisory_xact_lock(hashtextextended(${`${tx.orgId} ${storeId}`}, 28))`);

/** The report with the same files, unless it is rejected. */
export async function findReportBySet(
  db: Db,
  orgId: OrgId,
  { storeId, setDigest }: Pick<StoreReport, 'storeId' | 'setDigest'>,
): Promise<StoreReport | undefined> {
  const [row] = await db.query<Row>(sql`
    select ${reports.names} from store_reports
     where org_id = ${toUuid(orgId)} and store_id = ${storeId} and set_digest = ${digestColumn.write(setDigest)}
       and status <> 'rejected'
  `);
  return row && reports.read(row);
}

/** Another report of the store with this message id, unless it is rejected. */
export async function findReportByMessageId(
  tx: Tx,
  { id, storeId }: Pick<StoreReport, 'id' | 'storeId'>,
  messageId: string,
): Promise<ReportId | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from store_reports
     where org_id = ${toUuid(tx.orgId)} and store_id = ${storeId} and message_id = ${messageId}
       and status <> 'rejected' and id <> ${toUuid(id)}
  `);
  return row && toWire('rpt', row.id);
}

/** The validated reports that overlap with this one. */
export async function findReportsOverlapping(tx: Tx, id: ReportId): Promise<StoreReport[]> {
  const rows = await tx.query<Row>(sql`
    select ${reports.names} from store_reports
     where org_id = ${toUuid(tx.orgId)} and status = 'validated' and overlaps_with @> array[${toUuid(id)}::uuid]
     order by id for update
  `);
  return rows.map(reports.read);
}

export type ReportFilters = {
  readonly status?: ReportStatus | undefined;
  readonly storeId?: string | undefined;
};

/** Newest first. */
export async function listReports(
  db: Db,
  orgId: OrgId,
  { status, storeId }: ReportFilters,
  limit: number,
): Promise<StoreReport[]> {
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`];
  if (status !== undefined) where.push(sql`status = ${status}`);
  if (storeId !== undefined) where.push(sql`store_id = ${storeId}`);
  const rows = await db.query<Row>(sql`
    select ${reports.names} from store_reports
     where ${allOf(where)} order by created_at desc, id desc limit ${limit}
  `);
  return rows.map(reports.read);
}

/** False if the same files are stored already. Waits for a transaction that is storing them. */
export async function insertReport(tx: Tx, report: StoreReport): Promise<boolean> {
  const row = { org_id: toUuid(tx.orgId), ...reports.write(report), ...actorColumns(tx) };
  const inserted = await tx.query(sql`
    ${insertInto('store_reports', row)}
    on conflict (org_id, store_id, set_digest) where status <> 'rejected' do nothing returning id
  `);
  return inserted.length > 0;
}

/** What the worker may write: the result of a reading. */
export function updateReading(tx: Tx, report: StoreReport): void {
  const row = reports.write(report);
  const names = [
    'status',
    'message_id',
    'period_start',
    'period_end',
    'rejection',
    'rows_read',
    'rows_matched',
    'rows_suspense',
    'rows_rejected',
    'overlaps_with',
    'progress',
    'updated_at',
  ];
  update(tx, report.id, Object.fromEntries(names.map((name) => [name, row[name]])));
}

/** What the operator may write. */
export function updateDecision(tx: Tx, report: StoreReport): void {
  const { status, rejection, supersedes, supplements, updated_at } = reports.write(report);
  update(tx, report.id, { status, rejection, supersedes, supplements, updated_at });
}

/** What both may write. */
export function updateReportStatus(tx: Tx, report: StoreReport): void {
  const { status, updated_at } = reports.write(report);
  update(tx, report.id, { status, updated_at });
}

/** Only while the report is being read. */
export function updateProgress(tx: Tx, id: ReportId, progress: ReportProgress): void {
  tx.write(sql`
    update store_reports set progress = ${JSON.stringify(progress)}
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} and status = 'received'
  `);
}

const update = (tx: Tx, id: ReportId, changes: Row): void =>
  tx.write(
    updateWhere(
      'store_reports',
      { ...changes, ...actorColumns(tx) },
      { org_id: toUuid(tx.orgId), id: toUuid(id) },
    ),
  );

/** In the order of their ids. */
export async function findReportIds(
  tx: Tx,
  after: ReportId | null,
  limit: number,
): Promise<ReportId[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from store_reports
     where org_id = ${toUuid(tx.orgId)} and (${after && toUuid(after)}::uuid is null or id > ${after && toUuid(after)}::uuid)
     order by id limit ${limit}
  `);
  return rows.map(({ id }) => toWire('rpt', id));
}

/** When the report that has had this status the longest got it. */
export async function findOldestReport(
  tx: Tx,
  status: 'received' | 'validated',
): Promise<Date | null> {
  const [row] = await tx.query<{ since: Date | null }>(sql`
    select min(updated_at) as since from store_reports
     where org_id = ${toUuid(tx.orgId)} and status = ${status}
  `);
  return row?.since ?? null;
}
