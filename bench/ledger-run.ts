/** A run: one statement of six entries for each organization, against one bare `insert … select` of the same rows. */

import type { OrgId } from '../apps/service/src/kernel/ids.ts';
import { toUuid } from '../apps/service/src/kernel/ids.ts';
import { toMicros } from '../apps/service/src/kernel/money.ts';
import type { Account } from '../apps/service/src/money/domain/ledger.ts';
import { postForAll } from '../apps/service/src/money/store/ledger.ts';
import type { RunPosting } from '../apps/service/src/money/store/posting-rows.ts';
import { createIds } from '../apps/service/src/platform/crypto/new-id.ts';
import { sql } from '../apps/service/src/platform/db/sql.ts';
import type { TestService } from '../apps/service/test/test-service.ts';
import type { Meter } from './ledger-meter.ts';

const newId = createIds({ now: () => new Date() });

/** What a statement of 100 EUR posts: zero in total. */
const entryUnits: Readonly<Partial<Record<Account, bigint>>> = {
  store_receivable: -100n,
  payable: 70n,
  held: 5n,
  fee_income: 15n,
  withholding_payable: 8n,
  fx_gain_loss: 2n,
};

const statementOf = (orgId: OrgId, run: number): RunPosting => ({
  orgId,
  key: `statement:${run}`,
  entries: (Object.keys(entryUnits) as Account[]).map((account) => ({
    account,
    currency: 'EUR',
    amount: toMicros((entryUnits[account] ?? 0n) * 1_000_000n),
  })),
});

const origin = { actor: { type: 'workflow', id: 'bench' }, newId } as const;

/** Statements per second. Each call is one more run over all organizations. */
export function openRuns(
  service: TestService,
  meter: Meter,
  orgIds: readonly OrgId[],
): () => Promise<number> {
  let runs = 0;
  return async () => {
    runs++;
    const postings = orgIds.map((orgId) => statementOf(orgId, runs));
    return meter.measure('run', orgIds.length, () =>
      service.workerDb.transactWithoutTenant((db) =>
        postForAll(db, postings, { ...origin, now: new Date() }),
      ),
    );
  };
}

/** As `openRuns`, with the rows of each run prepared in another table before its time begins. */
export async function openBareRuns(
  service: TestService,
  meter: Meter,
  orgIds: readonly OrgId[],
): Promise<() => Promise<number>> {
  await service.query(
    `create unlogged table prepared_transactions (like bare_transactions);
     create unlogged table prepared_entries (like bare_entries);
     grant select on prepared_transactions, prepared_entries to tonearm_worker`,
  );
  let runs = 0;
  return async () => {
    await prepareRun(service, orgIds, ++runs);
    return meter.measure('run_bare', orgIds.length, () =>
      service.workerDb.transactWithoutTenant(async (db) => {
        await Promise.all([
          db.query(sql`insert into bare_transactions select * from prepared_transactions`),
          db.query(sql`insert into bare_entries select * from prepared_entries`),
        ]);
      }),
    );
  };
}

async function prepareRun(
  service: TestService,
  orgIds: readonly OrgId[],
  run: number,
): Promise<void> {
  await service.query('truncate prepared_transactions, prepared_entries');
  await service.query(
    `insert into prepared_transactions (org_id, id, key, created_at, stored_at, actor_type, actor_id)
     select org_id, uuidv7(), 'statement:' || $2::int, now(), now(), 'workflow', 'bench'
       from unnest($1::uuid[]) org_id`,
    [orgIds.map(toUuid), run],
  );
  await service.query(
    `insert into prepared_entries (org_id, currency, account, version, transaction_id, amount, balance_after)
     select org_id, 'EUR', account, $3::int, id, amount, amount * $3::int
       from prepared_transactions, unnest($1::text[], $2::numeric[]) entry (account, amount)`,
    [Object.keys(entryUnits), Object.values(entryUnits).map(String), run],
  );
}
