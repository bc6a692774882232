/** Line items of a bucket: matched rows, grouped and sorted by DuckDB, with earnings in the currency of their statement. */

import type { DuckDBDataChunk } from '@duckdb/node-api';
import { toUuid } from '../../kernel/ids.ts';
import { useTypes } from '../../kernel/use-type.ts';
import {
  type Exact,
  halfEven,
  halfEvenProduct,
  multiply,
  setExact,
  toExact,
} from '../domain/exact-number.ts';
import { type BucketCodes, sortedUseTypes, transactionTypes } from './bucket-codes.ts';
import { type BucketTracks, titleOf } from './bucket-dictionaries.ts';
import type { BucketRate } from './bucket-rates.ts';
import type { DuckDb } from './duckdb.ts';
import { packKey } from './packed-key.ts';
import {
  codedColumn,
  columnTypes,
  dateDictionary,
  type Dictionary,
  numberColumn,
  textDictionary,
  uuidDictionary,
} from './parquet-columns.ts';

/** Below this, the number nearest to a decimal tells its ten decimals. */
const numberAmountMax = 100_000;
const unitsPerWhole = 10_000_000_000;
const unitsPerMicro = 10_000;
/** The amount has ten decimals, the rate too: their product is in units of 10^-20. */
const productPerMicro = 100_000_000_000_000;

/** Micros. A unit rate is informational: above this it might not fit, and is left out. */
const unitRateEarningsMax = 90_000_000_000_000;

type Field = { readonly name: string; readonly value: string; readonly size: number };

const enumCode = (column: string): string => `enum_code(m.${column}::${column}_code)`;

/** What a royalty record is made for, apart from its track. */
const headFields = (codes: BucketCodes, statementCount: number): readonly Field[] => [
  { name: 'statement', value: 'm.statement', size: statementCount },
  { name: 'store', value: 'm.store', size: codes.storeIds.length },
  { name: 'territory', value: enumCode('territory'), size: codes.territories.length },
  { name: 'usageMonth', value: enumCode('usage_month'), size: codes.usageMonths.length },
];

/** What the items of one track differ in. */
const tailFields = (codes: BucketCodes): readonly Field[] => [
  { name: 'useType', value: enumCode('use_type'), size: useTypes.length },
  { name: 'transactionType', value: enumCode('transaction_type'), size: 2 },
  { name: 'report', value: 'm.report', size: codes.reportIds.length },
  {
    name: 'accountingMonth',
    value: enumCode('accounting_month'),
    size: codes.accountingMonths.length,
  },
  { name: 'allocated', value: 'm.allocated::integer', size: 2 },
  { name: 'currency', value: enumCode('currency'), size: codes.currencies.length },
  {
    name: 'periodStart',
    value: `m.period_start - date '${codes.periodStart.first}'`,
    size: codes.periodStart.dayCount,
  },
  {
    name: 'periodEnd',
    value: `m.period_end - date '${codes.periodEnd.first}'`,
    size: codes.periodEnd.dayCount,
  },
];

export type ItemHead = Readonly<Record<'statement' | 'store' | 'territory' | 'usageMonth', number>>;
type ItemTail = Readonly<
  Record<
    | 'useType'
    | 'transactionType'
    | 'report'
    | 'accountingMonth'
    | 'allocated'
    | 'currency'
    | 'periodStart'
    | 'periodEnd',
    number
  >
>;

export type GroupedItem = {
  head: ItemHead;
  tail: ItemTail;
  track: number;
  plays: number;
  /** In units of 10^-10. */
  amount: Exact;
};

/**
 * The items in the order of their files: by head, track (its number stands for its ISRC, release and track id) and tail.
 * `onItem` gets the same object each time.
 */
export async function readItems(
  db: DuckDb,
  codes: BucketCodes,
  statementCount: number,
  onItem: (item: GroupedItem) => void,
): Promise<void> {
  const [head, tail] = [headFields(codes, statementCount), tailFields(codes)];
  const key = packKey([
    { name: 'head', value: packed(head), size: sizeOf(head) },
    { name: 'track', value: 't.track', size: codes.trackCount },
    { name: 'tail', value: packed(tail), size: sizeOf(tail) },
  ]);
  const columns = key.columns.join(', ');
  const field = (name: string) => `(${key.unpack.get(name) ?? 'null'})::double`;
  const query = `
    select ${field('head')}, ${field('track')}, ${field('tail')}, plays::double, amount::double,
      case when abs(amount) >= ${numberAmountMax} then amount::decimal(38, 10)::varchar end
    from (
      select ${columns}, sum(play_count) as plays, sum(amount) as amount
      from (
        select ${key.pack.join(', ')}, m.play_count, m.amount
        from matched m join tracks t using (track_id, release_id, isrc)
      )
      group by ${columns}
    )
    order by ${columns}`;
  const headOf = remembered(head) as (value: number) => ItemHead;
  const tailOf = remembered(tail) as (value: number) => ItemTail;
  const item = { track: 0, plays: 0, amount: 0 } as unknown as GroupedItem;
  for await (const chunk of db.stream(query)) {
    const [heads, tracks, tails, plays, amounts] = numbersOf(chunk);
    const largeAmounts = chunk.getColumnVector(5);
    for (let row = 0; row < plays.length; row++) {
      item.head = headOf(heads[row] ?? 0);
      item.tail = tailOf(tails[row] ?? 0);
      item.track = tracks[row] ?? 0;
      item.plays = plays[row] ?? 0;
      item.amount = unitsOf(amounts[row] ?? 0, largeAmounts.getItem(row) as string | null);
      if (!Number.isSafeInteger(item.plays)) throw new RangeError('plays are not an exact number');
      onItem(item);
    }
  }
}

type Numbers = readonly [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];

function numbersOf(chunk: DuckDBDataChunk): Numbers {
  const { rowCount } = chunk;
  const column = (index: number): Float64Array => {
    const vector = chunk.getColumnVector(index);
    const numbers = new Float64Array(rowCount);
    for (let row = 0; row < rowCount; row++) numbers[row] = vector.getItem(row) as number;
    return numbers;
  };
  return [column(0), column(1), column(2), column(3), column(4)];
}

const unitsOf = (amount: number, large: string | null): Exact =>
  large === null ? Math.round(amount * unitsPerWhole) + 0 : toExact(BigInt(large.replace('.', '')));

const packed = (fields: readonly Field[]): string =>
  fields.reduce(
    (sum, { value, size }) =>
      sum === '' ? `(${value})::bigint` : `(${sum}) * ${size} + (${value})`,
    '',
  );

function sizeOf(fields: readonly Field[]): number {
  const size = fields.reduce((product, each) => product * each.size, 1);
  if (!Number.isSafeInteger(size)) throw new RangeError('the bucket has too many different keys');
  return size;
}

/** The fields of a packed number. There are few different ones. */
function remembered(fields: readonly Field[]): (value: number) => object {
  const known = new Map<number, object>();
  let last: { readonly value: number; readonly made: object } | undefined;
  return (value) => {
    if (last?.value === value) return last.made;
    const found = known.get(value);
    if (found !== undefined) {
      last = { value, made: found };
      return found;
    }
    let rest = value;
    const entries = fields.toReversed().map(({ name, size }) => {
      const code = rest % size;
      rest = Math.floor(rest / size);
      return [name, code] as const;
    });
    const made = Object.fromEntries(entries);
    known.set(value, made);
    return made;
  };
}

export const earningsOf = (amount: Exact, { units, isOne }: BucketRate): Exact =>
  isOne ? halfEven(amount, unitsPerMicro) : halfEvenProduct(amount, units, productPerMicro);

/** In units of 10^-10. */
function unitRateOf(earnings: Exact, plays: number): Exact | null {
  const isKnown = plays !== 0 && earnings < unitRateEarningsMax && earnings > -unitRateEarningsMax;
  return isKnown
    ? halfEven(multiply(earnings, unitsPerMicro * Math.sign(plays)), Math.abs(plays))
    : null;
}

/** The columns of a file with line items, and how they are filled. */
export function createItemColumns(codes: BucketCodes, tracks: BucketTracks, rates: Dictionary) {
  const { text, uuid, date, boolean, bigint, amount, sourceAmount, rate } = columnTypes;
  const { periodStart, periodEnd } = codes;
  const months = textDictionary(codes.usageMonths);
  const coded = {
    isrc: codedColumn('isrc', text, tracks.isrcs),
    title: codedColumn('title', text, tracks.titleTexts),
    releaseId: codedColumn('release_id', uuid, tracks.releaseIds),
    trackId: codedColumn('track_id', uuid, tracks.trackIds),
    storeId: codedColumn('store_id', text, textDictionary(codes.storeIds)),
    territory: codedColumn('territory', text, textDictionary(codes.territories)),
    useType: codedColumn('use_type', text, textDictionary(sortedUseTypes)),
    transactionType: codedColumn('transaction_type', text, textDictionary(transactionTypes)),
    usageMonth: codedColumn('usage_month', text, months),
    accountingMonth: codedColumn('accounting_month', text, textDictionary(codes.accountingMonths)),
    reportId: codedColumn('report_id', uuid, uuidDictionary(codes.reportIds.map(toUuid))),
    allocated: codedColumn('allocated', boolean, textDictionary([])),
  };
  const plays = numberColumn('play_count', bigint);
  const unitRate = numberColumn('unit_rate', rate, true);
  const earned = numberColumn('earnings', amount);
  const sourceCurrency = codedColumn('source_currency', text, textDictionary(codes.currencies));
  const source = numberColumn('source_amount', sourceAmount);
  const fxRate = codedColumn('fx_rate', rate, rates);
  const start = codedColumn(
    'period_start',
    date,
    dateDictionary(periodStart.first, periodStart.dayCount),
  );
  const end = codedColumn('period_end', date, dateDictionary(periodEnd.first, periodEnd.dayCount));
  const fill = (
    row: number,
    { head, tail, track, plays: played, amount: units }: GroupedItem,
    { code }: BucketRate,
    earnings: Exact,
  ): void => {
    coded.isrc.codes[row] = tracks.isrc[track] ?? 0;
    coded.title.codes[row] = titleOf(tracks, track, tail.report);
    coded.releaseId.codes[row] = tracks.release[track] ?? 0;
    coded.trackId.codes[row] = tracks.recordTrack[track] ?? 0;
    coded.storeId.codes[row] = head.store;
    coded.territory.codes[row] = head.territory;
    coded.useType.codes[row] = tail.useType;
    coded.transactionType.codes[row] = tail.transactionType;
    coded.usageMonth.codes[row] = head.usageMonth;
    coded.accountingMonth.codes[row] = tail.accountingMonth;
    coded.reportId.codes[row] = tail.report;
    coded.allocated.codes[row] = tail.allocated;
    setExact(plays, row, played);
    setExact(unitRate, row, unitRateOf(earnings, played));
    setExact(earned, row, earnings);
    sourceCurrency.codes[row] = tail.currency;
    setExact(source, row, units);
    fxRate.codes[row] = code;
    start.codes[row] = tail.periodStart;
    end.codes[row] = tail.periodEnd;
  };
  const numbers = [plays, unitRate, earned, sourceCurrency, source, fxRate, start, end];
  return { columns: [...Object.values(coded), ...numbers], fill };
}
