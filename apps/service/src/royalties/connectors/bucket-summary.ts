/** What the calculation of a bucket found, by statement. */

import { formatMicros, toMicros } from '../../kernel/money.ts';
import type { CalculatedPart, PartSource, PartTaxBase } from '../domain/calculated-part.ts';
import { type IncomeType, incomeTypes } from '../domain/calculation.ts';
import { add, type Exact, getExact, subtract } from '../domain/exact-number.ts';
import { formatSourceAmount } from '../domain/source-amount.ts';
import type { BucketCodes } from './bucket-codes.ts';
import type { BucketRate } from './bucket-rates.ts';
import { type RecordTable, severalSources } from './bucket-records.ts';
import type { BucketInput } from './calculate-bucket.ts';
import type { WrittenFile } from './part-files.ts';

const microsPerUnit = 1_000_000;

export function amountOf(micros: Exact): string {
  if (typeof micros !== 'number') return formatMicros(toMicros(micros));
  const rest = Math.abs(micros) % microsPerUnit;
  const whole = (Math.abs(micros) - rest) / microsPerUnit;
  return `${micros < 0 ? '-' : ''}${whole}.${String(rest).padStart(6, '0')}`;
}

type SourceSums = {
  readonly rate: BucketRate;
  amount: Exact;
  gross: Exact;
  positiveGross: Exact;
};
type BaseSums = { base: Exact; positiveBase: Exact };

type StatementSums = {
  itemCount: number;
  recordCount: number;
  plays: Exact;
  gross: Exact;
  fee: Exact;
  readonly sources: Map<number, SourceSums>;
  /** By territory and income type. */
  readonly bases: Map<string, BaseSums>;
};

export type BucketSummary = {
  readonly addItem: (
    statement: number,
    of: { readonly plays: number; readonly amount: Exact },
    from: { readonly source: number; readonly rate: BucketRate },
    earnings: Exact,
  ) => void;
  readonly addRecords: (records: RecordTable) => void;
  readonly parts: (files: readonly WrittenFile[]) => readonly CalculatedPart[];
};

export function createSummary(input: BucketInput, codes: BucketCodes): BucketSummary {
  const { statements } = input.bucket;
  const sums = statements.map(emptySums);
  const of = (statement: number): StatementSums => {
    const found = sums[statement];
    if (found === undefined) throw new Error(`statement ${statement} is not in the bucket`);
    return found;
  };
  return {
    addItem: (statement, { plays, amount }, { source, rate }, earnings) => {
      const sum = of(statement);
      sum.itemCount++;
      sum.plays = add(sum.plays, plays);
      sum.gross = add(sum.gross, earnings);
      const known = sum.sources.get(source);
      const found = known ?? { rate, amount: 0, gross: 0, positiveGross: 0 };
      if (known === undefined) sum.sources.set(source, found);
      found.amount = add(found.amount, amount);
      found.gross = add(found.gross, earnings);
    },
    addRecords: (records) => {
      prepareBases(input, sums, codes);
      for (let record = 0; record < records.head.length; record++)
        addRecord(of(headOf(records, record).statement), records, record);
    },
    parts: (files) =>
      statements.map(({ statementId, part, currency }, statement) => {
        const sum = of(statement);
        const file = files[statement];
        if (file === undefined) throw new Error(`statement ${statementId} has no file`);
        const grossAmount = amountOf(sum.gross);
        return {
          statementId,
          part,
          currency,
          items: { ...file, rowCount: sum.itemCount, amount: grossAmount },
          recordCount: sum.recordCount,
          playCount: Number(sum.plays),
          grossAmount,
          feeAmount: amountOf(sum.fee),
          sources: sourcesOf(sum, codes),
          taxBases: basesOf(sum, codes),
        };
      }),
  };
}

const emptySums = (): StatementSums => ({
  itemCount: 0,
  recordCount: 0,
  plays: 0,
  gross: 0,
  fee: 0,
  sources: new Map(),
  bases: new Map(),
});

const baseKey = (territory: number, incomeType: IncomeType): string => `${territory} ${incomeType}`;

/** Only where a withholding rate applies. */
function prepareBases(
  { bucket, withholding }: BucketInput,
  sums: readonly StatementSums[],
  { territories }: BucketCodes,
): void {
  const byStatement = Map.groupBy(withholding, ({ statementId }) => statementId);
  for (const [index, { statementId }] of bucket.statements.entries()) {
    for (const { territory, incomeType } of byStatement.get(statementId) ?? []) {
      const key = baseKey(territories.indexOf(territory), incomeType);
      sums[index]?.bases.set(key, { base: 0, positiveBase: 0 });
    }
  }
}

export function headOf({ heads, head }: RecordTable, record: number): RecordTable['heads'][number] {
  const found = heads[head[record] ?? 0];
  if (found === undefined) throw new Error(`record ${record} has no head`);
  return found;
}

/** Gross − fee, by what the tax of the payee depends on. */
export function baseOf(records: RecordTable, record: number, incomeType: IncomeType): Exact {
  const sale = getExact(records.saleBase, record);
  if (incomeType === 'sale') return sale;
  return subtract(subtract(getExact(records.gross, record), getExact(records.fee, record)), sale);
}

function addRecord(sum: StatementSums, records: RecordTable, record: number): void {
  sum.recordCount++;
  sum.fee = add(sum.fee, getExact(records.fee, record));
  const source = records.source[record] ?? severalSources;
  if (source !== severalSources) addPositiveGross(sum, source, getExact(records.gross, record));
  else
    for (const each of records.several.get(record) ?? [])
      addPositiveGross(sum, each.source, each.gross);
  if (sum.bases.size === 0) return;
  const { territory } = headOf(records, record);
  for (const incomeType of incomeTypes) {
    const found = sum.bases.get(baseKey(territory, incomeType));
    if (found === undefined) continue;
    const base = baseOf(records, record, incomeType);
    found.base = add(found.base, base);
    if (base > 0) found.positiveBase = add(found.positiveBase, base);
  }
}

function addPositiveGross(sum: StatementSums, source: number, gross: Exact): void {
  const found = sum.sources.get(source);
  if (found === undefined) throw new Error(`source ${source} has no items`);
  if (gross > 0) found.positiveGross = add(found.positiveGross, gross);
}

const sourcesOf = ({ sources }: StatementSums, codes: BucketCodes): readonly PartSource[] =>
  [...sources]
    .toSorted(([a], [b]) => a - b)
    .map(([source, { rate, amount, gross, positiveGross }]) => {
      const reportId = codes.reportIds[Math.floor(source / codes.currencies.length)];
      const sourceCurrency = codes.currencies[source % codes.currencies.length];
      if (reportId === undefined || sourceCurrency === undefined)
        throw new Error(`source ${source} is not in the bucket`);
      return {
        reportId,
        sourceCurrency,
        rate: rate.text,
        sourceAmount: formatSourceAmount(BigInt(amount)),
        grossAmount: amountOf(gross),
        positiveGross: amountOf(positiveGross),
      };
    });

/** Of a territory without a record there is no base. */
const basesOf = ({ bases }: StatementSums, { territories }: BucketCodes): readonly PartTaxBase[] =>
  [...bases]
    .map(([key, { base, positiveBase }]) => {
      const [territory = '', incomeType] = key.split(' ');
      return {
        territory: territories[Number(territory)] ?? '',
        incomeType: incomeType as IncomeType,
        base: amountOf(base),
        positiveBase: amountOf(positiveBase),
      };
    })
    .filter(({ territory }) => territory !== '')
    .toSorted((a, b) =>
      a.territory === b.territory
        ? compareTexts(a.incomeType, b.incomeType)
        : compareTexts(a.territory, b.territory),
    );

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
