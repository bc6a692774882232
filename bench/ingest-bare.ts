/** Bare DuckDB, in a process of its own: reads the files of a report, groups the rows, and writes nothing. */

import type { Task } from '../apps/service/src/platform/process/child-task.ts';
import { columnsOf, nameOf, text } from '../apps/service/src/royalties/connectors/duckdb-texts.ts';
import { type DuckDbLimits, withDuckDb } from '../apps/service/src/royalties/connectors/duckdb.ts';
import { dsrRecords } from '../apps/service/src/royalties/domain/dsr-records.ts';
import type { WrittenReport } from './ingest-report.ts';

export type BareInput = DuckDbLimits & { readonly report: WrittenReport };
export type BareResult = {
  readonly rows: number;
  readonly groups: number;
  readonly amount: string;
};

const columns = columnsOf(Object.fromEntries(dsrRecords.SR08.map(({ name }) => [name, 'VARCHAR'])));

export const run: Task<BareInput, BareResult> = ({ report, ...limits }) =>
  withDuckDb(limits, async (db) => {
    await db.load('summaries', { id: 'VARCHAR', territory: 'VARCHAR' }, report.summaries);
    // The footer has fewer cells: an error, which is ignored.
    const [found] = await db.rows<BareResult>(`
      select sum(rows)::integer as rows, count(*)::integer as groups, sum(amount)::varchar as amount
        from (
          select ${nameOf('ResourceISRC')} as isrc, territory, id, substr(${nameOf('SalesTransactionDate')}, 1, 7) as month,
                 count(*) as rows, sum(${nameOf('NetUsage')}::bigint) as plays,
                 sum(${nameOf('AllocatedNetRevenueInCurrencyOfAccounting')}::decimal(18, 10)) as amount
            from read_csv([${report.paths.map(text).join(', ')}], delim = '\t', quote = '', escape = '', header = false,
                          auto_detect = false, ignore_errors = true, skip = ${report.headLines}, columns = ${columns})
            join summaries on id = ${nameOf('SummaryRecordId')}
           group by all)`);
    if (found === undefined) throw new Error('a sum has one row');
    return found;
  });
