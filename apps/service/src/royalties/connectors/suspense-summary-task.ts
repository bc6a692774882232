/** What is in suspense, in a process of its own: the largest amounts first. */

import type { Task } from '../../platform/process/child-task.ts';
import { text } from './duckdb-texts.ts';
import { type DuckDbLimits, withConfinedDuckDb } from './duckdb.ts';

export type SuspenseSummaryInput = DuckDbLimits & {
  readonly path: string;
  readonly groupsMax: number;
};

/** Rows of one recording or release that have no owner for the same reason. */
export type SuspenseGroup = {
  readonly reason: string;
  readonly isrc: string;
  readonly product_code: string;
  readonly title: string;
  readonly currency: string;
  readonly territories: readonly string[];
  readonly usage_months: readonly string[];
  readonly rows: number;
  readonly amount: string;
};

export const run: Task<SuspenseSummaryInput, readonly SuspenseGroup[]> = (input) =>
  withConfinedDuckDb(input, (db) =>
    db.rows<SuspenseGroup>(`
      select reason, isrc, product_code, title, currency, list(distinct territory order by territory) as territories,
             list(distinct usage_month order by usage_month) as usage_months, count(*)::integer as rows,
             sum(amount)::varchar as amount
        from read_parquet(${text(input.path)})
       group by reason, isrc, product_code, title, currency
       order by abs(sum(amount)) desc, isrc, product_code, title, currency, reason
       limit ${input.groupsMax}`),
  );
