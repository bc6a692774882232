import { type Id, type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Micros } from '../../kernel/money.ts';
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
import { microsColumn, readMicros } from './micros-column.ts';

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
  /** The statement in which they are counted. */
  readonly statementId?: Id<'stm'> | undefined;
};

/** Newest first by (created_at, id). */
export async function listAdjustments(
  db: Db,
  orgId: OrgId,
  { type, currency, statementId }: AdjustmentFilters,
  { limit, after }: PageRequest,
): Promise<Page<Adjustment>> {
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`];
  if (type !== undefined) where.push(sql`type = ${type}`);
  if (currency !== undefined) where.push(sql`currency = ${currency}`);
  if (statementId !== undefined) where.push(sql`statement_id = ${toUuid(statementId)}`);
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

/** Of those that are counted in a statement. */
export async function sumAdjustments(
  db: Db,
  orgId: OrgId,
  statementId: Id<'stm'>,
): Promise<{ readonly count: number; readonly amount: Micros }> {
  const [row] = await db.query<{ count: number; amount: string }>(sql`
    select count(*)::integer as count, coalesce(sum(amount), 0) as amount from adjustments
     where org_id = ${toUuid(orgId)} and statement_id = ${toUuid(statementId)}
  `);
  return { count: row?.count ?? 0, amount: readMicros(row?.amount ?? '0') };
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
