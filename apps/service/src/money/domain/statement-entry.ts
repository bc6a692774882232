/** Entries of the accounts that make up a balance, as the proof of a statement shows them. */

import type { Currency } from '../../kernel/currency.ts';
import { formatMicros, type Micros } from '../../kernel/money.ts';

/** What an organization owns, in the order of their names. */
export const ownAccounts = ['held', 'payable', 'payout_reserved'] as const;
export type OwnAccount = (typeof ownAccounts)[number];

export const countedAmounts = ['net_amount', 'adjustment_amount', 'payout_amount'] as const;
type CountedAmount = (typeof countedAmounts)[number];

/** The entries of a statement: those after the opening version, up to the closing version, for each account. */
export type EntryRange = {
  readonly currency: Currency;
  readonly opening: Readonly<Record<OwnAccount, string>>;
  readonly closing: Readonly<Record<OwnAccount, string>>;
};

export type StatementEntry = {
  readonly account: OwnAccount;
  readonly version: string;
  /** The key of the posting, for example `payout.created:pay_…`. */
  readonly cause: string;
  readonly amount: Micros;
  readonly balanceAfter: Micros;
  readonly createdAt: Date;
};

/** The entries of one account with one kind of cause, added up. */
export type StatementMovement = {
  readonly account: OwnAccount;
  readonly causeType: string;
  readonly entryCount: number;
  readonly amount: Micros;
};

/** Before the colon. */
const causeTypeOf = (cause: string): string => cause.slice(0, cause.indexOf(':'));

/**
 * The amount of the statement in which entries with this cause are counted, with the sign of the entries; payouts with
 * the opposite sign. Null: they move money between the accounts, and their sum is zero. Earnings that a store keeps and
 * corrections of earlier statements are adjustments.
 */
function countedIn(causeType: string): CountedAmount | null {
  if (causeType === 'statement.published') return 'net_amount';
  if (causeType.startsWith('payout.')) return 'payout_amount';
  const isBetweenAccounts = causeType === 'earnings.held' || causeType === 'earnings.released';
  return isBetweenAccounts ? null : 'adjustment_amount';
}

export const presentStatementMovement = (movement: StatementMovement) => ({
  account: movement.account,
  cause_type: movement.causeType,
  counted_in: countedIn(movement.causeType),
  entry_count: movement.entryCount,
  amount: formatMicros(movement.amount),
});

export const presentStatementEntry = (entry: StatementEntry) => ({
  account: entry.account,
  version: Number(entry.version),
  cause: entry.cause,
  counted_in: countedIn(causeTypeOf(entry.cause)),
  amount: formatMicros(entry.amount),
  balance_after: formatMicros(entry.balanceAfter),
  created_at: entry.createdAt.toISOString(),
});
