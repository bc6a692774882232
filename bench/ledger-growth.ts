/** Fills the ledger with old postings of two entries, as a posting leaves them. */

import type { OrgId } from '../apps/service/src/kernel/ids.ts';
import { toUuid } from '../apps/service/src/kernel/ids.ts';
import type { TestService } from '../apps/service/test/test-service.ts';

/** Every organization has the same number of postings. Triggers are off: they would take an hour. */
export async function fillLedger(
  service: TestService,
  orgIds: readonly OrgId[],
  entries: number,
): Promise<void> {
  await service.query('create table filled_organizations (org_id uuid primary key)');
  await service.query('insert into filled_organizations select unnest($1::uuid[])', [
    orgIds.map(toUuid),
  ]);
  const postingsEach = Math.ceil(entries / 2 / orgIds.length);
  const postings = `filled_organizations, generate_series(1, ${postingsEach}) n`;
  const id = `lpad(to_hex(n), 32, '0')::uuid`;
  await service.query(
    `set local session_replication_role = replica;
     insert into ledger_transactions (org_id, id, key, created_at, actor_type, actor_id)
     select org_id, ${id}, 'filling:' || n, now(), 'workflow', 'bench' from ${postings};
     insert into ledger_entries (org_id, currency, account, version, transaction_id, amount, balance_after)
     select org_id, 'EUR', account, n, ${id}, amount, amount * n
       from ${postings}, (values ('store_receivable', -1), ('payable', 1)) entry (account, amount)`,
  );
  await service.query('vacuum analyze ledger_transactions, ledger_entries');
}
