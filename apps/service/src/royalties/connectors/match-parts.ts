/** The Parquet parts of a report, written from the classified rows. Every part is ordered fully: equal inputs give equal bytes. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReportLayout } from '../domain/report-layout.ts';
import type { PartKind } from '../domain/report.ts';
import { formatSourceAmount } from '../domain/source-amount.ts';
import { csvFile, csvLine, nameOf, text } from './duckdb-texts.ts';
import type { DuckDb } from './duckdb.ts';
import { extractLines } from './extract-lines.ts';
import type { ParsedFile, ParsedReport } from './parse-task.ts';
import { lineOfRow } from './scan-lines.ts';
import { readSource, sourceColumn } from './source-rows.ts';

/** Small enough that a reader of one organization skips most groups. DuckDB's own tables have groups of this size. */
const rowGroupSize = 122_880;

export const partPath = (folder: string, kind: PartKind): string => join(folder, `${kind}.parquet`);

const writePart = (db: DuckDb, folder: string, kind: PartKind, query: string): Promise<void> =>
  db.run(
    `copy (${query}) to ${text(partPath(folder, kind))} (format parquet, compression zstd, row_group_size ${rowGroupSize}, write_bloom_filter false)`,
  );

const usageColumns = `territory, use_type, case when units < 0 or amount < 0 then 'return'::transaction_code else 'usage'::transaction_code end as transaction_type,
  usage_month, accounting_month, period_start, period_end, currency`;

/** Rows that are not simply matched, kept apart. A release of which the store held no track then is not held. */
export async function createLeftover(db: DuckDb): Promise<void> {
  await db.run(`create type transaction_code as enum ('return', 'usage')`);
  await db.run(`
    create table special as
    select * from classified
     where rejected_as is not null or suspended_as is not null or is_album or other_type is not null`);
  await db.run(`
    create table album_tracks as
    select album_id, place_id, target_id, (row_number() over per_album - 1) as position, count(*) over (partition by album_id, place_id) as tracks
      from (select distinct album.target_id as album_id, place_id, holdings.target_id
              from (select distinct target_id, place_id from special
                     where is_album and rejected_as is null and suspended_as is null and other_type is null) album
              join targets release on release.target_id = album.target_id
              join holdings on holdings.release_id = release.release_id and holdings.org_id = release.org_id and not is_release
              join valid using (window_id, place_id))
    window per_album as (partition by album_id, place_id order by target_id)`);
  await db.run(`
    create table leftover as
    select special.* exclude (suspended_as),
           case when rejected_as is not null then null
                when suspended_as is null and is_album and special.other_type is null
                 and not exists (select 1 from album_tracks where album_id = special.target_id and album_tracks.place_id = special.place_id)
                then 'not_held' else suspended_as end as suspended_as
      from special`);
}

/** Shares of a whole number by largest remainder over equal weights: the first get one more, with the sign of the total. */
const shareOf = (total: string): string =>
  `(sign(${total}) * (abs(${total}) // tracks + case when position < abs(${total}) % tracks then 1 else 0 end))`;

const amountUnits = '(amount::decimal(28, 10) * 10000000000::decimal(11, 0))::hugeint';

/** Of rows, the number of a row takes the lower bits of the key by which matched rows are sorted. */
const rowBits = 36;

/**
 * Sorts numbers, and puts the texts to them afterwards: sorting the texts takes three times as long. The joins keep the
 * order of the sorted rows, because the rows stay on their left side; the optimizer might exchange the sides.
 */
export async function writeMatched(
  db: DuckDb,
  folder: string,
  { wideAmounts }: Pick<ParsedReport, 'wideAmounts'>,
  threads: number,
): Promise<void> {
  // A share fits where its amount fits. 64-bit numbers are four times as fast as those of 128 bits.
  const amountType = wideAmounts === 0 ? 'decimal(18, 10)' : 'decimal(28, 10)';
  await db.run(`
    create table sorted as
    select (sort_key >> ${rowBits})::integer as target_id, entity_id, context_id, units, amount, allocated
      from (
        select (target_id::bigint << ${rowBits}) | row_id as sort_key, entity_id, context_id, units, amount, false as allocated
          from classified
         where rejected_as is null and suspended_as is null and not is_album and other_type is null
         union all
        select (album_tracks.target_id::bigint << ${rowBits}) | row_id, entity_id, context_id, ${shareOf('units')}::bigint,
               (${shareOf(amountUnits)}::decimal(28, 0) * 0.0000000001::decimal(10, 10))::${amountType}, true
          from leftover
          join album_tracks on album_id = leftover.target_id and album_tracks.place_id = leftover.place_id
         where rejected_as is null and suspended_as is null and is_album and other_type is null)
     order by sort_key`);
  await db.run(`set disabled_optimizers = 'join_order,build_side_probe_side'`);
  // With several threads, row groups begin at other rows each time.
  await db.run('set threads = 1');
  await writePart(
    db,
    folder,
    'matched',
    `
    select org_id, slice, release_id, track_id, isrc, title, ${usageColumns}, units as play_count, amount::decimal(28, 10) as amount, allocated
      from sorted
      join targets using (target_id)
      join (select entity_id, title from entities) using (entity_id)
      join contexts using (context_id)`,
  );
  await db.run(`set threads = ${threads}`);
  await db.run('reset disabled_optimizers');
}

export async function writeOther(
  db: DuckDb,
  folder: string,
  fees: ParsedReport['fees'],
): Promise<void> {
  const path = join(folder, 'fees.csv');
  const lines = fees.map(({ type, territory, usageMonth, currency, amount, reason }, i) =>
    csvLine([i, type, territory, usageMonth, currency, formatSourceAmount(BigInt(amount)), reason]),
  );
  await writeFile(path, lines.join(''));
  const types = {
    row_id: 'BIGINT',
    type: 'VARCHAR',
    territory: 'VARCHAR',
    usage_month: 'VARCHAR',
    currency: 'VARCHAR',
    amount: 'DECIMAL(28,10)',
    reason: 'VARCHAR',
  };
  await writePart(
    db,
    folder,
    'other',
    `
    select org_id, type, isrc, territory, usage_month, currency, amount, reason
      from (select 1 as source, row_id, targets.org_id, contexts.other_type as type, targets.isrc, territory, usage_month, currency, amount,
                   concat_ws(': ', other_reason, nullif(title, '')) as reason
              from leftover join contexts using (context_id) join targets using (target_id) join (select entity_id, title from entities) using (entity_id)
             where rejected_as is null and suspended_as is null and leftover.other_type is not null
             union all
            select 2, row_id, null, type, null, territory, usage_month, currency, amount, reason from ${csvFile(path, types)})
     order by source, row_id`,
  );
}

export const writeSuspense = (db: DuckDb, folder: string, query: string): Promise<void> =>
  writePart(db, folder, 'suspense', query);

/** Rows in suspense with every cell as the store wrote it, and rejected rows as text. */
export async function writeUnmatched(
  db: DuckDb,
  folder: string,
  files: readonly ParsedFile[],
  layout: ReportLayout,
): Promise<void> {
  const [cells, texts]: [string[], string[]] = [[], []];
  for (const [i, file] of files.entries()) {
    const paths = await extractFile(db, folder, layout, { file, index: i });
    const names = file.columns.map(
      (name, position) => `${sourceColumn(position)} as ${nameOf(`source_${name}`)}`,
    );
    cells.push(`select (${file.firstRow} + row::bigint)::bigint as row_id, ${names.join(', ')}
      from ${readSource({ path: paths.cellsPath, columns: file.columns }, layout, ['row'])}`);
    texts.push(
      `select (${file.firstRow} + row)::bigint as row_id, line, text from (${await withLines(folder, file, paths.textsPath, i)})`,
    );
  }
  await writeSuspense(
    db,
    folder,
    `
    select source.* exclude (row_id), suspended_as as reason, entities.isrc, product as product_code, title, contexts.other_type, other_reason,
           ${usageColumns}, usage_start, usage_end, units as play_count, amount::decimal(28, 10) as amount
      from (${cells.join(' union all by name ')}) source
      join leftover using (row_id)
      join entities using (entity_id)
      join contexts using (context_id)
     order by row_id`,
  );
  await writePart(
    db,
    folder,
    'rejected',
    `
    select line, text, rejected_as as reason
      from (${texts.join(' union all ')}) join leftover using (row_id) order by row_id`,
  );
}

async function extractFile(
  db: DuckDb,
  folder: string,
  layout: ReportLayout,
  { file, index }: { readonly file: ParsedFile; readonly index: number },
) {
  const [chosenPath, cellsPath, textsPath] = ['chosen', 'cells', 'texts'].map((name) =>
    join(folder, `${name}-${index}.csv`),
  ) as [string, string, string];
  const { name, path, firstRow, rows } = file;
  await db.run(`
    copy (select row_id - ${firstRow} as row, case when rejected_as is null then 1 else 2 end as kind
            from leftover
           where (rejected_as is not null or suspended_as is not null)
             and row_id between ${firstRow} and ${firstRow + rows - 1})
      to ${text(chosenPath)} (format csv, header false)`);
  await extractLines({ name, path, layout, rows, chosenPath, cellsPath, textsPath });
  return { cellsPath, textsPath };
}

/** The line of a rejected row in the file as the store sent it. */
async function withLines(
  folder: string,
  { runs }: ParsedFile,
  textsPath: string,
  index: number,
): Promise<string> {
  const runsPath = join(folder, `runs-${index}.csv`);
  await writeFile(
    runsPath,
    runs.map(({ row }) => csvLine([row, lineOfRow(runs, row) - row])).join(''),
  );
  return `select row, (row + shift)::bigint as line, text
    from ${csvFile(textsPath, { row: 'BIGINT', text: 'VARCHAR' })}
    asof join ${csvFile(runsPath, { first: 'BIGINT', shift: 'BIGINT' })} on row >= first`;
}
