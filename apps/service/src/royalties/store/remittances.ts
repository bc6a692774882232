import type { Currency } from '../../kernel/currency.ts';
import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
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
import { type Sql, sql } from '../../platform/db/sql.ts';
import type { Remittance, RemittanceId, RemittanceWithReports } from '../domain/remittance.ts';
import type { ReportId, ReportStatus } from '../domain/report.ts';

const remittances = defineColumns<Remittance>({
  id: idColumn('rmt'),
  completes: nullable(idColumn('rmt')),
  storeId: plain(),
  reference: plain(),
  currency: plain(),
  amount: microsColumn,
  sourceTax: microsColumn,
  settledCurrency: plain(),
  settledAmount: microsColumn,
  bankFee: microsColumn,
  valueDate: plain(),
  dueAmount: plain(),
  status: plain(),
  decision: plain(),
  createdAt: plain(),
  updatedAt: plain(),
});

type ReportIdsRow = Row & { readonly report_ids: readonly string[] };

/** One that completes another has the reports of that one. */
const names = sql`${remittances.names}, array(
  select report_id from remittance_reports reports
   where reports.org_id = remittances.org_id
     and reports.remittance_id = coalesce(remittances.completes, remittances.id)
   order by report_id)::text[] as report_ids`;

const toRemittance = (row: ReportIdsRow): RemittanceWithReports => ({
  ...remittances.read(row),
  reportIds: row.report_ids.map((id) => toWire('rpt', id)),
});

const remittancesShownMax = 100;

const select = async (db: Db, condition: Sql): Promise<RemittanceWithReports[]> => {
  const rows = await db.query<ReportIdsRow>(
    sql`select ${names} from remittances where ${condition}`,
  );
  return rows.map(toRemittance);
};

/** Newest first. */
export const listRemittances = (
  db: Db,
  orgId: OrgId,
  storeId: string | null,
): Promise<RemittanceWithReports[]> =>
  select(
    db,
    sql`org_id = ${toUuid(orgId)} and (${storeId}::text is null or store_id = ${storeId})
        order by created_at desc, id desc limit ${remittancesShownMax}`,
  );

export async function findByReference(
  tx: Tx,
  storeId: string,
  reference: string,
): Promise<RemittanceWithReports | undefined> {
  const [found] = await select(
    tx,
    sql`org_id = ${toUuid(tx.orgId)} and store_id = ${storeId} and reference = ${reference}`,
  );
  return found;
}

/** FOR UPDATE: a decision and a remittance that completes this one follow each other. */
export async function lockRemittance(
  tx: Tx,
  id: RemittanceId,
): Promise<RemittanceWithReports | undefined> {
  const [found] = await select(
    tx,
    sql`org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update`,
  );
  return found;
}

/** Itself, and those that complete it, oldest first. */
export const findSettling = (
  db: Db,
  orgId: OrgId,
  firstIds: readonly RemittanceId[],
): Promise<RemittanceWithReports[]> => {
  const ids = firstIds.map(toUuid);
  return select(
    db,
    sql`org_id = ${toUuid(orgId)} and (id = any(${ids}) or completes = any(${ids}))
        order by created_at, id`,
  );
};

export function insertRemittance(tx: Tx, remittance: RemittanceWithReports): void {
  const orgUuid = toUuid(tx.orgId);
  tx.write(
    insertInto('remittances', {
      org_id: orgUuid,
      ...remittances.write(remittance),
      ...actorColumns(tx),
    }),
  );
  if (remittance.completes !== null) return;
  tx.write(sql`
    insert into remittance_reports (org_id, report_id, currency, remittance_id)
    select ${orgUuid}, report_id, ${remittance.currency}, ${toUuid(remittance.id)}
      from unnest(${remittance.reportIds.map(toUuid)}::uuid[]) report_id
  `);
}

export function updateRemittance(tx: Tx, { id, status, decision }: Remittance): void {
  const changes = { status, decision, updated_at: tx.now, ...actorColumns(tx) };
  tx.write(updateWhere('remittances', changes, { org_id: toUuid(tx.orgId), id: toUuid(id) }));
}

export type RemittedReport = {
  readonly reportId: ReportId;
  readonly storeId: string;
  readonly status: ReportStatus;
  readonly isInRun: boolean;
  /** The first remittance in this currency. */
  readonly remittanceId: RemittanceId | null;
  /** Undefined: the report has no row in this currency. */
  readonly due: string | null;
};

type RemittedRow = {
  readonly id: string;
  readonly store_id: string;
  readonly status: ReportStatus;
  readonly is_in_run: boolean;
  readonly remittance_id: string | null;
  readonly due: string | null;
};

/** FOR NO KEY UPDATE in the order of their ids: two remittances of one report follow each other. */
export async function lockReports(
  tx: Tx,
  reportIds: readonly ReportId[],
  currency: Currency,
): Promise<RemittedReport[]> {
  const ids = reportIds.map(toUuid);
  tx.write(sql`
    select 1 from store_reports where org_id = ${toUuid(tx.orgId)} and id = any(${ids})
     order by id for no key update
  `);
  // A statement of its own: it sees what another transaction committed before it released the locks.
  const rows = await tx.query<RemittedRow>(sql`
    select report.id, report.store_id, report.status, paid.remittance_id,
           exists (select from report_parts part
                    where part.org_id = report.org_id and part.report_id = report.id
                      and part.run_id is not null) as is_in_run,
           (total.matched_amount + total.suspense_amount + total.rejected_amount + total.other_amount)::text as due
      from store_reports report
      left join report_totals total
        on total.org_id = report.org_id and total.report_id = report.id and total.currency = ${currency}
      left join remittance_reports paid
        on paid.org_id = report.org_id and paid.report_id = report.id and paid.currency = ${currency}
     where report.org_id = ${toUuid(tx.orgId)} and report.id = any(${ids})
     order by report.id
  `);
  return rows.map((row) => ({
    reportId: toWire('rpt', row.id),
    storeId: row.store_id,
    status: row.status,
    isInRun: row.is_in_run,
    remittanceId: row.remittance_id === null ? null : toWire('rmt', row.remittance_id),
    due: row.due,
  }));
}
