/**
 * Numbers for everything that a row of a bucket is grouped by. The numbers are in the order of what they stand for, so
 * that items and records are sorted by numbers.
 */

import { toUuid } from '../../kernel/ids.ts';
import { useTypes } from '../../kernel/use-type.ts';
import type { ReportId } from '../domain/report.ts';
import type { BucketInput } from './calculate-bucket.ts';
import { type DuckDb, text as textLiteral } from './duckdb.ts';

export type BucketCodes = {
  /** The position of a text is its number. */
  readonly territories: readonly string[];
  readonly usageMonths: readonly string[];
  readonly accountingMonths: readonly string[];
  readonly currencies: readonly string[];
  readonly reportIds: readonly ReportId[];
  readonly storeIds: readonly string[];
  readonly periodStart: DateRange;
  readonly periodEnd: DateRange;
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
  readonly territories: readonly string[] | null;
  readonly usage_months: readonly string[] | null;
  readonly accounting_months: readonly string[] | null;
  readonly currencies: readonly string[] | null;
  readonly first_start: string | null;
  readonly start_days: number | null;
  readonly first_end: string | null;
  readonly end_days: number | null;
};

/** Creates the types and tables of the numbers. */
export async function createCodes(db: DuckDb, input: BucketInput): Promise<BucketCodes> {
  const [found] = await db.rows<FoundValues>(`select
      list(distinct territory) as territories, list(distinct usage_month) as usage_months,
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
    territories: (found.territories ?? ['']).toSorted(),
    usageMonths: (found.usage_months ?? ['']).toSorted(),
    accountingMonths: (found.accounting_months ?? ['']).toSorted(),
    currencies: (found.currencies ?? ['']).toSorted(),
    periodStart: { first: found.first_start ?? '2000-01-01', dayCount: found.start_days ?? 1 },
    periodEnd: { first: found.first_end ?? '2000-01-01', dayCount: found.end_days ?? 1 },
  };
  await createTextType(db, 'territory_code', codes.territories);
  await createTextType(db, 'usage_month_code', codes.usageMonths);
  await createTextType(db, 'accounting_month_code', codes.accountingMonths);
  await createTextType(db, 'currency_code', codes.currencies);
  await createTextType(db, 'use_type_code', useTypes.toSorted());
  await createTextType(db, 'transaction_type_code', ['return', 'usage']);
  await createTextType(db, 'store_code', codes.storeIds);
  await loadTexts(db, 'territories', 'territory_code', codes.territories);
  await loadTexts(db, 'usage_months', 'usage_month_code', codes.usageMonths);
  await loadTexts(db, 'accounting_months', 'accounting_month_code', codes.accountingMonths);
  await loadTexts(db, 'currencies', 'currency_code', codes.currencies);
  await loadTexts(db, 'stores', 'store_code', codes.storeIds);
  await loadTexts(db, 'use_types', 'use_type_code', useTypes.toSorted());
  await loadTexts(db, 'reports', 'uuid', codes.reportIds.map(toUuid));
  return { ...codes, trackCount: await createTracks(db) };
}

/** `track` is in the order of ISRCs, `record_track` in the order of track ids. */
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
  await db.run(`create table record_tracks as
    select record_track, track_id, isrc, release_id,
      (dense_rank() over (order by release_id) - 1)::integer as release
    from (select record_track, track_id, min(isrc) as isrc, min(release_id) as release_id
      from tracks group by all)`);
  await db.run('create type isrc_code as enum (select distinct isrc from tracks order by isrc)');
  await db.run('create type title_code as enum (select distinct title from titles order by title)');
  await db.run('alter table tracks alter isrc type isrc_code');
  await db.run('alter table titles alter title type title_code');
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

/** A text of an enum type takes two bytes where rows are sorted, instead of sixteen and more. */
async function loadTexts(
  db: DuckDb,
  table: string,
  type: string,
  values: readonly string[],
): Promise<void> {
  const rows = values.map((text, code) => ({ code, text }));
  await db.load(`${table}_loaded`, { code: 'INTEGER', text: 'VARCHAR' }, rows);
  await db.run(`create table ${table} as select code, text::${type} as text from ${table}_loaded`);
}
