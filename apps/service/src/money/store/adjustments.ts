import { type OrgId, toUuid } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  insertInto,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allOf, type Sql, sql } from '../../platform/db/sql.ts';
import type { Adjustment, AdjustmentType } from '../domain/adjustment.ts';
import { microsColumn } from './micros-column.ts';

const adjustments = defineColumns<Adjustment>({
  id: idColumn('adj'),
  type: plain(),
  currency: plain(),
  grossAmount: microsColumn,
  feeAmount: microsColumn,
  taxAmount: microsColumn,
  amount: microsColumn,
  reason: plain(),
  refersTo: plain(),
  createdAt: plain(),
});

export type AdjustmentFilters = {
  readonly type?: AdjustmentType | undefined;
  readonly currency?: string | undefined;
};

/** Newest first by (created_at, id). */
export async function listAdjustments(
  db: Db,
  orgId: OrgId,
  { type, currency }: AdjustmentFilters,
  { limit, after }: PageRequest,
): Promise<Page<Adjustment>> {
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`];
  if (type !== undefined) where.push(sql`type = ${type}`);
  if (currency !== undefined) where.push(sql`currency = ${currency}`);
  if (after !== undefined) {
    where.push(sql`(created_at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  }
  const rows = await db.query<Row & { id: string; position: string }>(sql`
    select ${adjustments.names}, created_at::text as position from adjustments
     where ${allOf(where)}
     order by created_at desc, id desc
     limit ${limit + 1}
  `);
  return toPage(rows, limit, {
    item: adjustments.read,
    position: ({ position, id }) => ({ at: position, id }),
  });
}

export function insertAdjustment(tx: Tx, adjustment: Adjustment): void {
  tx.write(
    insertInto('adjustments', {
      org_id: toUuid(tx.orgId),
      ...adjustments.write(adjustment),
      ...actorColumns(tx),
    }),
  );
}
