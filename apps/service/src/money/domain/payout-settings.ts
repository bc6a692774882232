/**
 * How an organization is paid. In the mode monthly, a payout of the whole balance is created for each currency on the
 * first business day of each month at 12:00 UTC, business time.
 */

import { shiftBusinessDays } from '../../kernel/business-days.ts';
import { isCurrency } from '../../kernel/currency.ts';
import { addMs, dayMs } from '../../kernel/duration.ts';
import {
  formatMicros,
  formatMinorUnits,
  isWholeMinorUnits,
  type Micros,
  parseMicros,
} from '../../kernel/money.ts';
import { invalidField, type Refusal } from '../../kernel/problem.ts';
import { usualMinimum } from './payout-minimum.ts';

export const payoutModes = ['manual', 'monthly'] as const;
export type PayoutMode = (typeof payoutModes)[number];

export type PayoutSettings = {
  readonly mode: PayoutMode;
  /** By currency; a currency that is missing has the usual minimum. */
  readonly minimum: Readonly<Record<string, Micros>>;
  /** Whether a new payout method needs the approval of a second credential. Only an operator changes it. */
  readonly hasDualControl: boolean;
  /** Business time. Null in the mode manual. */
  readonly nextPayoutAt: Date | null;
};

/** Of an organization that has set nothing. */
export const usualSettings: PayoutSettings = {
  mode: 'manual',
  minimum: {},
  hasDualControl: false,
  nextPayoutAt: null,
};

/** Amounts as sent, by currency. */
export type SentMinimum = Readonly<Record<string, string>>;

export const refuseMinimum = (minimum: SentMinimum): Refusal | undefined =>
  Object.entries(minimum)
    .map(([currency, text]) => refuseAmount(currency, text))
    .find((refusal) => refusal !== undefined);

function refuseAmount(currency: string, text: string): Refusal | undefined {
  const field = `minimum.${currency}`;
  if (!isCurrency(currency)) {
    return invalidField(field, 'must have an ISO 4217 code such as EUR as its key');
  }
  const amount = parseMicros(text);
  const least = usualMinimum(currency);
  if (amount === undefined || amount < least) {
    return invalidField(field, `must be at least ${formatMinorUnits(least, currency)}`);
  }
  return isWholeMinorUnits(amount, currency)
    ? undefined
    : invalidField(field, `must have no more decimals than ${currency} has`);
}

/** Only after `refuseMinimum`. */
export const parseMinimum = (minimum: SentMinimum): PayoutSettings['minimum'] =>
  Object.fromEntries(
    Object.entries(minimum).flatMap(([currency, text]) => {
      const amount = parseMicros(text);
      return amount === undefined ? [] : [[currency, amount]];
    }),
  );

const payoutHour = 12; // UTC

/** The next first business day of a month at 12:00 UTC, later than `after`. */
export function nextMonthlyPayout(after: Date): Date {
  const thisMonth = firstBusinessDay(after.getUTCFullYear(), after.getUTCMonth());
  return thisMonth > after
    ? thisMonth
    : firstBusinessDay(after.getUTCFullYear(), after.getUTCMonth() + 1);
}

const firstBusinessDay = (year: number, month: number): Date =>
  shiftBusinessDays(addMs(new Date(Date.UTC(year, month, 1, payoutHour)), -dayMs), 1);

export const presentPayoutSchedule = ({ mode, minimum, nextPayoutAt }: PayoutSettings) => ({
  mode,
  minimum: Object.fromEntries(
    Object.entries(minimum).map(([currency, amount]) => [
      currency,
      isCurrency(currency) ? formatMinorUnits(amount, currency) : formatMicros(amount),
    ]),
  ),
  next_payout_at: nextPayoutAt?.toISOString() ?? null,
});
