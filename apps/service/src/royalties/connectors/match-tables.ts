/**
 * The tables by which rows find their owner, in the database engine.
 *
 * A pair is a combination of ISRC and product code that rows have. Its candidates are the holdings of the ISRC at the
 * store; if the store holds the ISRC on a release with that product code, only those, unless one organization holds them
 * all. A candidate is valid at a place (territory and days of usage) if the store held it there on one of the days: a
 * report of a month does not say on which days a recording was used, so a recording that was taken down during the month
 * is paid. Candidates of two organizations at one place: the row stays in suspense.
 *
 * Most pairs have one candidate, and their rows need one look at the valid places. Others are resolved for each place
 * that their rows have.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { columnsOf, csvFile, csvLine, text } from './duckdb-texts.ts';
import type { DuckDb } from './duckdb.ts';
import type { ParsedContext, ParsedReport } from './parse-task.ts';
import type { HoldingFiles } from './write-holdings.ts';
import { missingNumber } from './write-rows.ts';

const contextTypes = {
  context_id: 'INTEGER',
  currency: 'VARCHAR',
  rejection: 'VARCHAR',
  territory: 'VARCHAR',
  use_type: 'VARCHAR',
  usage_month: 'VARCHAR',
  accounting_month: 'VARCHAR',
  period_start: 'DATE',
  period_end: 'DATE',
  usage_start: 'DATE',
  usage_end: 'DATE',
  other_type: 'VARCHAR',
  other_reason: 'VARCHAR',
};

/** A territory and days of usage. */
export const placeId =
  'dense_rank() over (order by territory, usage_start, usage_end)::integer as place_id';

export async function createContexts(
  db: DuckDb,
  folder: string,
  contexts: readonly ParsedContext[],
): Promise<void> {
  const path = join(folder, 'contexts.csv');
  const lines = contexts.map(({ context }, id) =>
    csvLine([
      id,
      context.currency,
      context.rejection,
      context.territory,
      context.useType,
      context.usageMonth,
      context.accountingMonth,
      context.periodStart,
      context.periodEnd,
      context.usageStart,
      context.usageEnd,
      context.otherType,
      context.otherReason,
    ]),
  );
  await writeFile(path, lines.join(''));
  await db.run(`
    create table read_contexts as
    select * replace (coalesce(territory, '') as territory), ${placeId}
      from ${csvFile(path, contextTypes)}`);
  await encodeContexts(db);
}

/** `contexts` of `read_contexts`. */
export async function encodeContexts(db: DuckDb): Promise<void> {
  // Texts of which there are few take a byte where rows are written, instead of sixteen and more.
  const enums = ['currency', 'territory', 'use_type', 'usage_month', 'accounting_month'];
  for (const column of enums)
    await db.run(
      `create type ${column}_code as enum (select distinct ${column} from read_contexts where ${column} is not null order by 1)`,
    );
  await db.run(`
    create table contexts as
    select * replace (${enums.map((column) => `${column}::${column}_code as ${column}`).join(', ')}) from read_contexts`);
}

/** The rows by their numbers: entities are codes with a title. */
export async function createRows(
  db: DuckDb,
  { rowsPath, entitiesPath, wideAmountsPath, wideAmounts }: ParsedReport,
): Promise<void> {
  const entityTypes = {
    entity_id: 'INTEGER',
    isrc: 'VARCHAR',
    product: 'VARCHAR',
    title: 'VARCHAR',
  };
  await db.run(`
    create table entities as
    select entity_id, isrc, product, title from ${jsonLines(entitiesPath, entityTypes)}`);
  const read = `
    select file_row_number as row_id, entity_id, context_id, nullif(units, ${missingNumber}) as units, amount
      from read_parquet(${text(rowsPath)}, file_row_number = true)`;
  const wide = jsonLines(wideAmountsPath, { row_id: 'BIGINT', wide: 'DECIMAL(28,10)' });
  await db.run(
    wideAmounts === 0
      ? `create view rows as ${read}`
      : `create view rows as
         select row_id, entity_id, context_id, units, coalesce(wide, amount) as amount
           from (${read}) left join ${wide} using (row_id)`,
  );
}

const jsonLines = (path: string, columns: Readonly<Record<string, string>>): string =>
  `read_json(${text(path)}, format = 'newline_delimited', columns = ${columnsOf(columns)})`;

const holdingTypes = {
  code: 'VARCHAR',
  org_id: 'UUID',
  release_id: 'UUID',
  track_id: 'UUID',
  set_id: 'INTEGER',
  held_from: 'DATE',
  held_to: 'DATE',
};

export async function createHoldings(db: DuckDb, files: HoldingFiles): Promise<void> {
  await db.run(`
    create table every_holding as
    select distinct code, org_id, release_id, track_id, set_id, held_from, held_to, is_named
      from (select *, true as is_named from ${csvFile(files.holdingsPath, holdingTypes)}
            union all select *, false from ${csvFile(files.tracksPath, holdingTypes)})`);
  // Outside the usage of the report all days are alike.
  await db.run(`
    create table clipped as
    select *, greatest(held_from, (select min(usage_start) from contexts)) as from_day,
              least(held_to, (select max(usage_end) from contexts)) as to_day
      from every_holding`);
  await db.run(`
    create table windows as
    select row_number() over ()::integer as window_id, * from (select distinct set_id, from_day, to_day from clipped)`);
  await db.run(`
    create table valid as
    select distinct window_id, place_id
      from windows
      join ${csvFile(files.territoriesPath, { set_id: 'INTEGER', territory: 'VARCHAR' })} using (set_id)
      join contexts using (territory)
     where from_day <= usage_end and to_day >= usage_start`);
  await db.run(`
    create table targets as
    select row_number() over (order by org_id, slice, isrc, release_id, track_id nulls first)::integer as target_id, *
      from (select distinct org_id, release_id, track_id, case when track_id is not null then code end as isrc,
                   case when track_id is not null then (right(code, 5)::integer % 1000)::smallint end as slice
              from every_holding)`);
  await db.run(`
    create table holdings as
    select code, is_named, target_id, window_id, clipped.org_id, clipped.release_id, clipped.track_id is null as is_release, held_from
      from clipped
      join windows using (set_id, from_day, to_day)
      join targets on targets.org_id = clipped.org_id and targets.release_id = clipped.release_id
       and targets.track_id is not distinct from clipped.track_id
       and (clipped.track_id is null or targets.isrc = clipped.code)`);
}

export async function createPairs(db: DuckDb): Promise<void> {
  await db.run(`
    create table pairs as
    select row_number() over ()::integer as pair_id, isrc, product, isrc = '' as is_album
      from (select distinct isrc, product from entities)`);
  await db.run(`
    create table candidates as
    with held as (
      select pair_id, target_id, window_id, org_id, release_id, min(held_from) as held_from,
             exists (select 1 from holdings named
                      where named.code = pairs.product and named.is_release and named.release_id = holdings.release_id) as is_on_product
        from pairs
        join holdings on holdings.is_named and holdings.code = case when is_album then product else isrc end
         and holdings.is_release = is_album
       group by all)
    select pair_id, target_id, window_id, org_id, held_from, is_on_product
      from held
   qualify is_on_product or not bool_or(is_on_product) over (partition by pair_id)
        or min(org_id) over (partition by pair_id) = max(org_id) over (partition by pair_id)`);
  // A window that is valid at every place needs no look at the places, nor does a pair without a choice: null.
  await db.run(`
    create table entity_targets as
    select entity_id, is_album, candidates, target_id, case when candidates > 1 then pair_id end as pair_id,
           is_everywhere,
           case when is_everywhere is not true then window_id end as window_id
      from entities
      join pairs using (isrc, product)
      join (select pair_id, count(target_id)::integer as candidates,
                   case when count(target_id) = 1 then any_value(target_id) end as target_id,
                   case when count(target_id) = 1 then any_value(window_id) end as window_id
              from pairs left join candidates using (pair_id)
             group by pair_id) using (pair_id)
      left join (select window_id, count(*) = (select count(distinct place_id) from contexts) as is_everywhere
                   from valid group by window_id) using (window_id)`);
}

/** Of several holdings of one organization: that with the product code, then the oldest. */
export async function createResolutions(db: DuckDb): Promise<void> {
  await db.run(`
    create table resolved as
    select pair_id, place_id, count(distinct org_id) > 1 as is_shared,
           arg_min(target_id, (not is_on_product, held_from, target_id)) as target_id
      from (select distinct pair_id, place_id
              from rows
              join (select entity_id, pair_id from entity_targets where candidates > 1) using (entity_id)
              join contexts using (context_id))
      join candidates using (pair_id)
      join valid using (window_id, place_id)
     group by pair_id, place_id`);
  await db.run(`
    create view classified as
    select row_id, entity_id, context_id, place_id, units, amount, is_album, other_type,
           case when rejection is not null then rejection when units is null then 'unreadable_count' end as rejected_as,
           case when candidates = 0 then 'unknown_code'
                when candidates = 1 then case when is_everywhere is not true and valid.window_id is null then 'not_held' end
                when resolved.pair_id is null then 'not_held'
                when resolved.is_shared then 'shared_code' end as suspended_as,
           coalesce(entity_targets.target_id, resolved.target_id) as target_id
      from rows
      join contexts using (context_id)
      join entity_targets using (entity_id)
      left join valid using (window_id, place_id)
      left join resolved using (pair_id, place_id)`);
}
