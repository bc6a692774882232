/**
 * Numbers for everything that a row of a bucket is grouped by. The numbers are in the order of what they stand for, so
 * that items and records are sorted by numbers.
 */

import type { Currency } from '../../kernel/currency.ts';
import { toUuid } from '../../kernel/ids.ts';
import { useTypes } from '../../kernel/use-type.ts';
import type { ReportId } from '../domain/report.ts';
import type { BucketInput } from './calculate-bucket.ts';
import { text as textLiteral } from './duckdb-texts.ts';
import type { DuckDb } from './duckdb.ts';

export const sortedUseTypes = useTypes.toSorted();
export const transactionTypes = ['return', 'usage'];

export type BucketCodes = {
  /** The position of a text is its number. */
  readonly territories: readonly string[];
  readonly usageMonths: readonly string[];
  readonly accountingMonths: readonly string[];
  readonly currencies: readonly Currency[];
  readonly reportIds: readonly ReportId[];
  readonly storeIds: readonly string[];
  readonly periodStart: DateRange;
  readonly periodEnd: DateRange;
  readonly rowCount: number;
  readonly trackCount: number;
};

type DateRange = { readonly first: string; readonly dayCount: number };

/** Creates the view `matched`: the rows of the bucket. Filters on sorted columns let DuckDB skip whole row groups. */
export async function createMatchedView(db: DuckDb, input: BucketInput): Promise<void> {
  const { bucket, parts } = input;
  const { reportIds, storeIds } = idsOf(input);
  const statements = bucket.statements.map(
    ({ orgId, sliceFrom, sliceTo, currency }, statement) => ({
      statement,
      org_id: toUuid(orgId),
      slice_from: sliceFrom,
      slice_to: sliceTo,
      currency,
    }),
  );
  await db.load(
    'statements',
    {
      statement: 'INTEGER',
      org_id: 'UUID',
      slice_from: 'SMALLINT',
      slice_to: 'SMALLINT',
      currency: 'VARCHAR',
    },
    statements,
  );
  await db.load(
    'files',
    { file: 'UBIGINT', report: 'INTEGER', store: 'INTEGER' },
    parts.map(({ reportId, storeId }, file) => ({
      file,
      report: reportIds.indexOf(reportId),
      store: storeIds.indexOf(storeId),
    })),
  );
  const orgIds = statements.map(({ org_id }) => org_id).toSorted();
  const sliceFrom = Math.min(...statements.map(({ slice_from }) => slice_from));
  const sliceTo = Math.max(...statements.map(({ slice_to }) => slice_to));
  await db.run(`create view matched as
    select s.statement, f.report, f.store, m.* exclude (org_id, slice)
    from read_parquet([${parts.map(({ path }) => textLiteral(path)).join(', ')}]) m
    join files f on f.file = m.file_index
    join statements s
      on s.org_id = m.org_id and m.slice >= s.slice_from and m.slice < s.slice_to
    where m.org_id between '${orgIds[0]}'::uuid and '${orgIds.at(-1)}'::uuid
      and m.slice >= ${sliceFrom} and m.slice < ${sliceTo}`);
}

/** Null if the bucket has no rows: all ISRCs of a large organization may be in other slices. */
type FoundValues = {
  readonly row_count: number;
  readonly territories: readonly string[] | null;
  readonly usage_months: readonly string[] | null;
  readonly accounting_months: readonly string[] | null;
  readonly currencies: readonly Currency[] | null;
  readonly first_start: string | null;
  readonly start_days: number | null;
  readonly first_end: string | null;
  readonly end_days: number | null;
};

/** Creates the types and tables of the numbers. */
export async function createCodes(db: DuckDb, input: BucketInput): Promise<BucketCodes> {
  const [found] = await db.rows<FoundValues>(`select
      count(*)::integer as row_count, list(distinct territory) as territories, list(distinct usage_month) as usage_months,
      list(distinct accounting_month) as accounting_months,
      list(distinct currency) as currencies,
      min(period_start)::varchar as first_start,
      (max(period_start) - min(period_start) + 1)::integer as start_days,
      min(period_end)::varchar as first_end,
      (max(period_end) - min(period_end) + 1)::integer as end_days
    from matched`);
  if (found === undefined) throw new Error('an aggregate has one row');
  const codes = {
    ...idsOf(input),
    rowCount: found.row_count,
    territories: (found.territories ?? ['']).toSorted(),
    usageMonths: (found.usage_months ?? ['']).toSorted(),
    accountingMonths: (found.accounting_months ?? ['']).toSorted(),
    currencies: (found.currencies ?? ['EUR' as const]).toSorted(),
    periodStart: { first: found.first_start ?? '2000-01-01', dayCount: found.start_days ?? 1 },
    periodEnd: { first: found.first_end ?? '2000-01-01', dayCount: found.end_days ?? 1 },
  };
  await createTextType(db, 'territory_code', codes.territories);
  await createTextType(db, 'usage_month_code', codes.usageMonths);
  await createTextType(db, 'accounting_month_code', codes.accountingMonths);
  await createTextType(db, 'currency_code', codes.currencies);
  await createTextType(db, 'use_type_code', sortedUseTypes);
  await createTextType(db, 'transaction_type_code', transactionTypes);
  return { ...codes, trackCount: await createTracks(db) };
}

/** Creates `tracks` and `titles`. */
async function createTracks(db: DuckDb): Promise<number> {
  await db.run(`create table named_tracks as
    select track_id, release_id, isrc, report, min(title) as title from matched group by all`);
  await db.run(`create table tracks as
    select (row_number() over (order by isrc, release_id, track_id) - 1)::integer as track,
      (dense_rank() over (order by track_id) - 1)::integer as record_track,
      track_id, release_id, isrc
    from (select distinct track_id, release_id, isrc from named_tracks)`);
  await db.run(`create table titles as
    select t.track, n.report, n.title
    from named_tracks n join tracks t using (track_id, release_id, isrc)`);
  await db.run('drop table named_tracks');
  const [row] = await db.rows<{ readonly count: number }>(
    'select count(*)::integer as count from tracks',
  );
  return Math.max(1, row?.count ?? 0);
}

function idsOf({ parts }: BucketInput): Pick<BucketCodes, 'reportIds' | 'storeIds'> {
  return {
    reportIds: [...new Set(parts.map(({ reportId }) => reportId))].toSorted(),
    storeIds: [...new Set(parts.map(({ storeId }) => storeId))].toSorted(),
  };
}

const createTextType = (db: DuckDb, name: string, values: readonly string[]): Promise<void> =>
  db.run(`create type ${name} as enum (${values.map(textLiteral).join(', ')})`);
