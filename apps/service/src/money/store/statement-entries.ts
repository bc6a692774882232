/** The entries that a published statement counts. They are between two versions of each account, and never change. */

import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Micros } from '../../kernel/money.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { Db } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import {
  type EntryRange,
  type OwnAccount,
  ownAccounts,
  type StatementEntry,
  type StatementMovement,
} from '../domain/statement-entry.ts';
import { readMicros } from './micros-column.ts';

type EntryRow = {
  readonly account: OwnAccount;
  readonly version: string;
  readonly key: string;
  readonly amount: string;
  readonly balance_after: string;
  readonly created_at: Date;
};

/** By account and version. */
export async function listStatementEntries(
  db: Db,
  orgId: OrgId,
  { currency, opening, closing }: EntryRange,
  { limit, after }: PageRequest,
): Promise<Page<StatementEntry>> {
  const left = ownAccounts.filter((account) => after === undefined || account >= after.at);
  const from = left.map((account) => (account === after?.at ? after.id : opening[account]));
  const rows = await db.query<EntryRow>(sql`
    select entry.account, entry.version::text, posting.key, entry.amount, entry.balance_after, posting.created_at
      from unnest(${left}::text[], ${from}::bigint[], ${left.map((account) => closing[account])}::bigint[])
             as part (account, after_version, last_version)
     cross join lateral (
       select account, version, transaction_id, amount, balance_after from ledger_entries
        where org_id = ${toUuid(orgId)} and currency = ${currency} and account = part.account
          and version > part.after_version and version <= part.last_version
        order by version limit ${limit + 1}
     ) entry
      join ledger_transactions posting on posting.org_id = ${toUuid(orgId)} and posting.id = entry.transaction_id
     order by entry.account, entry.version
     limit ${limit + 1}
  `);
  return toPage(rows, limit, {
    item: ({ account, version, key, amount, balance_after, created_at }) => ({
      account,
      version,
      cause: key,
      amount: readMicros(amount),
      balanceAfter: readMicros(balance_after),
      createdAt: created_at,
    }),
    position: ({ account, version }) => ({ at: account, id: version }),
  });
}

type MovementRow = {
  readonly account: OwnAccount;
  readonly cause_type: string;
  readonly entry_count: number;
  readonly amount: string;
};

/** Sums by account and type of cause: few, however many entries there are. */
export async function sumStatementEntries(
  db: Db,
  orgId: OrgId,
  { currency, opening, closing }: EntryRange,
): Promise<StatementMovement[]> {
  const rows = await db.query<MovementRow>(sql`
    select entry.account, split_part(posting.key, ':', 1) as cause_type, count(*)::integer as entry_count,
           sum(entry.amount) as amount
      from unnest(${ownAccounts}::text[], ${ownAccounts.map((account) => opening[account])}::bigint[],
                  ${ownAccounts.map((account) => closing[account])}::bigint[])
             as part (account, after_version, last_version)
      join ledger_entries entry on entry.org_id = ${toUuid(orgId)} and entry.currency = ${currency}
       and entry.account = part.account and entry.version > part.after_version and entry.version <= part.last_version
      join ledger_transactions posting on posting.org_id = entry.org_id and posting.id = entry.transaction_id
     group by 1, 2
     order by 1, 2
  `);
  return rows.map(({ account, cause_type, entry_count, amount }) => ({
    account,
    causeType: cause_type,
    entryCount: entry_count,
    amount: readMicros(amount),
  }));
}

type Versions = Readonly<Record<OwnAccount, string>>;

/** The balance of each account after the entry with this version; zero without an entry. */
export async function findBalancesAt(
  db: Db,
  orgId: OrgId,
  currency: string,
  versions: Versions,
): Promise<Readonly<Record<OwnAccount, Micros>>> {
  const rows = await db.query<{ account: OwnAccount; balance: string }>(sql`
    select at.account, coalesce(entry.balance_after, 0) as balance
      from unnest(${ownAccounts}::text[], ${ownAccounts.map((account) => versions[account])}::bigint[])
             as at (account, version)
      left join ledger_entries entry on entry.org_id = ${toUuid(orgId)} and entry.currency = ${currency}
       and entry.account = at.account and entry.version = at.version
  `);
  const of = (account: OwnAccount) =>
    readMicros(rows.find((row) => row.account === account)?.balance ?? '0');
  return { held: of('held'), payable: of('payable'), payout_reserved: of('payout_reserved') };
}
