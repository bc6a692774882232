/** Files of line items for tests and benches, made by the writer of royalty runs from the number of each row. */

import { createHash } from 'node:crypto';
import { formatMicros, toMicros } from '../src/kernel/money.ts';
import type { BucketCodes } from '../src/royalties/connectors/bucket-codes.ts';
import type { BucketTracks } from '../src/royalties/connectors/bucket-dictionaries.ts';
import {
  createItemColumns,
  earningsOf,
  type GroupedItem,
} from '../src/royalties/connectors/bucket-items.ts';
import type { BucketRate } from '../src/royalties/connectors/bucket-rates.ts';
import {
  rateDictionary,
  rowsPerGroup,
  textDictionary,
  uuidDictionary,
} from '../src/royalties/connectors/parquet-columns.ts';
import { createParquetWriter } from '../src/royalties/connectors/parquet-file.ts';
import type { Exact } from '../src/royalties/domain/exact-number.ts';

export type LineItemFile = {
  readonly bytes: Buffer;
  readonly rowCount: number;
  readonly sha256: string;
  /** Σ earnings, in micros. */
  readonly earnings: bigint;
};

const trackCount = 5_000;
const rowsPerTrack = 50;
const territories = ['AT', 'CH', 'DE', 'FR', 'GB', 'JP', 'US'];
export const lineItemReportId = 'rpt_01m77q5me0e1xt3c9xj9s4yb2k';

const codes: BucketCodes = {
  territories,
  usageMonths: ['2026-08', '2026-09'],
  accountingMonths: ['2026-09'],
  currencies: ['EUR', 'USD'],
  reportIds: [lineItemReportId],
  storeIds: ['aurora', 'beatlane', 'cascade'],
  periodStart: { first: '2026-08-01', dayCount: 32 },
  periodEnd: { first: '2026-08-31', dayCount: 31 },
  rowCount: 0,
  trackCount,
};

const rates = [10_000_000_000n, 9_200_000_000n];
const rateTable: readonly BucketRate[] = [
  { code: 0, units: 10_000_000_000, isOne: true, text: '1.0000000000' },
  { code: 1, units: 9_200_000_000, isOne: false, text: '0.9200000000' },
];

export const formulaSigns = ['=', '+', '-', '@'];

/** Some need quotes in CSV, and some look like a formula. */
const titleOf = (track: number): string => {
  if (track % 11 === 5) return `${formulaSigns[track % formulaSigns.length]}SUM(A1:A${track})`;
  return track % 3 === 0 ? `Night "Drive", Pt. ${track}` : `Überfahrt № ${track}`;
};

/** `kind`: 1 for releases, 2 for tracks. */
export const lineItemUuid = (kind: number, number: number): string =>
  `0190${kind}000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

function tracksOf(): BucketTracks {
  const tracks = Array.from({ length: trackCount }, (_, track) => track);
  const identity = Int32Array.from(tracks);
  return {
    recordTrack: identity,
    isrc: identity,
    release: identity.map((track) => Math.floor(track / 10)),
    titles: {
      first: Int32Array.from([...tracks, trackCount]),
      report: new Int32Array(trackCount),
      title: identity,
    },
    isrcs: textDictionary(tracks.map((track) => `QZTST26${String(track).padStart(5, '0')}`)),
    releaseIds: uuidDictionary(tracks.map((track) => lineItemUuid(1, track))),
    trackIds: uuidDictionary(tracks.map((track) => lineItemUuid(2, track))),
    titleTexts: textDictionary(tracks.map(titleOf)),
  };
}

/** More than a number holds exactly, in micros too. */
const largeAmount = 123_456_789_012_345_678_901n;

/** A row in a hundred is a return, one has no plays, and one is large. */
function amountOf(row: number): Pick<GroupedItem, 'plays' | 'amount'> {
  if (row % 100 === 7) return { plays: -1 - (row % 5), amount: -31_250_000 * (1 + (row % 5)) };
  if (row % 100 === 11) return { plays: 0, amount: 12_345 };
  if (row % 100 === 13) return { plays: 1, amount: largeAmount + BigInt(row) };
  const plays = 1 + ((row * 7_919) % 4_000);
  return { plays, amount: plays * 31_250_000 + (row % 10_000) };
}

function itemOf(row: number): GroupedItem {
  const { plays, amount } = amountOf(row);
  const month = row % 2;
  return {
    head: { statement: 0, store: row % 3, territory: row % territories.length, usageMonth: month },
    tail: {
      useType: row % 4,
      transactionType: plays < 0 ? 0 : 1,
      report: 0,
      accountingMonth: 0,
      allocated: row % 5 === 0 ? 1 : 0,
      currency: row % 3 === 0 ? 1 : 0,
      periodStart: month * 31,
      periodEnd: month * 30,
    },
    track: Math.floor(row / rowsPerTrack) % trackCount,
    plays,
    amount,
  };
}

/** Rows `first` to `first + rowCount`. */
export function writeLineItems(first: number, rowCount: number): LineItemFile {
  const { columns, fill } = createItemColumns(codes, tracksOf(), rateDictionary(rates));
  const writer = createParquetWriter(columns);
  let earnings = 0n;
  for (let done = 0; done < rowCount;) {
    const rows = Math.min(rowsPerGroup, rowCount - done);
    for (let i = 0; i < rows; i++) {
      const item = itemOf(first + done + i);
      const rate = rateTable[item.tail.currency];
      if (rate === undefined) throw new Error('the row has no rate');
      const earned: Exact = earningsOf(item.amount, rate);
      earnings += BigInt(earned);
      fill(i, item, rate, earned);
    }
    writer.writeGroup(rows);
    done += rows;
  }
  const bytes = writer.endFile();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { bytes, rowCount, sha256, earnings };
}

export const microsText = (micros: bigint): string => formatMicros(toMicros(micros));
