/** What a payout costs, and what arrives (ADR 0036). */

import type { Currency } from '../../kernel/currency.ts';
import {
  convertAt,
  floorToMinorUnits,
  type FxRate,
  type Micros,
  takeBasisPoints,
  toMicros,
} from '../../kernel/money.ts';
import type { Payout } from './payout.ts';

/** Of a payout in another currency than its method. Otherwise the house bears the fee of the rail. */
const conversionFeeBasisPoints = 50;

export type PayoutTerms = Pick<
  Payout,
  'feeAmount' | 'feeBearer' | 'destinationCurrency' | 'fxRate' | 'destinationAmount'
>;

export type Sum = { readonly amount: Micros; readonly currency: Currency };

/** `conversion`: undefined if the method has the currency of the payout. */
export function termsOf(
  { amount, currency }: Sum,
  conversion: { readonly to: Currency; readonly rate: FxRate } | undefined,
): PayoutTerms {
  if (conversion === undefined) {
    return {
      feeAmount: toMicros(0n),
      feeBearer: 'house',
      destinationCurrency: currency,
      fxRate: null,
      destinationAmount: amount,
    };
  }
  const { to, rate } = conversion;
  const feeAmount = floorToMinorUnits(takeBasisPoints(amount, conversionFeeBasisPoints), currency);
  const converted = convertAt(toMicros(amount - feeAmount), rate);
  return {
    feeAmount,
    feeBearer: 'payee',
    destinationCurrency: to,
    fxRate: rate,
    destinationAmount: floorToMinorUnits(converted, to),
  };
}
