import { type Id, type OrgId, toUuid } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
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
import { allOf, type Sql, sql } from '../../platform/db/sql.ts';
import type { EarningHold, EarningHoldId, EarningHoldStatus } from '../domain/earning-hold.ts';
import { microsColumn } from './micros-column.ts';

const earningHolds = defineColumns<EarningHold>({
  id: idColumn('hld'),
  status: plain(),
  reason: plain(),
  currency: plain(),
  amount: microsColumn,
  storeId: plain(),
  isrc: plain(),
  periodStart: plain(),
  periodEnd: plain(),
  evidence: plain(),
  reportId: nullable(idColumn('rpt')),
  reviewBy: plain(),
  createdAt: plain(),
  updatedAt: plain(),
});

/** FOR UPDATE: of two settlements, the second one reads the status that the first one has written. */
export async function lockEarningHold(tx: Tx, id: EarningHoldId): Promise<EarningHold | undefined> {
  const [row] = await tx.query<Row>(sql`
    select ${earningHolds.names} from earning_holds
     where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(id)} for update
  `);
  return row && earningHolds.read(row);
}

/** FOR UPDATE. What is held, or was, because a store has not paid this report in full. */
export async function lockHoldsOfReport(
  tx: Tx,
  reportId: Id<'rpt'>,
  currency: string,
): Promise<EarningHold[]> {
  const rows = await tx.query<Row>(sql`
    select ${earningHolds.names} from earning_holds
     where org_id = ${toUuid(tx.orgId)} and report_id = ${toUuid(reportId)} and currency = ${currency}
     order by id for update
  `);
  return rows.map(earningHolds.read);
}

export type EarningHoldFilters = {
  readonly status?: EarningHoldStatus | undefined;
  readonly currency?: string | undefined;
};

/** Newest first by (created_at, id). */
export async function listEarningHolds(
  db: Db,
  orgId: OrgId,
  { status, currency }: EarningHoldFilters,
  { limit, after }: PageRequest,
): Promise<Page<EarningHold>> {
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`];
  if (status !== undefined) where.push(sql`status = ${status}`);
  if (currency !== undefined) where.push(sql`currency = ${currency}`);
  if (after !== undefined) {
    where.push(sql`(created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  const rows = await db.query<Row & { id: string; position: string }>(sql`
    select ${earningHolds.names}, created_at::text as position from earning_holds
     where ${allOf(where)}
     order by created_at desc, id desc
     limit ${limit + 1}
  `);
  return toPage(rows, limit, {
    item: earningHolds.read,
    position: ({ position, id }) => ({ at: position, id }),
  });
}

export function insertEarningHold(tx: Tx, hold: EarningHold): void {
  tx.write(
    insertInto('earning_holds', {
      org_id: toUuid(tx.orgId),
      ...earningHolds.write(hold),
      ...actorColumns(tx),
    }),
  );
}

export function updateEarningHold(tx: Tx, { id, status, updatedAt }: EarningHold): void {
  const changes = { status, updated_at: updatedAt, ...actorColumns(tx) };
  tx.write(updateWhere('earning_holds', changes, { org_id: toUuid(tx.orgId), id: toUuid(id) }));
}
