import type { Db } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { ReportedMonth } from '../domain/reporting-status.ts';

type MonthRow = {
  readonly store_id: string;
  readonly usage_month: string;
  readonly state: ReportedMonth['state'];
};

/** Of all stores: what is reported is no fact about a partner. */
export async function findReportedMonths(db: Db): Promise<ReportedMonth[]> {
  const rows = await db.query<MonthRow>(
    sql`select store_id, usage_month, state from reported_months()`,
  );
  return rows.map((row) => ({
    storeId: row.store_id,
    usageMonth: row.usage_month,
    state: row.state,
  }));
}
