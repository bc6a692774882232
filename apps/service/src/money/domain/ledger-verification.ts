/** What `ledger verify` checks of an organization, and how it reports what is wrong. */

import type { Currency } from '../../kernel/currency.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Micros, sumMicros } from '../../kernel/money.ts';
import type { Account, AccountBalance } from './ledger.ts';

export type BrokenLedger =
  | {
      readonly problem: EntryProblem;
      readonly currency: Currency;
      readonly account: Account;
      readonly version: bigint;
    }
  | { readonly problem: 'total_is_not_zero'; readonly currency: Currency }
  | { readonly problem: 'entries_are_missing'; readonly transactionId: Id<'ltx'> };

export type EntryProblem =
  /** The entry is missing, or has another balance than an earlier verification has found. */
  | 'verified_entry_changed'
  /** Its version does not follow the version of the entry before it. */
  | 'version_is_missing'
  /** Its balance is not the balance before it with its amount. */
  | 'balance_is_wrong'
  /** Its transaction is missing, has less than two entries, or is not zero in every currency. */
  | 'transaction_is_not_balanced';

export type LedgerVerification = {
  readonly entriesChecked: number;
  readonly firstBroken: BrokenLedger | null;
  /** Of the account `clearing`, which is zero in total over all organizations. */
  readonly clearing: readonly { readonly currency: Currency; readonly balance: Micros }[];
};

/** The accounts of an organization are zero in total in every currency. */
export function findBrokenTotal(balances: readonly AccountBalance[]): BrokenLedger | null {
  const byCurrency = Map.groupBy(balances, ({ currency }) => currency);
  const broken = [...byCurrency].find(
    ([, accounts]) => sumMicros(accounts.map(({ balance }) => balance)) !== 0n,
  );
  return broken === undefined ? null : { problem: 'total_is_not_zero', currency: broken[0] };
}

export const presentBroken = (broken: BrokenLedger) => ({
  problem: broken.problem,
  ...('currency' in broken && { currency: broken.currency }),
  ...('account' in broken && { account: broken.account, version: String(broken.version) }),
  ...('transactionId' in broken && { transaction_id: broken.transactionId }),
});
