/**
 * Finds matched rows of one line item in the files of a report, in a process of its own: a group has 122,880 rows, and
 * decoding it would stop the api. The files are read by ranges; their groups are sorted by organization.
 */

import { zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  type RowGroup,
} from 'hyparquet';
import type { Task } from '../../platform/process/child-task.ts';
import { formatSourceAmount } from '../domain/source-amount.ts';
import {
  type SourceKey,
  type SourceRow,
  type SourceRows,
  sourceRowsMax,
} from '../domain/source-row.ts';

export type FindInput = {
  readonly parts: readonly {
    readonly number: number;
    readonly url: string;
    readonly sizeBytes: number;
  }[];
  readonly key: SourceKey;
};

/** `unavailable`: the storage does not send the files now. */
export type FindResult = SourceRows | { readonly unavailable: string };

class Unavailable extends Error {}

type MatchedRow = Readonly<Record<string, unknown>>;

const compressors: Compressors = {
  ZSTD: (input, outputLength) => zstdDecompressSync(input, { maxOutputLength: outputLength }),
};

export const run: Task<FindInput, FindResult> = async (input) => {
  try {
    return await findAll(input);
  } catch (error) {
    if (error instanceof Unavailable) return { unavailable: error.message };
    throw error;
  }
};

async function findAll({ parts, key }: FindInput): Promise<SourceRows> {
  const rows: SourceRow[] = [];
  let [rowCount, playCount, units] = [0, 0, 0n];
  for (const { number, url, sizeBytes } of parts) {
    for await (const { row, matched } of findRows(rangeReader(url, sizeBytes), key)) {
      const rowUnits = unitsOf(matched['amount'] as Uint8Array);
      const plays = Number(matched['play_count']);
      const title = String(matched['title']);
      const amount = formatSourceAmount(rowUnits);
      if (rows.length < sourceRowsMax)
        rows.push({ part: number, row, title, playCount: plays, amount });
      rowCount += 1;
      playCount += plays;
      units += rowUnits;
    }
  }
  return { rows, rowCount, playCount, amount: formatSourceAmount(units) };
}

const rangeReader = (url: string, byteLength: number): AsyncBuffer => ({
  byteLength,
  slice: (start, end = byteLength) => readRange(url, `bytes=${start}-${end - 1}`),
});

async function readRange(url: string, range: string): Promise<ArrayBuffer> {
  try {
    const answer = await fetch(url, { headers: { range } });
    if (answer.status === 206) return await answer.arrayBuffer();
    const message = `the storage answered ${answer.status} to a range`;
    throw answer.status >= 500 ? new Unavailable(message) : new Error(message);
  } catch (error) {
    // fetch: the connection was refused, or broke.
    if (error instanceof TypeError) throw new Unavailable(error.message);
    throw error;
  }
}

type Found = { readonly row: number; readonly matched: MatchedRow };

/** Reads two columns of a group first: the rows of a recording follow each other, and are few. */
async function* findRows(file: AsyncBuffer, key: SourceKey): AsyncGenerator<Found> {
  const metadata = withoutDecimals(await parquetMetadataAsync(file));
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    if (mayHave(group, 'org_id', key.org_id) && mayHave(group, 'isrc', key.isrc)) {
      const options = { file, metadata, compressors };
      const columns = ['org_id', 'isrc'];
      const places = await parquetReadObjects({ ...options, columns, rowStart, rowEnd });
      const isPlace = (row: MatchedRow) => row['org_id'] === key.org_id && row['isrc'] === key.isrc;
      const first = places.findIndex(isPlace);
      const from = rowStart + first;
      const to = rowStart + places.findLastIndex(isPlace) + 1;
      const read =
        first === -1 ? [] : await parquetReadObjects({ ...options, rowStart: from, rowEnd: to });
      for (const [index, matched] of read.entries()) {
        if (isMatch(matched, key)) yield { row: from + index + 1, matched };
      }
    }
    rowStart = rowEnd;
  }
}

/** By the least and the greatest value of the column, as far as the file has them. */
function mayHave({ columns }: RowGroup, name: string, value: string): boolean {
  const column = columns.find(({ meta_data: meta }) => meta?.path_in_schema[0] === name);
  const { min_value: min, max_value: max } = column?.meta_data?.statistics ?? {};
  if (typeof min !== 'string' || typeof max !== 'string') return true;
  return min <= value && value <= max;
}

const isMatch = (row: MatchedRow, key: SourceKey): boolean =>
  Object.entries(key).every(([name, value]) => textOf(row[name]) === value);

const dateLength = 'YYYY-MM-DD'.length;
const textOf = (value: unknown): unknown =>
  value instanceof Date ? value.toISOString().slice(0, dateLength) : value;

/** The library makes a decimal a number, which has 15 digits; without its type, it stays bytes. */
function withoutDecimals(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map(({ converted_type: converted, ...element }) => {
    if (converted === undefined) return element;
    if (converted !== 'DECIMAL') return { ...element, converted_type: converted };
    const { logical_type: _logical, ...plain } = element;
    return plain;
  });
  return { ...metadata, schema };
}

const unitsOf = (bytes: Uint8Array): bigint =>
  BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
