/** Puts money into the ledger of an organization, with the operator's commands or with postings of its own. */

import { type Id, type OrgId, toUuid } from '../src/kernel/ids.ts';
import { parseMicros } from '../src/kernel/money.ts';
import type { Account, Entry, Posting } from '../src/money/domain/ledger.ts';
import { post } from '../src/money/store/ledger.ts';
import type { Json } from './delivery-fixture.ts';
import type { OrgClient, TestService } from './test-service.ts';

type Service = Pick<TestService, 'admin' | 'db' | 'query'>;
type Owner = Pick<OrgClient, 'orgId'>;

const flagsOf = (fields: Readonly<Record<string, string>>): string[] =>
  Object.entries(fields).map(([name, value]) => `--${name}=${value}`);

/** `amount` is the gross amount; fields are flags of the command. */
export const adjust = (
  { admin }: Service,
  { orgId }: Owner,
  amount: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Json> =>
  admin(
    'adjustments',
    'create',
    ...flagsOf({ org: orgId, type: 'manual', currency: 'EUR', amount, reason: 'Test', ...fields }),
  );

export const holdEarnings = (
  { admin }: Service,
  { orgId }: Owner,
  amount: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Json> =>
  admin(
    'earnings',
    'hold',
    ...flagsOf({ org: orgId, currency: 'EUR', amount, reason: 'store_dispute', ...fields }),
  );

export const settleEarnings = (
  { admin }: Service,
  { orgId }: Owner,
  verb: 'release' | 'forfeit',
  hold: string,
): Promise<Json> => admin('earnings', verb, '--org', orgId, '--hold', hold);

export const entry = (account: Account, amount: string, currency: 'EUR' | 'USD' = 'EUR'): Entry => {
  const micros = parseMicros(amount);
  if (micros === undefined) throw new TypeError(`not an amount: ${amount}`);
  return { account, currency, amount: micros };
};

export const postAll = (
  { db }: Service,
  { orgId }: Owner,
  postings: readonly Posting[],
): Promise<void> =>
  db.transact({ orgId: orgId as OrgId, actor: { type: 'workflow', id: 'test' } }, async (tx) =>
    post(tx, postings),
  );

export type EntryRow = {
  readonly currency: string;
  readonly account: string;
  readonly version: string;
  readonly amount: string;
  readonly balance_after: string;
};

export const entriesOf = ({ query }: Service, { orgId }: Owner): Promise<EntryRow[]> =>
  query(
    `select currency, account, version, amount, balance_after from ledger_entries
      where org_id = $1 order by currency, account, version`,
    [toUuid(orgId as Id<'org'>)],
  );
