import { type Id, type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Micros } from '../../kernel/money.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  insertInto,
  plain,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { given, listPage } from '../../platform/db/list-page.ts';
import { sql } from '../../platform/db/sql.ts';
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
export function listAdjustments(
  db: Db,
  orgId: OrgId,
  { type, currency, statementId }: AdjustmentFilters,
  page: PageRequest,
): Promise<Page<Adjustment>> {
  return listPage(
    db,
    {
      orgId,
      from: sql`adjustments`,
      columns: adjustments.names,
      filters: [
        given(type, (value) => sql`type = ${value}`),
        given(currency, (value) => sql`currency = ${value}`),
        given(statementId, (value) => sql`statement_id = ${toUuid(value)}`),
      ],
      read: adjustments.read,
    },
    page,
  );
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
