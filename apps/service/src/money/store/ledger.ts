/**
 * Postings and balances (migration 0025). A transaction that posts first locks the ledger of its organization, so that
 * the versions of an account have no gap and a balance that was read is still true at the commit.
 */

import { setImmediate } from 'node:timers/promises';
import type { Currency } from '../../kernel/currency.ts';
import { type OrgId, toUuid } from '../../kernel/ids.ts';
import { type Micros, toMicros } from '../../kernel/money.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { handled } from '../../platform/db/pipeline.ts';
import { sql } from '../../platform/db/sql.ts';
import type { Account, AccountBalance, Posting } from '../domain/ledger.ts';
import { readMicros } from './micros-column.ts';
import { type Origin, postToLedger, postToLedgers, type RunPosting } from './posting-rows.ts';

/** Until the end of the transaction, no other posts to this organization. Take it before reading a balance. */
export const lockLedger = (tx: Tx): void => tx.write(sql`select lock_ledger()`);

/** Posts all of them, in this order. The key of each must be new: a second posting violates a unique index. */
export function post(tx: Tx, postings: readonly Posting[]): void {
  for (const posting of postings) tx.write(postToLedger(posting, tx));
}

const postingsPerStatement = 1_000;

/**
 * Posts all of them, in this order, for all organizations at once: no other posting happens until the transaction ends.
 * Only `tonearm_worker` may, in a transaction without an organization.
 */
export async function postForAll(
  db: Db,
  postings: readonly RunPosting[],
  origin: Origin,
): Promise<void> {
  let sent: Promise<unknown> = Promise.resolve();
  for (const batch of batchesOf(postings)) {
    // The batch before leaves the process, so that PostgreSQL works on it while this one is made.
    await setImmediate();
    const statement = postToLedgers(batch, origin);
    await sent;
    sent = handled(db.query(statement));
  }
  await sent;
}

/** An organization occurs once in a batch: the database looks up the last entry of each account once for all of them. */
function* batchesOf(postings: readonly RunPosting[]): Generator<readonly RunPosting[]> {
  let batch: RunPosting[] = [];
  const orgIds = new Set<OrgId>();
  for (const posting of postings) {
    if (batch.length === postingsPerStatement || orgIds.has(posting.orgId)) {
      yield batch;
      batch = [];
      orgIds.clear();
    }
    batch.push(posting);
    orgIds.add(posting.orgId);
  }
  if (batch.length > 0) yield batch;
}

type BalanceRow = {
  readonly currency: Currency;
  readonly account: Account;
  readonly version: string;
  readonly balance_after: string;
};

/** The last entry of every account, by currency and name. */
export async function findBalances(db: Db, orgId: OrgId): Promise<AccountBalance[]> {
  const rows = await db.query<BalanceRow>(sql`
    with recursive account_names as (
      (select currency, account from ledger_entries where org_id = ${toUuid(orgId)}
        order by currency, account limit 1)
      union all
      select next.currency, next.account from account_names before, lateral (
        select currency, account from ledger_entries
         where org_id = ${toUuid(orgId)} and (currency, account) > (before.currency, before.account)
         order by currency, account limit 1
      ) next
    )
    select account_names.currency, account_names.account, last.version::text, last.balance_after
      from account_names, lateral (
        select version, balance_after from ledger_entries entry
         where entry.org_id = ${toUuid(orgId)} and entry.currency = account_names.currency
           and entry.account = account_names.account
         order by version desc limit 1
      ) last
     order by account_names.currency, account_names.account
  `);
  return rows.map(({ currency, account, version, balance_after }) => ({
    currency,
    account,
    version: BigInt(version),
    balance: readMicros(balance_after),
  }));
}

/** Zero if the account has no entry. Read it after `lockLedger` to decide on it. */
export async function findBalance(
  db: Db,
  orgId: OrgId,
  currency: Currency,
  account: Account,
): Promise<Micros> {
  const [row] = await db.query<Pick<BalanceRow, 'balance_after'>>(sql`
    select balance_after from ledger_entries
     where org_id = ${toUuid(orgId)} and currency = ${currency} and account = ${account}
     order by version desc limit 1
  `);
  return row === undefined ? toMicros(0n) : readMicros(row.balance_after);
}
