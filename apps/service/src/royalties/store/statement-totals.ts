/** Totals of a published statement, for its document: the largest first, then all others in one row. */

import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Sql, sql } from '../../platform/db/sql.ts';
import type { StatementId } from '../domain/calculation.ts';
import type { RankedTotal } from '../domain/statement-document.ts';

type TotalRow = {
  readonly key: string | null;
  readonly count: number;
  readonly play_count: string;
  readonly gross_amount: string;
  readonly fee_amount: string;
  readonly tax_amount: string;
  readonly net_amount: string;
};

/** Keys are `store_id`s. */
export const sumByStore = (
  db: Db,
  orgId: OrgId,
  id: StatementId,
  max: number,
): Promise<RankedTotal[]> => sumBy(db, orgId, id, max, sql`store_id`);

/** Keys are UUIDs of releases. */
export const sumByRelease = (
  db: Db,
  orgId: OrgId,
  id: StatementId,
  max: number,
): Promise<RankedTotal[]> => sumBy(db, orgId, id, max, sql`release_id::text`);

async function sumBy(
  db: Db,
  orgId: OrgId,
  statementId: StatementId,
  max: number,
  key: Sql,
): Promise<RankedTotal[]> {
  const rows = await db.query<TotalRow>(sql`
    with sums as (
      select ${key} as key, sum(play_count) as play_count, sum(gross_amount) as gross_amount,
             sum(fee_amount) as fee_amount, sum(source_tax_amount + payee_tax_amount) as tax_amount,
             sum(net_amount) as net_amount
        from royalty_totals
       where org_id = ${toUuid(orgId)} and statement_id = ${toUuid(statementId)}
       group by 1
    ), ranked as (
      select *, row_number() over (order by gross_amount desc, key) as rank from sums
    )
    select case when rank <= ${max} then key end as key, count(*)::integer as count,
           sum(play_count)::text as play_count, sum(gross_amount) as gross_amount, sum(fee_amount) as fee_amount,
           sum(tax_amount) as tax_amount, sum(net_amount) as net_amount
      from ranked
     group by 1
     order by min(rank)
  `);
  return rows.map((row) => ({
    key: row.key,
    count: row.count,
    playCount: row.play_count,
    grossAmount: row.gross_amount,
    feeAmount: row.fee_amount,
    taxAmount: row.tax_amount,
    netAmount: row.net_amount,
  }));
}
