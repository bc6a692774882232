import { type Currency, currencyDecimals } from '../../kernel/currency.ts';
import { type Micros, toMicros } from '../../kernel/money.ts';

/** By the decimals of a currency, in whole units of it. */
const usualMinimums = { 0: 1_000n, 2: 10n, 3: 5n } as const;

const microsPerUnit = 1_000_000n;

/** The least amount of a payout, unless the organization has set more. */
export const usualMinimum = (currency: Currency): Micros =>
  toMicros(usualMinimums[currencyDecimals[currency]] * microsPerUnit);

export type PayoutMinimums = { readonly minimum: Readonly<Record<string, Micros>> };

export const minimumOf = ({ minimum }: PayoutMinimums, currency: Currency): Micros =>
  minimum[currency] ?? usualMinimum(currency);
