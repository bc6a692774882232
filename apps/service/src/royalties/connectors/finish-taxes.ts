/** The taxes of each royalty record of a bucket: those of its part of a statement, by largest remainder. */

import { negate, parseMicros } from '../../kernel/money.ts';
import type { PartTaxes } from '../domain/calculated-part.ts';
import type { IncomeType } from '../domain/calculation.ts';
import {
  add,
  createExactList,
  type Exact,
  type ExactList,
  getExact,
  multiply,
  setExact,
  toExact,
} from '../domain/exact-number.ts';
import { shareOut } from '../domain/share-out.ts';
import { type RecordTable, severalSources } from './bucket-records.ts';
import { baseOf, headOf } from './bucket-summary.ts';
import type { FinishInput } from './finish-bucket.ts';
import type { RecordFile } from './record-file.ts';

/** In micros, by record. The tax of the payee depends on the type of income. */
export type RecordTaxes = {
  readonly sourceTax: ExactList;
  readonly payeeTax: Readonly<Record<IncomeType, ExactList>>;
};

type Range = { readonly from: number; readonly to: number };

export function divideTaxes({ bucket, taxes }: FinishInput, file: RecordFile): RecordTaxes {
  const { records, codes } = file;
  const count = records.head.length;
  const sourceTax = createExactList(count);
  const payeeTax = { royalty: createExactList(count), sale: createExactList(count) };
  const ranges = rangesOf(records, bucket.statements.length);
  const byPart = new Map(taxes.map((each) => [partKey(each), each]));
  for (const [statement, of] of bucket.statements.entries()) {
    const range = ranges[statement] ?? { from: 0, to: 0 };
    const { sourceTaxes = [], payeeTaxes = [] } = byPart.get(partKey(of)) ?? {};
    for (const { reportId, sourceCurrency, amount } of sourceTaxes) {
      const report = codes.reportIds.indexOf(reportId);
      const source = report * codes.currencies.length + codes.currencies.indexOf(sourceCurrency);
      divide(sourceTax, range, amount, (record) => grossOf(records, record, source));
    }
    for (const { territory, incomeType, amount } of payeeTaxes) {
      const code = codes.territories.indexOf(territory);
      divide(payeeTax[incomeType], range, amount, (record) =>
        headOf(records, record).territory === code ? baseOf(records, record, incomeType) : 0,
      );
    }
  }
  return { sourceTax, payeeTax };
}

const partKey = ({ statementId, part }: Pick<PartTaxes, 'statementId' | 'part'>): string =>
  `${statementId} ${part}`;

/** The records of each statement: they follow each other. */
function rangesOf(records: RecordTable, statementCount: number): readonly Range[] {
  const counts = new Int32Array(statementCount);
  for (let record = 0; record < records.head.length; record++) {
    const { statement } = headOf(records, record);
    counts[statement] = (counts[statement] ?? 0) + 1;
  }
  let from = 0;
  return Array.from(counts, (count) => {
    const range = { from, to: from + count };
    from = range.to;
    return range;
  });
}

function grossOf(records: RecordTable, record: number, source: number): Exact {
  const own = records.source[record];
  if (own === source) return getExact(records.gross, record);
  if (own !== severalSources) return 0;
  return records.several.get(record)?.find((each) => each.source === source)?.gross ?? 0;
}

/** Only weights above zero count. */
function divide(
  taxes: ExactList,
  { from, to }: Range,
  amount: string,
  weightOf: (record: number) => Exact,
): void {
  const [bearers, weights]: [number[], Exact[]] = [[], []];
  for (let record = from; record < to; record++) {
    const weight = weightOf(record);
    if (weight <= 0) continue;
    bearers.push(record);
    weights.push(weight);
  }
  const micros = parseMicros(amount);
  if (micros === undefined) throw new RangeError(`${amount} is not an amount`);
  const sign = micros < 0n ? -1 : 1;
  const shares = shareOut(toExact(micros < 0n ? negate(micros) : micros), weights);
  for (const [index, record] of bearers.entries()) {
    const share = multiply(shares[index] ?? 0, sign);
    setExact(taxes, record, add(getExact(taxes, record), share));
  }
}
