/** Totals of a bucket in each grain, as lines of files. */

import { toUuid } from '../../kernel/ids.ts';
import type { Bucket } from '../domain/calculation.ts';
import { add, type Exact } from '../domain/exact-number.ts';
import type { TotalsOf } from '../domain/totals.ts';
import { sortedUseTypes } from './bucket-codes.ts';
import type { ItemHead } from './bucket-items.ts';
import { amountOf } from './bucket-summary.ts';
import type { Dictionary } from './parquet-columns.ts';
import type { RecordFile } from './record-file.ts';

/** Plays, then amounts in micros: gross, fee, source tax, payee tax, net. */
export type Sums = [Exact, Exact, Exact, Exact, Exact, Exact];

export const noSums = (): Sums => [0, 0, 0, 0, 0, 0];

export function addTo(sums: Sums, values: Readonly<Sums>): void {
  for (let index = 0; index < sums.length; index++)
    sums[index] = add(sums[index] ?? 0, values[index] ?? 0);
}

/** What a record contributes, as a whole and by use. */
export type RecordValues = {
  readonly track: number;
  readonly values: Readonly<Sums>;
  readonly uses: readonly (readonly [use: number, values: Readonly<Sums>])[];
};

export type Totals = {
  /** Records of a statement follow each other, and so do those of a head. */
  readonly add: (head: ItemHead, record: RecordValues) => void;
  readonly end: () => TotalsOf<string>;
};

export function createTotals({ statements }: Bucket, file: RecordFile): Totals {
  const lines = { releases: [] as string[], markets: [] as string[], tracks: [] as string[] };
  const { codes, releaseIds, trackIds, isrcs } = file;
  const idOf = (statement: number): string => {
    const of = statements[statement];
    if (of === undefined) throw new Error(`statement ${statement} is not in the bucket`);
    return toUuid(of.statementId);
  };
  let head: ItemHead | undefined;
  const byRelease = createSums();
  const byUse = createSums();
  const byTrack = createSums();
  const monthCount = codes.usageMonths.length;
  const useCount = codes.accountingMonths.length;
  const endHead = () => {
    if (head === undefined) return;
    const { statement, store, territory, usageMonth } = head;
    const market = `${idOf(statement)},${codes.storeIds[store]},${codes.territories[territory]}`;
    const month = codes.usageMonths[usageMonth];
    for (const [release, sums] of byRelease.take())
      lines.releases.push(`${market},${uuidAt(releaseIds, release)},${month},${textOf(sums)}`);
    for (const [use, sums] of byUse.take()) {
      const useType = sortedUseTypes[Math.floor(use / useCount)];
      const accounted = codes.accountingMonths[use % useCount];
      lines.markets.push(`${market},${month},${useType},${accounted},${textOf(sums)}`);
    }
  };
  const endStatement = () => {
    endHead();
    if (head === undefined) return;
    const statement = idOf(head.statement);
    for (const [key, sums] of byTrack.take()) {
      const track = Math.floor(key / monthCount);
      const isrc = textAt(isrcs, file.isrc[track] ?? 0);
      const release = uuidAt(releaseIds, file.release[track] ?? 0);
      const month = codes.usageMonths[key % monthCount];
      lines.tracks.push(
        `${statement},${uuidAt(trackIds, track)},${isrc},${release},${month},${textOf(sums)}`,
      );
    }
  };
  return {
    add: (of, { track, values, uses }) => {
      if (of.statement !== head?.statement) endStatement();
      else if (of !== head) endHead();
      head = of;
      byRelease.add(file.release[track] ?? 0, values);
      byTrack.add(track * monthCount + of.usageMonth, values);
      for (const [use, part] of uses) byUse.add(use, part);
    },
    end: () => {
      endStatement();
      return lines;
    },
  };
}

function createSums() {
  let sums = new Map<number, Sums>();
  return {
    add: (key: number, values: Readonly<Sums>) => {
      const known = sums.get(key);
      if (known === undefined) sums.set(key, [...values]);
      else addTo(known, values);
    },
    /** By key. The next ones begin at nothing. */
    take: (): readonly (readonly [number, Sums])[] => {
      const taken = [...sums].toSorted(([a], [b]) => a - b);
      sums = new Map();
      return taken;
    },
  };
}

const textOf = ([plays, ...amounts]: Readonly<Sums>): string =>
  `${plays},${amounts.map(amountOf).join(',')}`;

/** Parquet has the length of a text in the four bytes before it. */
const textAt = ({ bytes, offsets }: Dictionary, code: number): string =>
  bytes.toString('utf8', (offsets[code] ?? 0) + 4, offsets[code + 1]);

function uuidAt({ bytes, offsets }: Dictionary, code: number): string {
  const value = bytes.subarray(offsets[code], offsets[code + 1]);
  const hex = Buffer.from(value).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
