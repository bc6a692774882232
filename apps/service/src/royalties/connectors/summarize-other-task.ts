/** Adds up rows without usage, in a process of its own. */

import { toWire } from '../../kernel/ids.ts';
import type { Task } from '../../platform/process/child-task.ts';
import type { OtherAmount } from '../domain/other-amount.ts';
import { text } from './duckdb-texts.ts';
import { withDuckDb } from './duckdb.ts';
import type { OtherInput } from './summarize-other.ts';

type SummedRow = Pick<OtherAmount, 'type' | 'currency' | 'amount' | 'reason' | 'usageMonth'> & {
  readonly orgId: string | null;
};

export const run: Task<OtherInput, readonly OtherAmount[]> = (input) =>
  withDuckDb(input, async (db) => {
    const amounts: OtherAmount[] = [];
    for (const { path, reportId, number } of input.parts) {
      const rows = await db.rows<SummedRow>(`
        select cast(org_id as varchar) as "orgId", type, usage_month as "usageMonth", currency, reason,
               cast(cast(sum(amount) as decimal(38, 10)) as varchar) as amount
          from read_parquet(${text(path)})
         group by all order by all`);
      for (const row of rows) {
        const orgId = row.orgId === null ? null : toWire('org', row.orgId);
        amounts.push({ ...row, orgId, reportId, number });
      }
    }
    return amounts;
  });
