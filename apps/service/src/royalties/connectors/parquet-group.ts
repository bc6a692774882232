/** Decodes a group of rows of a Parquet file with hyparquet. */

import { zstdDecompressSync } from 'node:zlib';
import type { Compressors, ParquetParsers, SchemaElement } from 'hyparquet';
import { readColumn } from 'hyparquet/src/column.js';
import { CompressionCodecs } from 'hyparquet/src/constants.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { type ParquetIndex, viewOf } from './parquet-index.ts';
import {
  type ColumnKinds,
  dateText,
  decimalText,
  kindOf,
  type RowOf,
  uuidText,
} from './parquet-values.ts';

const compressors: Compressors = {
  ZSTD: (input, outputLength) => zstdDecompressSync(input, { maxOutputLength: outputLength }),
};

const parsers: ParquetParsers = {
  ...DEFAULT_PARSERS,
  uuidFromBytes: (bytes) => bytes && uuidText(bytes),
  dateFromDays: dateText,
};

const root: SchemaElement = { name: 'schema' };

/** Rows of a group, from `from` up to `to`. `bytes`: the whole group. */
export function decodeRows<Columns extends ColumnKinds>(
  index: ParquetIndex,
  group: number,
  bytes: Buffer,
  columns: Columns,
  { from, to }: { readonly from: number; readonly to: number },
): RowOf<Columns>[] {
  const names = Object.keys(columns);
  const values = names.map((name) => {
    const at = index.columns.findIndex((element) => element.name === name);
    const element = index.columns[at];
    if (element === undefined || kindOf(element) !== columns[name])
      throw new Error(`the Parquet file has no column ${name} of ${columns[name]}`);
    return textsOf(decodeColumn(index, group, bytes, at, element), element, from, to);
  });
  // Each column was checked to be of its kind.
  return Array.from({ length: to - from }, (_, row) => rowOf(names, values, row) as RowOf<Columns>);
}

/** Row by row, with the same names in the same order: all rows then share one hidden class. */
function rowOf(
  names: readonly string[],
  values: readonly (readonly unknown[])[],
  at: number,
): Readonly<Record<string, unknown>> {
  const row: Record<string, unknown> = {};
  for (let i = 0; i < names.length; i++) row[names[i] ?? ''] = values[i]?.[at];
  return row;
}

/** Decimals become text; all other values are what the parsers made of them. */
function textsOf(
  values: ArrayLike<unknown>,
  { scale = 0 }: SchemaElement,
  from: number,
  to: number,
): readonly unknown[] {
  const texts: unknown[] = [];
  for (let row = from; row < to; row++) {
    const value = values[row];
    texts.push(value instanceof Uint8Array ? decimalText(value, scale) : value);
  }
  return texts;
}

function decodeColumn(
  index: ParquetIndex,
  group: number,
  bytes: Buffer,
  column: number,
  stored: SchemaElement,
): ArrayLike<unknown> {
  const { type, name } = stored;
  const place = group * index.columns.length + column;
  const codec = CompressionCodecs[index.codecs[place] ?? 0];
  if (type === undefined || codec === undefined) throw new Error(`column ${name} has no type`);
  const isLast = column === index.columns.length - 1;
  const end = isLast ? bytes.length : index.chunkStarts[place + 1];
  const view = viewOf(bytes.subarray(index.chunkStarts[place], end));
  const rows = (index.rowEnds[group] ?? 0) - (index.rowEnds[group - 1] ?? 0);
  const element = withoutDecimal(stored);
  const decoder = {
    pathInSchema: [name],
    type,
    element,
    schemaPath: [
      { element: root, children: [], count: 1, path: [] },
      { element, children: [], count: 1, path: [name] },
    ],
    codec,
    compressors,
    parsers,
  };
  const select = { groupStart: 0, selectStart: 0, selectEnd: rows, groupRows: rows };
  const { data } = readColumn({ view, offset: 0 }, select, decoder, undefined);
  const [values = []] = data;
  if (data.length !== 1 || values.length !== rows)
    throw new Error(`column ${name} of group ${group} has ${values.length} of ${rows} rows`);
  return values;
}

/** The library makes a decimal a number, which has 15 digits; without its type, it stays bytes. */
const withoutDecimal = ({ converted_type: converted, ...element }: SchemaElement): SchemaElement =>
  converted === undefined || converted === 'DECIMAL'
    ? element
    : { ...element, converted_type: converted };
