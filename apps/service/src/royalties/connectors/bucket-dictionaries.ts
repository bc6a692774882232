/** The texts of a bucket, by the numbers that `bucket-codes.ts` gave them, as Parquet files have them. */

import type { DuckDb } from './duckdb.ts';
import { type Dictionary, textDictionary, uuidDictionary } from './parquet-columns.ts';

/** `track` is in the order of ISRCs, `recordTrack` in the order of track ids. */
export type BucketTracks = {
  readonly recordTrack: Int32Array;
  /** By track. */
  readonly isrc: Int32Array;
  readonly release: Int32Array;
  /** By track and report: see `titleOf`. */
  readonly titles: {
    readonly first: Int32Array;
    readonly report: Int32Array;
    readonly title: Int32Array;
  };
  readonly isrcs: Dictionary;
  readonly releaseIds: Dictionary;
  /** By record track. */
  readonly trackIds: Dictionary;
  readonly titleTexts: Dictionary;
};

export async function loadTracks(db: DuckDb): Promise<BucketTracks> {
  const [recordTrack, isrc, release] = await columnsOf(
    db,
    `select record_track, (dense_rank() over (order by isrc) - 1)::integer,
       (dense_rank() over (order by release_id) - 1)::integer from tracks order by track`,
  );
  const [track, report, title] = await columnsOf(
    db,
    `select track, report, (dense_rank() over (order by title) - 1)::integer
       from titles order by track, report`,
  );
  return {
    recordTrack,
    isrc,
    release,
    titles: { first: firstOf(track, recordTrack.length), report, title },
    isrcs: textDictionary(await textsOf(db, 'isrc', 'tracks')),
    releaseIds: uuidDictionary(await textsOf(db, 'release_id', 'tracks')),
    trackIds: uuidDictionary(await textsOf(db, 'track_id', 'tracks')),
    titleTexts: textDictionary(await textsOf(db, 'title', 'titles')),
  };
}

/** The number of the title that a report has for a track. */
export function titleOf({ titles }: BucketTracks, track: number, report: number): number {
  const { first, report: reports, title } = titles;
  for (let at = first[track] ?? 0; at < (first[track + 1] ?? 0); at++) {
    if (reports[at] === report) return title[at] ?? 0;
  }
  throw new Error(`report ${report} has no title for track ${track}`);
}

/** Where the entries of each track begin in the sorted list. */
function firstOf(sorted: Int32Array, count: number): Int32Array {
  const first = new Int32Array(count + 1);
  for (const track of sorted) first[track + 1] = (first[track + 1] ?? 0) + 1;
  for (let track = 0; track < count; track++)
    first[track + 1] = (first[track + 1] ?? 0) + (first[track] ?? 0);
  return first;
}

async function columnsOf(
  db: DuckDb,
  query: string,
): Promise<readonly [Int32Array, Int32Array, Int32Array]> {
  const columns: [number[], number[], number[]] = [[], [], []];
  for await (const chunk of db.stream(query)) {
    for (const [index, column] of columns.entries())
      for (const value of chunk.getColumnValues(index)) column.push(Number(value));
  }
  const [a, b, c] = columns;
  return [Int32Array.from(a), Int32Array.from(b), Int32Array.from(c)];
}

async function textsOf(db: DuckDb, column: string, table: string): Promise<readonly string[]> {
  const texts: string[] = [];
  const query = `select ${column}::varchar from (select distinct ${column} from ${table}) order by ${column}`;
  for await (const chunk of db.stream(query)) texts.push(...(chunk.getColumnValues(0) as string[]));
  return texts;
}
