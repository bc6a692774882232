/** Transactions that post one transfer, and bare ones that insert the same rows into the same tables without triggers. */

import type { OrgId } from '../apps/service/src/kernel/ids.ts';
import { toUuid } from '../apps/service/src/kernel/ids.ts';
import { toMicros } from '../apps/service/src/kernel/money.ts';
import { transfer } from '../apps/service/src/money/domain/ledger.ts';
import { post } from '../apps/service/src/money/store/ledger.ts';
import { createIds } from '../apps/service/src/platform/crypto/new-id.ts';
import type { Tx } from '../apps/service/src/platform/db/database.ts';
import { sql } from '../apps/service/src/platform/db/sql.ts';
import { runConcurrently } from '../apps/service/test/proofs/client.ts';
import type { TestService } from '../apps/service/test/test-service.ts';

const newId = createIds({ now: () => new Date() });

/** They have no row in `organizations`: the ledger does not refer to one. */
export const makeOrgIds = (count: number): OrgId[] =>
  Array.from({ length: count }, () => newId('org'));

const ownerOf = (orgId: OrgId) => ({ orgId, actor: { type: 'workflow', id: 'bench' } }) as const;

const amount = { amount: toMicros(1_000_000n), currency: 'EUR' } as const;

let postings = 0;

/** One transaction with one posting of two entries. */
export const postOne = (service: TestService, orgId: OrgId): Promise<void> =>
  service.db.transact(ownerOf(orgId), async (tx) =>
    post(tx, [
      { key: `bench:${++postings}`, entries: transfer(amount, 'store_receivable', 'payable') },
    ]),
  );

/** The same columns, checks and indexes, without triggers and row-level security. */
export async function createBareTables(service: TestService): Promise<void> {
  for (const table of ['transactions', 'entries']) {
    await service.query(`create table bare_${table} (like ledger_${table} including all)`);
    await service.query(`grant select, insert on bare_${table} to tonearm_app, tonearm_worker`);
  }
}

/** Versions and balances are counted here. */
export function openBareLedger(service: TestService): (orgId: OrgId) => Promise<void> {
  const versions = new Map<OrgId, number>();
  return (orgId) =>
    service.db.transact(ownerOf(orgId), async (tx) => {
      const version = (versions.get(orgId) ?? 0) + 1;
      versions.set(orgId, version);
      insertBare(tx, version);
    });
}

function insertBare(tx: Tx, version: number): void {
  const orgId = toUuid(tx.orgId);
  const id = toUuid(tx.newId('ltx'));
  tx.write(sql`
    insert into bare_transactions (org_id, id, key, created_at, actor_type, actor_id)
    values (${orgId}, ${id}, ${`bench:${++postings}`}, ${tx.now}, ${tx.actor.type}, ${tx.actor.id})
  `);
  tx.write(sql`
    insert into bare_entries (org_id, currency, account, version, transaction_id, amount, balance_after)
    values (${orgId}, 'EUR', 'store_receivable', ${version}, ${id}, '-1.000000', ${-version}),
           (${orgId}, 'EUR', 'payable', ${version}, ${id}, '1.000000', ${version})
  `);
}

/** Runs `work` this many times on all connections; each loop takes the next organization. */
export async function repeat(
  orgIds: readonly OrgId[],
  { count, connections }: { readonly count: number; readonly connections: number },
  work: (orgId: OrgId) => Promise<void>,
): Promise<void> {
  let next = 0;
  await runConcurrently(connections, async () => {
    if (next >= count) return false;
    await work(orgIds[next++ % orgIds.length] as OrgId);
    return true;
  });
}
