/** What the second pass over a bucket needs of the first one, in one file of this service's own. */

import { readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { BucketCodes } from './bucket-codes.ts';
import type { BucketTracks } from './bucket-dictionaries.ts';
import type { RecordTable } from './bucket-records.ts';
import type { Dictionary } from './parquet-columns.ts';

export type RecordFile = {
  readonly records: RecordTable;
  readonly codes: Pick<
    BucketCodes,
    'territories' | 'usageMonths' | 'accountingMonths' | 'storeIds' | 'reportIds' | 'currencies'
  >;
  /** By the number of a track id. */
  readonly isrc: Int32Array;
  readonly release: Int32Array;
  readonly isrcs: Dictionary;
  readonly releaseIds: Dictionary;
  readonly trackIds: Dictionary;
};

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

export function writeRecordFile(
  path: string,
  records: RecordTable,
  { territories, usageMonths, accountingMonths, storeIds, reportIds, currencies }: BucketCodes,
  tracks: BucketTracks,
): void {
  const { isrcs, releaseIds, trackIds } = tracks;
  const file: RecordFile = {
    records,
    codes: { territories, usageMonths, accountingMonths, storeIds, reportIds, currencies },
    isrc: firstByTrackId(tracks, tracks.isrc),
    release: firstByTrackId(tracks, tracks.release),
    isrcs,
    releaseIds,
    trackIds,
  };
  writeFileSync(path, zstdCompressSync(serialize(file), options));
}

/** Of a track with several, the first in their order. */
function firstByTrackId({ recordTrack, trackIds }: BucketTracks, values: Int32Array): Int32Array {
  const first = new Int32Array(trackIds.offsets.length - 1).fill(values.length);
  for (const [track, id] of recordTrack.entries())
    first[id] = Math.min(first[id] ?? 0, values[track] ?? 0);
  return first;
}

export const readRecordFile = (path: string): RecordFile =>
  // `writeRecordFile` made it.
  deserialize(zstdDecompressSync(readFileSync(path))) as RecordFile;
