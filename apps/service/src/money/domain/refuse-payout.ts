/** When a payout cannot be created or canceled (contract §4, §7). */

import { type Currency, currencyDecimals } from '../../kernel/currency.ts';
import {
  floorToMinorUnits,
  formatMinorUnits,
  isWholeMinorUnits,
  type Micros,
} from '../../kernel/money.ts';
import { invalidField, type Refusal } from '../../kernel/problem.ts';
import type { PayoutMethod } from './payout-method.ts';
import type { PayoutTerms, Sum } from './payout-terms.ts';
import { type HoldReason, isUnsent, type Payout, type PayoutId } from './payout.ts';
import type { PayoutWithHolds } from './present-payout.ts';

/** Contract §4: an amount has no more decimals than its currency. */
export const refuseDecimals = ({ amount, currency }: Sum): Refusal | undefined =>
  isWholeMinorUnits(amount, currency) ? undefined : invalidField('amount', decimalsIssue(currency));

const decimalsIssue = (currency: Currency): string => {
  const decimals = currencyDecimals[currency];
  return decimals === 0
    ? `must have no decimals: ${currency} has none`
    : `must have at most ${decimals} decimals, as ${currency} has`;
};

/** `found`: the method of the organization with the id that was sent. */
export function refuseNamedMethod(found: PayoutMethod | undefined): Refusal | undefined {
  if (found?.status === 'active') return undefined;
  return invalidField(
    'payout_method_id',
    'must be the id of an active payout method of yours; GET /v1/payout_methods lists them',
  );
}

/** `found`: the payout of the organization with the id that was sent; `retry`: what retries it already. */
export function refuseRetry(
  found: Payout | undefined,
  retry: PayoutId | undefined,
): Refusal | undefined {
  if (found === undefined) {
    return invalidField(
      'retry_of',
      'must be the id of a payout of yours; GET /v1/payouts lists them',
    );
  }
  if (!['failed', 'returned', 'canceled'].includes(found.status)) {
    return {
      code: 'invalid_state',
      message: `The payout ${found.id} is ${found.status}. Only a payout that is failed, returned or canceled can be retried.`,
    };
  }
  return retry === undefined
    ? undefined
    : {
        code: 'invalid_state',
        message: `The payout ${found.id} was retried already, by ${retry}. Retry that one, if it is failed, returned or canceled.`,
      };
}

export const methodMissing: Refusal = {
  code: 'payout_method_missing',
  message:
    'Your organization has no active payout method. Add one with POST /v1/payout_methods, then create the payout again.',
};

export const taxProfileMissing: Refusal = {
  code: 'tax_profile_missing',
  message:
    'Your organization has no tax profile. Send one with PATCH /v1/tax_profile, then create the payout again.',
};

export const rateMissing = (from: Currency, to: Currency): Refusal =>
  invalidField(
    'currency',
    `cannot be converted from ${from} to ${to}, the currency of the payout method; send a payout_method_id with the currency ${from}, or ask support for a rate`,
  );

export function refuseBelowMinimum(
  { amount, currency }: Sum,
  minimum: Micros,
): Refusal | undefined {
  if (amount >= minimum) return undefined;
  const least = formatMinorUnits(minimum, currency);
  return {
    code: 'below_minimum',
    message: `A payout in ${currency} must be at least ${least}. Wait until the available balance reaches it, and send at least ${least}.`,
    details: [{ field: 'amount', issue: `must be at least ${least} for ${currency}` }],
  };
}

export function refuseOverdraft({ amount, currency }: Sum, available: Micros): Refusal | undefined {
  if (available >= amount) return undefined;
  const most = formatMinorUnits(floorToMinorUnits(available, currency), currency);
  return {
    code: 'insufficient_balance',
    message: `The available balance is ${most} ${currency}, less than the payout. Send at most the available balance, which GET /v1/balance shows.`,
    details: [{ field: 'amount', issue: `must be at most the available balance, ${most}` }],
  };
}

/** After the conversion nothing would be left to send. */
export const refuseEmpty = ({ destinationAmount, destinationCurrency }: PayoutTerms) =>
  destinationAmount > 0n
    ? undefined
    : invalidField(
        'amount',
        `is too small to be paid in ${destinationCurrency}, the currency of the payout method; send a larger amount`,
      );

export function refuseCancel({ payout, holds }: PayoutWithHolds): Refusal | undefined {
  if (!isUnsent(payout)) {
    return {
      code: 'invalid_state',
      message: `The payout is ${payout.status}. Only a payout that is pending or on_hold can be canceled.`,
    };
  }
  return holds.some(({ reason }) => reason === 'compliance_review')
    ? {
        code: 'invalid_state',
        message:
          'The payout cannot be canceled while its hold with the reason compliance_review is open.',
      }
    : undefined;
}

/** Of an operator's hold. */
export function refuseHold(
  { payout, holds }: PayoutWithHolds,
  reason: HoldReason,
): Refusal | undefined {
  if (!isUnsent(payout)) {
    return {
      code: 'invalid_state',
      message: `The payout is ${payout.status}. Only a payout that is pending or on_hold can be held.`,
    };
  }
  return holds.some((hold) => hold.reason === reason)
    ? {
        code: 'invalid_state',
        message: `The payout already has an open hold with the reason ${reason}.`,
      }
    : undefined;
}
