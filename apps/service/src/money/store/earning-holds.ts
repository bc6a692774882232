import { type Id, type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
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
import { given, listPage } from '../../platform/db/list-page.ts';
import { sql } from '../../platform/db/sql.ts';
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
export function listEarningHolds(
  db: Db,
  orgId: OrgId,
  { status, currency }: EarningHoldFilters,
  page: PageRequest,
): Promise<Page<EarningHold>> {
  return listPage(
    db,
    {
      orgId,
      from: sql`earning_holds`,
      columns: earningHolds.names,
      filters: [
        given(status, (value) => sql`status = ${value}`),
        given(currency, (value) => sql`currency = ${value}`),
      ],
      read: earningHolds.read,
    },
    page,
  );
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
