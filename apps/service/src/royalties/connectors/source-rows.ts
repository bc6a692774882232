/** The data lines of one file in the database engine: as the store wrote them, and normalized. */

import type { ReportLayout } from '../domain/report-layout.ts';
import { columnsOf, type DuckDb, nameOf, text } from './duckdb.ts';

export type SourceFile = {
  readonly path: string;
  readonly columns: readonly string[];
};

/** A name of its own for each source column, so that no column of a store collides with ours. */
export const sourceColumn = (position: number): string => `c${position}`;

export function readSource(
  { path, columns }: SourceFile,
  { delimiter, isQuoted }: ReportLayout,
  extra: readonly string[] = [],
): string {
  const types = Object.fromEntries(
    [...extra, ...columns.map((_, i) => sourceColumn(i))].map((name) => [name, 'VARCHAR']),
  );
  const quote = isQuoted ? '"' : '';
  const options = `delim=${text(delimiter)}, quote='${quote}', escape='${quote}', header=false, auto_detect=false, nullstr='', new_line='\\n'`;
  return `read_csv(${text(path)}, ${options}, columns=${columnsOf(types)})`;
}

const amountShape = String.raw`-?\d{1,18}(\.\d{1,10})?`;
const countShape = String.raw`-?\d{1,15}(\.0+)?`;

/**
 * One row per data line, in the same order: the number of a row in the file is the number of its data line.
 * An amount or a count that is not a plain decimal is null.
 */
export function normalizedRows(source: SourceFile, layout: ReportLayout): string {
  const { cells, contextColumns, isEscaped } = layout;
  const cell = (name: string | undefined): string => {
    const position = name === undefined ? -1 : source.columns.indexOf(name);
    return position === -1 ? 'null::varchar' : sourceColumn(position);
  };
  const title = isEscaped ? unescaped(cell(cells.title)) : cell(cells.title);
  const contexts = contextColumns.map((name, i) => `coalesce(trim(${cell(name)}), '') as k${i}`);
  return `
    select ${contexts.join(', ')},
           ${isrcOf(cell(cells.isrc), cell(cells.resourceId))} as isrc,
           ${productCodeOf(cell(cells.productCode))} as product,
           ${title} as title,
           ${unitsOf(cells, cell)} as units,
           ${amountOf(cell(cells.amount))} as amount
      from ${readSource(source, layout)}`;
}

/** Empty: the row is about a whole release. A recording that the store names by its own id only is '?'. */
const isrcOf = (isrc: string, resourceId: string): string =>
  `case when length(${isrc}) = 12 then upper(${isrc})
        when ${isrc} is not null then upper(replace(trim(${isrc}), '-', ''))
        when ${resourceId} is not null then '?' else '' end`;

/** The same text for a UPC and for its EAN and GTIN-14, as `comparableCode`. */
const productCodeOf = (code: string): string =>
  `case when ${code} is null then ''
        when length(${code}) > 12 and starts_with(${code}, '0') then lpad(ltrim(${code}, '0'), 12, '0')
        else ${code} end`;

const unescaped = (cell: string): string =>
  `case when contains(${cell}, '\\') then regexp_replace(${cell}, '\\\\([\\\\|])', '\\1', 'g') else ${cell} end`;

/** DECIMAL(18,10) first: DECIMAL(28,10) takes 128-bit numbers and six times as long. */
const amountOf = (cell: string): string =>
  `case when regexp_full_match(${cell}, ${text(amountShape)}) then coalesce(try_cast(${cell} as decimal(18, 10))::decimal(28, 10), try_cast(${cell} as decimal(28, 10))) end`;

/** A whole number, also if it is written with decimals that are 0. The first comparison decides for nearly every row. */
const countOf = (cell: string): string =>
  `case when try_cast(${cell} as bigint)::varchar = ${cell} or regexp_full_match(${cell}, ${text(countShape)})
        then try_cast(${cell} as bigint) end`;

/** Null if the counts contradict each other. */
function unitsOf(cells: ReportLayout['cells'], cell: (name: string | undefined) => string): string {
  const units = countOf(cell(cells.units));
  if (cells.totalUnits === undefined) return units;
  const [total, returned] = [countOf(cell(cells.totalUnits)), countOf(cell(cells.returnedUnits))];
  return `case when ${total} - ${returned} = ${units} then ${units} end`;
}

/** The first line, from 1, that does not have the columns of the header, and what is wrong with it. */
export async function findMalformedLine(db: DuckDb, source: SourceFile, layout: ReportLayout) {
  const read = readSource(source, layout).replace(
    /\)$/,
    ', ignore_errors=true, store_rejects=true, rejects_limit=1)',
  );
  await db.run(
    `create or replace temp table readable as select count(*) as rows from (select ${source.columns.map((_, i) => nameOf(sourceColumn(i))).join(', ')} from ${read})`,
  );
  const [found] = await db.rows('select min(line) as line from reject_errors');
  const line = Number(found?.['line'] ?? 0);
  return Number.isInteger(line) && line > 0 ? line : 1;
}
