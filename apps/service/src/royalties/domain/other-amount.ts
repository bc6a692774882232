/** What a report says without a use of a recording: a fine, a chargeback, income without a track. */

import type { Currency } from '../../kernel/currency.ts';
import type { OrgId } from '../../kernel/ids.ts';
import {
  divideHalfEven,
  formatMicros,
  type Micros,
  parseFxRate,
  takeBasisPoints,
  toMicros,
} from '../../kernel/money.ts';
import type { FeeRule, RunRate } from './calculation.ts';
import { feeFor } from './fee-rules.ts';
import type { ReportId, SourceAmount } from './report.ts';
import { sourceUnits, sourceUnitsPerMicro } from './source-amount.ts';

/** A fine or income without usage, in the currency of the statement. */
export type OtherAdjustment = {
  readonly type: 'penalty' | 'non_track_income' | 'chargeback';
  readonly grossAmount: string;
  readonly feeAmount: string;
  readonly reason: string;
};

export type OtherAmount = {
  readonly reportId: ReportId;
  readonly number: number;
  /** Null: of no partner. */
  readonly orgId: OrgId | null;
  readonly type: OtherAdjustment['type'];
  readonly usageMonth: string;
  readonly currency: Currency;
  readonly amount: SourceAmount;
  readonly reason: string;
};

const fxRateScale = 10n ** 10n;

/** Half-even, once. */
export function convertSource(amount: SourceAmount, rate: string): Micros {
  const parsed = parseFxRate(rate);
  if (parsed === undefined) throw new TypeError(`not a rate: ${rate}`);
  const units = sourceUnits(amount) * parsed;
  return toMicros(divideHalfEven(units, sourceUnitsPerMicro * fxRateScale));
}

/** Without a rate: the amount is in the currency already. */
export const rateOf = (
  rates: readonly RunRate[],
  { reportId, sourceCurrency, currency }: Omit<RunRate, 'rate'>,
): string => {
  const found = rates.find(
    (each) =>
      each.reportId === reportId &&
      each.sourceCurrency === sourceCurrency &&
      each.currency === currency,
  );
  if (found !== undefined) return found.rate;
  if (sourceCurrency === currency) return '1';
  throw new TypeError(`no rate from ${sourceCurrency} to ${currency}`);
};

/** Income without a track has no use type: the fee of streams applies. */
const feeUseType = 'subscription_stream';

type Terms = {
  readonly storeId: string;
  readonly currency: Currency;
  readonly rates: readonly RunRate[];
  /** Of the organization. */
  readonly feeRules: readonly FeeRule[];
};

/** Undefined if nothing is left in the currency of the statement. Fines and chargebacks have no fee. */
export function adjustmentOf(other: OtherAmount, terms: Terms): OtherAdjustment | undefined {
  const { type, currency: sourceCurrency, amount, reason, usageMonth, reportId } = other;
  const { currency } = terms;
  const gross = convertSource(amount, rateOf(terms.rates, { reportId, sourceCurrency, currency }));
  const basisPoints =
    type === 'non_track_income' ? feeFor(terms.feeRules, terms.storeId, feeUseType, usageMonth) : 0;
  const fee = takeBasisPoints(gross, basisPoints);
  if (gross === fee) return undefined;
  return { type, grossAmount: formatMicros(gross), feeAmount: formatMicros(fee), reason };
}
