/**
 * Verifies the ledger of one organization. A verification starts where the last one ended, account by account, and reads
 * only newer entries; one from the start reads everything. It ends at the last entries that existed when it began, so
 * postings that are made meanwhile do not disturb it.
 */

import { toMicros } from '../../kernel/money.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type BrokenLedger,
  findBrokenTotal,
  type LedgerVerification,
} from '../domain/ledger-verification.ts';
import type { AccountBalance } from '../domain/ledger.ts';
import {
  checkEntries,
  checkTransactions,
  findVerifiedAccounts,
  insertVerifications,
  type VerifiedAccount,
} from '../store/ledger-verifications.ts';
import { findBalances } from '../store/ledger.ts';

/** Checked by one statement, in about a second. */
const rowsAtOnce = 20_000;

const zero = toMicros(0n);

type Checked = { readonly count: number; readonly broken: BrokenLedger | null };

export async function verifyLedger(tx: Tx, isFromStart: boolean): Promise<LedgerVerification> {
  const verified = await findVerifiedAccounts(tx, tx.orgId);
  const balances = await findBalances(tx, tx.orgId);
  let entriesChecked = 0;
  let firstBroken = findChangedEntry(verified);
  for (const balance of balances) {
    if (firstBroken !== null) break;
    const last = isFromStart ? undefined : verifiedOf(verified, balance);
    const checked = await checkAccount(tx, balance, last);
    entriesChecked += checked.count;
    firstBroken = checked.broken;
  }
  firstBroken ??= findBrokenTotal(balances);
  if (isFromStart) firstBroken ??= await findEmptyTransaction(tx);
  if (firstBroken === null) {
    const isNewer = (each: AccountBalance) =>
      each.version > (verifiedOf(verified, each)?.version ?? 0n);
    insertVerifications(tx, balances.filter(isNewer));
  }
  const clearing = balances.filter(({ account }) => account === 'clearing');
  return { entriesChecked, firstBroken, clearing };
}

const verifiedOf = (
  verified: readonly VerifiedAccount[],
  { currency, account }: AccountBalance,
): VerifiedAccount | undefined =>
  verified.find((each) => each.currency === currency && each.account === account);

function findChangedEntry(verified: readonly VerifiedAccount[]): BrokenLedger | null {
  const changed = verified.find(({ isUnchanged }) => !isUnchanged);
  if (changed === undefined) return null;
  const { currency, account, version } = changed;
  return { problem: 'verified_entry_changed', currency, account, version };
}

/** The entries after `last`, up to the balance. */
async function checkAccount(
  tx: Tx,
  { currency, account, version: upTo }: AccountBalance,
  last: Pick<AccountBalance, 'version' | 'balance'> | undefined,
): Promise<Checked> {
  let count = 0;
  let [after, balance] = [last?.version ?? 0n, last?.balance ?? zero];
  while (after < upTo) {
    const range = { currency, account, after, balance, upTo };
    const checked = await checkEntries(tx, tx.orgId, range, rowsAtOnce);
    count += checked.count;
    if (checked.broken !== undefined) {
      return { count, broken: { ...checked.broken, currency, account } };
    }
    // The sandbox was reset meanwhile.
    if (checked.last === undefined) break;
    after = checked.last.version;
    balance = checked.last.balance;
  }
  return { count, broken: null };
}

async function findEmptyTransaction(tx: Tx): Promise<BrokenLedger | null> {
  let { last, empty } = await checkTransactions(tx, tx.orgId, undefined, rowsAtOnce);
  while (last !== undefined && empty === undefined) {
    ({ last, empty } = await checkTransactions(tx, tx.orgId, last, rowsAtOnce));
  }
  return empty === undefined ? null : { problem: 'entries_are_missing', transactionId: empty };
}
