/**
 * Rows of the Parquet files of a statement, by their position. A page costs one range of one file: the columns of a group
 * follow each other. What the places of the rows are is read once for each file. Files never change.
 */

import type { OrgId } from '../../kernel/ids.ts';
import { createByteCache } from '../../platform/cache/byte-cache.ts';
import { createSemaphore } from '../../platform/process/semaphore.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { rowsPerGroup } from './parquet-columns.ts';
import { decodeRows } from './parquet-group.ts';
import { metadataLength, type ParquetIndex, readIndex, trailerBytes } from './parquet-index.ts';
import type { ColumnKinds, RowOf } from './parquet-values.ts';

export type ParquetFile = {
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly rowCount: number;
  /** Of its first row in the statement. The first position is 1. */
  readonly firstPosition: number;
};

/** Positions, from 1. */
type RowRange = { readonly from: number; readonly toExclusive: number };

/** Rows of one file, from 0. */
type FileRange = { readonly from: number; readonly to: number };

/** They are in memory together. */
export const rowsAtOnceMax = rowsPerGroup;

export type ParquetReader = {
  /** Those rows of the range that exist, in their order. Readers of different organizations take turns. */
  readonly readRows: <Columns extends ColumnKinds>(
    orgId: OrgId,
    files: readonly ParquetFile[],
    range: RowRange,
    columns: Columns,
  ) => Promise<RowOf<Columns>[]>;
};

const megabyte = 1024 * 1024;
/** An index of five million rows takes 0.3 MB. */
const indexBytesMax = 32 * megabyte;
/** A group takes about 40 kB, and 20 pages follow each other in it. */
const groupBytesMax = 32 * megabyte;
/** Each has a group in memory, or the metadata of a file, which is up to 5 MB. */
const readsAtOnce = 8;

/** More than the description of a column of a group takes, so that one read is enough. */
const metadataBytesPerGroup = 2_048;
const schemaBytes = 4_096;

export function createParquetReader(storage: Pick<Storage, 'readRange'>): ParquetReader {
  const indexes = createByteCache<ParquetIndex>(indexBytesMax);
  const groups = createByteCache<Buffer>(groupBytesMax);
  const inTurn = createSemaphore({ atOnce: readsAtOnce });

  const readGroup = (file: ParquetFile, index: ParquetIndex, group: number): Promise<Buffer> => {
    const [start = 0, end = 0] = [index.groupStarts[group], index.groupEnds[group]];
    return groups(`${file.objectKey}#${group}`, () =>
      storage.readRange(file.objectKey, start, end),
    );
  };

  const readFile = async <Columns extends ColumnKinds>(
    file: ParquetFile,
    { from, to }: FileRange,
    columns: Columns,
  ): Promise<RowOf<Columns>[]> => {
    const index = await indexes(file.objectKey, () => loadIndex(storage, file));
    const rows: RowOf<Columns>[] = [];
    for (let group = groupOf(index, from); startOf(index, group) < to; group++) {
      const begin = startOf(index, group);
      const end = Math.min(to, startOf(index, group + 1));
      const within = { from: Math.max(from, begin) - begin, to: end - begin };
      const bytes = await readGroup(file, index, group);
      rows.push(...decodeRows(index, group, bytes, columns, within));
    }
    return rows;
  };

  return {
    readRows: (orgId, files, { from, toExclusive }, columns) =>
      inTurn(orgId, async () => {
        if (toExclusive - from > rowsAtOnceMax)
          throw new RangeError(`${toExclusive - from} rows are more than ${rowsAtOnceMax}`);
        const parts: RowOf<typeof columns>[][] = [];
        for (const file of files) {
          const range = {
            from: Math.max(from - file.firstPosition, 0),
            to: Math.min(toExclusive - file.firstPosition, file.rowCount),
          };
          if (range.from < range.to) parts.push(await readFile(file, range, columns));
        }
        return parts.flat();
      }),
  };
}

async function loadIndex(
  storage: Pick<Storage, 'readRange'>,
  { objectKey, sizeBytes, rowCount }: ParquetFile,
): Promise<ParquetIndex> {
  const groupCount = Math.ceil(rowCount / rowsPerGroup);
  const estimate = groupCount * metadataBytesPerGroup + schemaBytes;
  const tailStart = Math.max(0, sizeBytes - estimate);
  const tail = await storage.readRange(objectKey, tailStart, sizeBytes);
  const start = sizeBytes - trailerBytes - metadataLength(tail);
  const bytes =
    start >= tailStart
      ? tail.subarray(start - tailStart)
      : Buffer.concat([await storage.readRange(objectKey, start, tailStart), tail]);
  const index = await readIndex(bytes.subarray(0, -trailerBytes));
  if ((index.rowEnds.at(-1) ?? 0) !== rowCount)
    throw new Error(`${objectKey} has ${index.rowEnds.at(-1)} rows, not ${rowCount}`);
  return index;
}

/**
 * The position after the last row of the group that has this one: who reads all rows reads each group once. The last
 * group of a file may have fewer rows.
 */
export function endOfGroup(files: readonly ParquetFile[], position: number): number {
  const file = files.find(
    ({ firstPosition, rowCount }) =>
      position >= firstPosition && position < firstPosition + rowCount,
  );
  if (file === undefined) throw new RangeError(`no file has the row ${position}`);
  const row = position - file.firstPosition;
  const end = (Math.floor(row / rowsPerGroup) + 1) * rowsPerGroup;
  return file.firstPosition + Math.min(end, file.rowCount);
}

/** The first row of a group in its file; past the last group, the number of rows. */
const startOf = (index: ParquetIndex, group: number): number =>
  group === 0 ? 0 : (index.rowEnds[Math.min(group, index.rowEnds.length) - 1] ?? 0);

/** The group that has a row. */
function groupOf({ rowEnds }: ParquetIndex, row: number): number {
  let [low, high] = [0, rowEnds.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rowEnds[middle] ?? 0) > row) high = middle;
    else low = middle + 1;
  }
  return low;
}
