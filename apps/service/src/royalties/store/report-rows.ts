/** The rows that belong to a report: its files, and what its reading has found. */

import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import {
  type Columns,
  defineColumns,
  idColumn,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, type Sql, sql } from '../../platform/db/sql.ts';
import type { Rematch } from '../domain/rematch.ts';
import {
  type ReportId,
  type ReportPart,
  type ReportReading,
  type ReportScope,
  type ReportShare,
  type ReportTotal,
} from '../domain/report.ts';
import { liveStatuses, type ReportFile } from '../domain/store-report.ts';
import { bigintColumn, digestColumn } from './report-columns.ts';

const files = defineColumns<ReportFile>({
  number: plain(),
  name: plain(),
  objectKey: plain(),
  sizeBytes: bigintColumn,
  sha256: digestColumn,
});

const totals = defineColumns<ReportTotal>({
  currency: plain(),
  declaredAmount: plain(),
  matchedAmount: plain(),
  suspenseAmount: plain(),
  rejectedAmount: plain(),
  otherAmount: plain(),
});

const scopes = defineColumns<ReportScope>({
  service: plain(),
  territory: plain(),
  commercialModel: plain(),
  useType: plain(),
  periodStart: plain(),
  periodEnd: plain(),
});

const parts = defineColumns<ReportPart>({
  kind: plain(),
  number: plain(),
  objectKey: plain(),
  sizeBytes: bigintColumn,
  sha256: digestColumn,
  rowCount: bigintColumn,
});

const shares = defineColumns<Omit<ReportShare, 'orgId'> & { readonly partnerOrgId: OrgId }>({
  partNumber: plain(),
  partnerOrgId: idColumn('org'),
  currency: plain(),
  rowCount: bigintColumn,
  amount: plain(),
});

/** Below the statement timeout, and below the memory of a JSON document that PostgreSQL parses at once. */
const rowsPerStatement = 5_000;

export const insertFiles = (tx: Tx, id: ReportId, rows: readonly ReportFile[]): void =>
  insertRows(tx, id, { table: sql`report_files`, columns: files }, rows);

export function insertReadingRows(
  tx: Tx,
  { id, storeId }: { readonly id: ReportId; readonly storeId: string },
  reading: Pick<ReportReading, 'totals' | 'scopes' | 'parts' | 'shares'>,
): void {
  insertRows(tx, id, { table: sql`report_totals`, columns: totals }, reading.totals);
  insertRows(tx, id, { table: sql`report_scopes`, columns: scopes, storeId }, reading.scopes);
  insertParts(tx, id, reading);
}

function insertParts(tx: Tx, id: ReportId, found: Pick<ReportReading, 'parts' | 'shares'>): void {
  insertRows(tx, id, { table: sql`report_parts`, columns: parts }, found.parts);
  insertRows(
    tx,
    id,
    { table: sql`report_shares`, columns: shares },
    found.shares.map(({ orgId, ...share }) => ({ ...share, partnerOrgId: orgId })),
  );
}

/** What left suspense is matched, or a fine or other income. */
export function addRematchedRows(tx: Tx, id: ReportId, rematch: Rematch): void {
  insertParts(tx, id, rematch);
  for (const { currency, matchedAmount, otherAmount } of rematch.totals) {
    tx.write(sql`
      update report_totals
         set matched_amount = matched_amount + ${matchedAmount}::numeric,
             other_amount = other_amount + ${otherAmount}::numeric,
             suspense_amount = suspense_amount - ${matchedAmount}::numeric - ${otherAmount}::numeric
       where org_id = ${toUuid(tx.orgId)} and report_id = ${toUuid(id)} and currency = ${currency}
    `);
  }
}

type Target<T> = {
  readonly table: Sql;
  readonly columns: Columns<T>;
  /** For the table that has the store again, for its index. */
  readonly storeId?: string;
};

function insertRows<T>(
  tx: Tx,
  id: ReportId,
  { table, columns, storeId }: Target<T>,
  rows: readonly T[],
): void {
  const store = storeId === undefined ? { name: sql``, value: sql`` } : storeColumn(storeId);
  for (let first = 0; first < rows.length; first += rowsPerStatement) {
    const records = rows.slice(first, first + rowsPerStatement).map(columns.toJson);
    tx.write(sql`
      insert into ${table} (org_id, report_id${store.name}, ${columns.names})
      select ${toUuid(tx.orgId)}, ${toUuid(id)}${store.value}, ${columns.names}
        from jsonb_populate_recordset(null::${table}, ${json(records)})
    `);
  }
}

const storeColumn = (storeId: string) => ({ name: sql`, store_id`, value: sql`, ${storeId}` });

/** The live reports of the store with an equal scope and a period that intersects, the oldest first. */
export async function findOverlaps(tx: Tx, id: ReportId): Promise<ReportId[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select distinct theirs.report_id as id
      from report_scopes mine
      join report_scopes theirs using (org_id, store_id, service, territory, commercial_model, use_type)
      join store_reports report on report.org_id = theirs.org_id and report.id = theirs.report_id
     where mine.org_id = ${toUuid(tx.orgId)} and mine.report_id = ${toUuid(id)} and theirs.report_id <> ${toUuid(id)}
       and theirs.period_end >= mine.period_start and theirs.period_start <= mine.period_end
       and report.status = any(${[...liveStatuses]}::text[])
     order by id
  `);
  return rows.map((row) => toWire('rpt', row.id));
}

async function listRows<T>(
  db: Db,
  { orgId, id }: { readonly orgId: OrgId; readonly id: ReportId },
  { table, columns, order }: { table: Sql; columns: Columns<T>; order: Sql },
): Promise<T[]> {
  const rows = await db.query<Row>(sql`
    select ${columns.names} from ${table}
     where org_id = ${toUuid(orgId)} and report_id = ${toUuid(id)} order by ${order}
  `);
  return rows.map(columns.read);
}

type ReportRef = { readonly orgId: OrgId; readonly id: ReportId };

export const listFiles = (db: Db, report: ReportRef): Promise<ReportFile[]> =>
  listRows(db, report, { table: sql`report_files`, columns: files, order: sql`number` });

export const listTotals = (db: Db, report: ReportRef): Promise<ReportTotal[]> =>
  listRows(db, report, { table: sql`report_totals`, columns: totals, order: sql`currency` });

export const listParts = (db: Db, report: ReportRef): Promise<ReportPart[]> =>
  listRows(db, report, { table: sql`report_parts`, columns: parts, order: sql`kind, number` });
