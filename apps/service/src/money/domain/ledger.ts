/**
 * The ledger of an organization: accounts per currency, and postings that move money between them. An entry adds its
 * amount to an account; the amounts of a posting are zero in total per currency. What the organization can be paid, what
 * is reserved and what is held are positive balances; what stores still owe us is a negative one.
 */

import type { Currency } from '../../kernel/currency.ts';
import { type Micros, negate, toMicros } from '../../kernel/money.ts';

export type Account =
  /** What the organization can be paid. Negative if penalties exceed its earnings. */
  | 'payable'
  /** Of payouts that have not left yet. */
  | 'payout_reserved'
  /** Earnings that are disputed. */
  | 'held'
  | 'store_receivable'
  | 'cash'
  | 'fee_income'
  | 'withholding_payable'
  | 'rail_fees'
  | 'bank_fees'
  | 'fx_clearing'
  | 'fx_gain_loss'
  /** Between organizations: zero in total over all of them. */
  | 'clearing'
  | 'suspense';

export type Entry = {
  readonly account: Account;
  readonly currency: Currency;
  readonly amount: Micros;
};

export type Posting = {
  /** Names the cause, for example `payout.created:pay_…`. It is posted once. */
  readonly key: string;
  readonly entries: readonly Entry[];
};

/** A statement has at most this many entries, however many lines it has. */
const entriesMax = 20;

export type AccountBalance = {
  readonly currency: Currency;
  readonly account: Account;
  /** The number of entries of the account. */
  readonly version: bigint;
  readonly balance: Micros;
};

/** Of one adjustment or hold: 10^12 units. A larger amount is a typing error. */
export const bookedAmountMax = toMicros(10n ** 18n);

/** Moves an amount, which is positive, from one account to another. */
export const transfer = (
  { amount, currency }: { readonly amount: Micros; readonly currency: Currency },
  from: Account,
  to: Account,
): readonly Entry[] => [
  { account: from, currency, amount: negate(amount) },
  { account: to, currency, amount },
];

/** Throws for a posting that would lose or create money: that is a defect of its caller. The database checks it too. */
export function requireBalanced({ key, entries }: Posting): void {
  const totals = new Map<Currency, bigint>();
  const names = new Set<string>();
  for (const { account, currency, amount } of entries) {
    totals.set(currency, (totals.get(currency) ?? 0n) + amount);
    names.add(account + currency);
  }
  const isBalanced = [...totals.values()].every((total) => total === 0n);
  const isOncePerAccount = names.size === entries.length;
  if (!isBalanced || !isOncePerAccount || entries.length < 2 || entries.length > entriesMax) {
    throw new RangeError(`posting ${key} is not balanced`);
  }
}
