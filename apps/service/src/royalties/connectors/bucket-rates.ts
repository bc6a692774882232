/** Rates of a bucket, by the currency of a statement and the source (report and source currency) of an item. */

import { formatFxRate, parseFxRate, sameCurrencyRate } from '../../kernel/money.ts';
import { TaskRefused } from '../../platform/process/child-task.ts';
import { type Exact, toExact } from '../domain/exact-number.ts';
import type { BucketCodes } from './bucket-codes.ts';
import type { BucketInput, MissingRate } from './calculate-bucket.ts';
import { type Dictionary, rateDictionary } from './parquet-columns.ts';

export type BucketRate = {
  /** In the dictionary. */
  readonly code: number;
  /** In units of 10^-10. */
  readonly units: Exact;
  readonly isOne: boolean;
  readonly text: string;
};

export type BucketRates = {
  readonly dictionary: Dictionary;
  readonly rateOf: (statement: number, source: number) => BucketRate;
  /** Throws TaskRefused if rates were missing; its details are MissingRate[]. */
  readonly requireAll: () => void;
};

export function createRates({ bucket, rates }: BucketInput, codes: BucketCodes): BucketRates {
  const { reportIds, currencies } = codes;
  const known = new Map(
    rates.map(({ reportId, sourceCurrency, currency, rate }) => [
      `${reportId} ${sourceCurrency} ${currency}`,
      unitsOf(rate),
    ]),
  );
  const distinct = [...new Set([sameCurrencyRate, ...known.values()])];
  const table: readonly BucketRate[] = distinct.map((units, code) => ({
    code,
    units: toExact(units),
    isOne: units === sameCurrencyRate,
    text: formatFxRate(units),
  }));
  const same = table[0];
  if (same === undefined) throw new Error('there is at least one rate');
  const byUnits = new Map(distinct.map((units, code) => [units, table[code]]));
  const missing = new Map<string, MissingRate>();
  const find = (source: number, currency: MissingRate['currency']): BucketRate => {
    const reportId = reportIds[Math.floor(source / currencies.length)];
    const sourceCurrency = currencies[source % currencies.length];
    if (reportId === undefined || sourceCurrency === undefined)
      throw new Error(`source ${source} is not in the bucket`);
    const key = `${reportId} ${sourceCurrency} ${currency}`;
    const units = known.get(key);
    const rate = units === undefined ? undefined : byUnits.get(units);
    if (rate !== undefined) return rate;
    if (sourceCurrency !== currency) missing.set(key, { reportId, sourceCurrency, currency });
    return same;
  };
  const sourceCount = reportIds.length * currencies.length;
  const found = new Map<number, BucketRate>();
  return {
    dictionary: rateDictionary(distinct),
    rateOf: (statement, source) => {
      const key = statement * sourceCount + source;
      const cached = found.get(key);
      if (cached !== undefined) return cached;
      const of = bucket.statements[statement];
      if (of === undefined) throw new Error(`statement ${statement} is not in the bucket`);
      const rate = find(source, of.currency);
      found.set(key, rate);
      return rate;
    },
    requireAll: () => {
      if (missing.size === 0) return;
      const details = [...missing].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
      throw new TaskRefused(`${missing.size} rates are missing`, details);
    },
  };
}

function unitsOf(text: string): typeof sameCurrencyRate {
  const rate = parseFxRate(text);
  if (rate === undefined) throw new RangeError(`${text} is not a rate`);
  return rate;
}
