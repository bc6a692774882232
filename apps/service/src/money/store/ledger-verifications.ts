/** Reads the ledger to verify it, a bounded number of rows at a time, and stores how far it was verified. */

import type { Currency } from '../../kernel/currency.ts';
import { type Id, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import { formatMicros, type Micros } from '../../kernel/money.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { EntryProblem } from '../domain/ledger-verification.ts';
import type { Account, AccountBalance } from '../domain/ledger.ts';
import { readMicros } from './micros-column.ts';

/** Every organization that has a ledger. Row-level security shows an operator one organization at a time. */
export async function organizationsWithLedger(db: Db): Promise<OrgId[]> {
  const rows = await db.query<{ org_id: string }>(
    sql`select org_id from organizations_with_ledger() as org_id order by org_id`,
  );
  return rows.map(({ org_id }) => toWire('org', org_id));
}

export type VerifiedAccount = AccountBalance & {
  /** Whether its entry still has the balance that was verified. */
  readonly isUnchanged: boolean;
};

type VerifiedRow = {
  readonly currency: Currency;
  readonly account: Account;
  readonly version: string;
  readonly balance: string;
  readonly is_unchanged: boolean;
};

/** The last verification of each account. */
export async function findVerifiedAccounts(db: Db, orgId: OrgId): Promise<VerifiedAccount[]> {
  const rows = await db.query<VerifiedRow>(sql`
    select last.currency, last.account, last.version::text, last.balance,
           coalesce(entry.balance_after = last.balance, false) as is_unchanged
      from (select distinct on (currency, account) currency, account, version, balance
              from ledger_verifications where org_id = ${toUuid(orgId)}
             order by currency, account, version desc) last
      left join ledger_entries entry
        on entry.org_id = ${toUuid(orgId)} and entry.currency = last.currency
       and entry.account = last.account and entry.version = last.version
     order by last.currency, last.account
  `);
  return rows.map(({ currency, account, version, balance, is_unchanged }) => ({
    currency,
    account,
    version: BigInt(version),
    balance: readMicros(balance),
    isUnchanged: is_unchanged,
  }));
}

export type EntryRange = {
  readonly currency: Currency;
  readonly account: Account;
  /** The version and the balance of the entry before the range. */
  readonly after: bigint;
  readonly balance: Micros;
  readonly upTo: bigint;
};

export type CheckedEntries = {
  readonly count: number;
  /** Of the last entry that was read; undefined if there was none. */
  readonly last: { readonly version: bigint; readonly balance: Micros } | undefined;
  readonly broken: { readonly version: bigint; readonly problem: EntryProblem } | undefined;
};

type CheckedRow = {
  readonly count: number;
  readonly last_version: string | null;
  readonly last_balance: string | null;
  readonly broken_version: string | null;
  readonly broken_problem: EntryProblem | null;
};

/** The first entries of the range, with the transactions that they belong to. */
export async function checkEntries(
  db: Db,
  orgId: OrgId,
  { currency, account, after, balance, upTo }: EntryRange,
  rowsMax: number,
): Promise<CheckedEntries> {
  const org = toUuid(orgId);
  const [row] = await db.query<CheckedRow>(sql`
    with entries as materialized (
      select version, amount, balance_after, transaction_id,
             lag(version, 1, ${String(after)}::bigint) over by_version as previous_version,
             lag(balance_after, 1, ${formatMicros(balance)}::numeric(28, 6)) over by_version as previous_balance
        from (select version, amount, balance_after, transaction_id from ledger_entries
               where org_id = ${org} and currency = ${currency} and account = ${account}
                 and version > ${String(after)}::bigint and version <= ${String(upTo)}::bigint
               order by version limit ${rowsMax}) read
      window by_version as (order by version)
    ),
    checked as (
      select version, balance_after,
             case when version <> previous_version + 1 then 'version_is_missing'
                  when balance_after <> previous_balance + amount then 'balance_is_wrong'
                  when posted.is_balanced is not true then 'transaction_is_not_balanced'
             end as problem
        from entries
        left join lateral (
          select sum(entry_count) > 1 and bool_and(total = 0)
                 and exists (select from ledger_transactions transaction
                              where transaction.org_id = ${org} and transaction.id = entries.transaction_id) as is_balanced
            from (select count(*) as entry_count, sum(amount) as total from ledger_entries entry
                   where entry.org_id = ${org} and entry.transaction_id = entries.transaction_id
                   group by entry.currency) per_currency
        ) posted on true
    )
    select count(*)::int as count,
           max(version)::text as last_version,
           (array_agg(balance_after order by version desc))[1] as last_balance,
           (array_agg(version::text order by version) filter (where problem is not null))[1] as broken_version,
           (array_agg(problem order by version) filter (where problem is not null))[1] as broken_problem
      from checked
  `);
  if (row === undefined) throw new Error('the entries were not read');
  const { count, last_version, last_balance, broken_version, broken_problem } = row;
  return {
    count,
    last:
      last_version === null || last_balance === null
        ? undefined
        : { version: BigInt(last_version), balance: readMicros(last_balance) },
    broken:
      broken_version === null || broken_problem === null
        ? undefined
        : { version: BigInt(broken_version), problem: broken_problem },
  };
}

export type CheckedTransactions = {
  /** The last transaction that was read; undefined if there was none. */
  readonly last: Id<'ltx'> | undefined;
  /** The first transaction without an entry. */
  readonly empty: Id<'ltx'> | undefined;
};

/** The transactions after the given one, by their ids. */
export async function checkTransactions(
  db: Db,
  orgId: OrgId,
  after: Id<'ltx'> | undefined,
  rowsMax: number,
): Promise<CheckedTransactions> {
  const org = toUuid(orgId);
  const [row] = await db.query<{ last: string | null; empty: string | null }>(sql`
    with transactions as (
      select id from ledger_transactions
       where org_id = ${org} and (${after === undefined ? null : toUuid(after)}::uuid is null
                                  or id > ${after === undefined ? null : toUuid(after)}::uuid)
       order by id limit ${rowsMax}
    )
    select (select id from transactions order by id desc limit 1) as last,
           (select id from transactions
             where not exists (select from ledger_entries entry
                                where entry.org_id = ${org} and entry.transaction_id = transactions.id)
             order by id limit 1) as empty
  `);
  return { last: toId(row?.last), empty: toId(row?.empty) };
}

const toId = (uuid: string | null | undefined): Id<'ltx'> | undefined =>
  uuid === null || uuid === undefined ? undefined : toWire('ltx', uuid);

/** Another verification may have stored the same. */
export function insertVerifications(tx: Tx, accounts: readonly AccountBalance[]): void {
  const rows = accounts.map(({ currency, account, version, balance }) => ({
    currency,
    account,
    version: String(version),
    balance: formatMicros(balance),
  }));
  tx.write(sql`
    insert into ledger_verifications (org_id, currency, account, version, balance)
    select ${toUuid(tx.orgId)}::uuid, currency, account, version, balance
      from json_to_recordset(${json(rows)})
        as verified (currency text, account text, version bigint, balance numeric(28, 6))
        on conflict do nothing
  `);
}
