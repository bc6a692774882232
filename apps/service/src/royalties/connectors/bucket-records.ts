/** Royalty records of a bucket before taxes: line items, added up by track, with their fees. */

import type { UseType } from '../../kernel/use-type.ts';
import { type FeeRule, incomeTypeOf } from '../domain/calculation.ts';
import {
  add,
  createExactList,
  type Exact,
  type ExactList,
  firstExact,
  halfEven,
  multiply,
  setExact,
  subtract,
} from '../domain/exact-number.ts';
import { rankFeeRules } from '../domain/rank-fee-rules.ts';
import { type BucketCodes, sortedUseTypes } from './bucket-codes.ts';
import type { BucketTracks } from './bucket-dictionaries.ts';
import type { GroupedItem, ItemHead } from './bucket-items.ts';
import type { BucketInput } from './calculate-bucket.ts';
import {
  addUse,
  appendUses,
  noUseParts,
  type OpenUses,
  severalUses,
  type UseParts,
} from './record-uses.ts';

const basisPointsPerWhole = 10_000;
/** In place of the number of a source: the record has several. */
export const severalSources = -1;

/** Amounts in micros. Records of a head follow each other, in the order of their tracks. */
export type RecordTable = {
  readonly heads: readonly ItemHead[];
  readonly head: Int32Array;
  /** Numbers of track ids. */
  readonly track: Int32Array;
  readonly plays: ExactList;
  readonly gross: ExactList;
  readonly fee: ExactList;
  /** Gross − fee of what is a sale; the rest is a royalty. */
  readonly saleBase: ExactList;
  readonly source: Int32Array;
  readonly several: ReadonlyMap<number, readonly RecordSource[]>;
  /** Use type × number of accounting months + accounting month. */
  readonly use: Int32Array;
  readonly useParts: UseParts;
};

type RecordSource = { readonly source: number; readonly gross: Exact };

type OpenRecord = {
  readonly track: number;
  plays: Exact;
  gross: Exact;
  feeNumerator: Exact;
  saleGross: Exact;
  saleFeeNumerator: Exact;
  readonly source: number;
  sources: Map<number, Exact> | undefined;
  readonly use: number;
  uses: OpenUses | undefined;
};

export type BucketRecords = {
  /** Items are in the order of `readItems`. */
  readonly add: (item: GroupedItem, source: number, earnings: Exact) => void;
  readonly end: () => RecordTable;
};

export function createRecords(
  input: BucketInput,
  codes: BucketCodes,
  tracks: BucketTracks,
): BucketRecords {
  const basisPointsOf = createFees(input, codes);
  const table = createTable(codes.rowCount);
  let head: ItemHead | undefined;
  let basisPoints: readonly number[] = [];
  /** By track, where the record of this head is; heads are numbered from 1. */
  const [place, placeHead] = [new Int32Array(codes.trackCount), new Int32Array(codes.trackCount)];
  let open: OpenRecord[] = [];
  const closeHead = () => {
    if (head !== undefined) table.append(head, open);
    open = [];
  };
  return {
    add: ({ head: itemHead, tail, track, plays }, source, earnings) => {
      if (itemHead !== head) {
        closeHead();
        head = itemHead;
        basisPoints = basisPointsOf(itemHead);
      }
      const recordTrack = tracks.recordTrack[track] ?? 0;
      const use = tail.useType * codes.accountingMonths.length + tail.accountingMonth;
      const number = table.headCount() + 1;
      if (placeHead[recordTrack] !== number) {
        placeHead[recordTrack] = number;
        place[recordTrack] = open.length;
        open.push(emptyRecord(recordTrack, source, use));
      }
      const record = open[place[recordTrack] ?? 0];
      if (record === undefined) throw new Error('a record has a place');
      const fee = multiply(earnings, basisPoints[tail.useType] ?? 0);
      if (source !== record.source || record.sources !== undefined)
        addSource(record, source, earnings);
      if (use !== record.use || record.uses !== undefined) {
        record.uses ??= new Map([[record.use, partOf(record)]]);
        addUse(record.uses, { use, plays, gross: earnings, feeNumerator: fee });
      }
      record.plays = add(record.plays, plays);
      record.gross = add(record.gross, earnings);
      record.feeNumerator = add(record.feeNumerator, fee);
      if (isSale[tail.useType] === true) {
        record.saleGross = add(record.saleGross, earnings);
        record.saleFeeNumerator = add(record.saleFeeNumerator, fee);
      }
    },
    end: () => {
      closeHead();
      return table.end();
    },
  };
}

const isSale = sortedUseTypes.map((useType) => incomeTypeOf(useType) === 'sale');

const emptyRecord = (track: number, source: number, use: number): OpenRecord => ({
  track,
  plays: 0,
  gross: 0,
  feeNumerator: 0,
  saleGross: 0,
  saleFeeNumerator: 0,
  source,
  sources: undefined,
  use,
  uses: undefined,
});

/** So far, all of the record is of its first use. */
const partOf = ({ use, plays, gross, feeNumerator }: OpenRecord) => ({
  use,
  plays,
  gross,
  feeNumerator,
});

/** Before the earnings are added: so far all of them were of the first source. */
function addSource(record: OpenRecord, source: number, earnings: Exact): void {
  record.sources ??= new Map([[record.source, record.gross]]);
  record.sources.set(source, add(record.sources.get(source) ?? 0, earnings));
}

/**
 * The fee is rounded once per record; the sales have their rounded part of it, and the royalties the rest.
 */
function createTable(rowCount: number) {
  const heads: ItemHead[] = [];
  const several = new Map<number, readonly RecordSource[]>();
  const useParts = noUseParts();
  const [head, track, source, use] = [
    new Int32Array(rowCount),
    new Int32Array(rowCount),
    new Int32Array(rowCount),
    new Int32Array(rowCount),
  ];
  const [plays, gross, fee, saleBase] = [
    createExactList(rowCount),
    createExactList(rowCount),
    createExactList(rowCount),
    createExactList(rowCount),
  ];
  let count = 0;
  return {
    headCount: () => heads.length,
    append: (of: ItemHead, records: readonly OpenRecord[]) => {
      for (const record of records.toSorted((a, b) => a.track - b.track)) {
        head[count] = heads.length;
        track[count] = record.track;
        source[count] = record.sources === undefined ? record.source : severalSources;
        if (record.sources !== undefined)
          several.set(
            count,
            [...record.sources].map(([from, amount]) => ({ source: from, gross: amount })),
          );
        use[count] = record.uses === undefined ? record.use : severalUses;
        if (record.uses !== undefined) appendUses(useParts, count, record.uses);
        setExact(plays, count, record.plays);
        setExact(gross, count, record.gross);
        setExact(fee, count, halfEven(record.feeNumerator, basisPointsPerWhole));
        const saleFee = halfEven(record.saleFeeNumerator, basisPointsPerWhole);
        setExact(saleBase, count, subtract(record.saleGross, saleFee));
        count++;
      }
      heads.push(of);
    },
    end: (): RecordTable => ({
      heads,
      head: head.slice(0, count),
      track: track.slice(0, count),
      source: source.slice(0, count),
      plays: firstExact(plays, count),
      gross: firstExact(gross, count),
      fee: firstExact(fee, count),
      saleBase: firstExact(saleBase, count),
      several,
      use: use.slice(0, count),
      useParts,
    }),
  };
}

/** By use type. Where no rule applies, there is no fee. */
function createFees(
  { bucket, feeRules }: BucketInput,
  codes: BucketCodes,
): (head: ItemHead) => readonly number[] {
  const orgIds = new Set(bucket.statements.map(({ orgId }) => orgId));
  const byOrg = Map.groupBy(rankFeeRules(feeRules, orgIds), ({ orgId }) => orgId);
  return ({ statement, store, usageMonth }) => {
    const orgId = bucket.statements[statement]?.orgId;
    const rules = (orgId === undefined ? undefined : byOrg.get(orgId)) ?? [];
    const [storeId, month] = [codes.storeIds[store], codes.usageMonths[usageMonth] ?? ''];
    const ofStore = rules.filter(
      (rule) => (rule.storeId === null || rule.storeId === storeId) && isValidIn(rule, month),
    );
    return sortedUseTypes.map((useType) => strongestOf(ofStore, useType));
  };
}

const isValidIn = ({ validFrom, validTo }: FeeRule, month: string): boolean =>
  validFrom <= month && (validTo === null || validTo >= month);

/** Rules are from the weakest to the strongest. */
const strongestOf = (rules: readonly FeeRule[], useType: UseType): number =>
  rules.findLast((rule) => rule.useType === null || rule.useType === useType)?.basisPoints ?? 0;
