/** Balances, adjustments and earning holds as partners read them. Their amounts have six decimals (contract §2). */

import type { Currency } from '../../kernel/currency.ts';
import { showIsrc } from '../../kernel/isrc.ts';
import { formatMicros, type Micros, toMicros } from '../../kernel/money.ts';
import type { Adjustment } from './adjustment.ts';
import type { EarningHold } from './earning-hold.ts';
import type { Account, AccountBalance } from './ledger.ts';
import { minimumOf, type PayoutMinimums } from './payout-minimum.ts';

/** One for each currency, in the order of the balances. */
export function presentBalance(
  balances: readonly AccountBalance[],
  pendingNets: readonly Pending[],
  minimums: PayoutMinimums,
) {
  const currencies = new Set([...balances, ...pendingNets].map(({ currency }) => currency));
  return {
    data: [...currencies]
      .toSorted()
      .map((currency) => presentCurrency(currency, balances, pendingNets, minimums)),
  };
}

type Pending = { readonly currency: Currency; readonly amount: Micros };

function presentCurrency(
  currency: Currency,
  balances: readonly AccountBalance[],
  pendingNets: readonly Pending[],
  minimums: PayoutMinimums,
) {
  const ofCurrency = balances.filter((each) => each.currency === currency);
  const amountIn = (account: Account): string =>
    formatMicros(ofCurrency.find((each) => each.account === account)?.balance ?? toMicros(0n));
  const pending = pendingNets.find((each) => each.currency === currency)?.amount ?? toMicros(0n);
  return {
    currency,
    available: amountIn('payable'),
    pending: formatMicros(pending),
    reserved: amountIn('payout_reserved'),
    held: amountIn('held'),
    minimum: formatMicros(minimumOf(minimums, currency)),
  };
}

export const presentAdjustment = (adjustment: Adjustment) => ({
  id: adjustment.id,
  type: adjustment.type,
  gross_amount: formatMicros(adjustment.grossAmount),
  fee_amount: formatMicros(adjustment.feeAmount),
  tax_amount: formatMicros(adjustment.taxAmount),
  amount: formatMicros(adjustment.amount),
  currency: adjustment.currency,
  reason: adjustment.reason,
  refers_to: adjustment.refersTo,
  created_at: adjustment.createdAt.toISOString(),
});

export const presentEarningHold = (hold: EarningHold) => ({
  id: hold.id,
  status: hold.status,
  reason: hold.reason,
  amount: formatMicros(hold.amount),
  currency: hold.currency,
  store_id: hold.storeId,
  isrc: hold.isrc === null ? null : showIsrc(hold.isrc),
  period_start: hold.periodStart,
  period_end: hold.periodEnd,
  evidence: hold.evidence,
  review_by: hold.reviewBy,
  created_at: hold.createdAt.toISOString(),
  updated_at: hold.updatedAt.toISOString(),
});
