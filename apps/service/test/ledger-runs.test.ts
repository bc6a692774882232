/** A run posts the statements of many organizations in a few statements, while others post for one. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { OrgId } from '../src/kernel/ids.ts';
import { toMicros } from '../src/kernel/money.ts';
import { transfer } from '../src/money/domain/ledger.ts';
import { post, postForAll } from '../src/money/store/ledger.ts';
import type { RunPosting } from '../src/money/store/posting-rows.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import type { Database } from '../src/platform/db/database.ts';
import { openTestService, type TestService } from './test-service.ts';

const organizationsOfRun = 500;
const postingsOfRun = 2_000;
const singlePostings = 50;
const uniqueViolation = '23505';
const insufficientPrivilege = '42501';

describe('a run posts for many organizations', () => {
  let service: TestService;
  let orgIds: readonly OrgId[];
  const newId = createIds({ now: () => new Date() });
  const actor = { type: 'workflow', id: 'royalty-runs' } as const;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T09:00:00Z' });
    orgIds = Array.from({ length: organizationsOfRun }, () => newId('org'));
  });
  after(() => service.close());

  /** Earnings of 1.000001, 2.000001 … for one organization after the other. */
  const statements = (count: number, prefix: string): RunPosting[] =>
    Array.from({ length: count }, (_, i) => ({
      orgId: orgIds[i % orgIds.length] as OrgId,
      key: `${prefix}:${i}`,
      entries: transfer(
        { amount: toMicros(BigInt(i + 1) * 1_000_000n + 1n), currency: 'EUR' },
        'store_receivable',
        'payable',
      ),
    }));

  const run = (db: Database, postings: readonly RunPosting[]): Promise<void> =>
    db.transactWithoutTenant((tx) =>
      postForAll(tx, postings, { actor, newId, now: service.clock.now() }),
    );

  const postSingly = (i: number): Promise<void> =>
    service.db.transact(
      { orgId: orgIds[i % orgIds.length] as OrgId, actor: { type: 'api_key', id: 'key_test' } },
      async (tx) => post(tx, statements(i + 1, 'single').slice(-1)),
    );

  const countPostings = async (): Promise<number> =>
    (await service.query('select count(*)::int as count from ledger_transactions'))[0].count;

  async function assertLedgerIsSound(): Promise<void> {
    assert.deepEqual(
      await service.query(
        `select org_id, transaction_id from ledger_entries
          group by org_id, transaction_id, currency having sum(amount) <> 0`,
      ),
      [],
    );
    assert.deepEqual(
      await service.query(
        `select * from (
           select *, row_number() over account_order as expected_version,
                  sum(amount) over account_order as expected_balance
             from ledger_entries
           window account_order as (partition by org_id, currency, account order by version)
         ) entries where version <> expected_version or balance_after <> expected_balance`,
      ),
      [],
    );
  }

  test('beside postings of single organizations: versions have no gap, every transaction is zero', async () => {
    await Promise.all([
      run(service.workerDb, statements(postingsOfRun, 'run')),
      ...Array.from({ length: singlePostings }, (_, i) => postSingly(i)),
    ]);
    assert.equal(await countPostings(), postingsOfRun + singlePostings);
    await assertLedgerIsSound();
    const [longest] = await service.query(
      `select max(version)::int as version from ledger_entries`,
    );
    assert.equal(longest.version, postingsOfRun / organizationsOfRun + 1);
  });

  test('two runs at once post one after the other', async () => {
    const postingsBefore = await countPostings();
    await Promise.all([
      run(service.workerDb, statements(1_500, 'first')),
      run(service.workerDb, statements(1_500, 'second')),
    ]);
    assert.equal(await countPostings(), postingsBefore + 3_000);
    await assertLedgerIsSound();
  });

  test('a repeated key fails the whole run, which leaves no trace', async () => {
    const postingsBefore = await countPostings();
    const repeated = [...statements(1_200, 'again'), ...statements(1, 'again')];
    await assert.rejects(run(service.workerDb, repeated), { code: uniqueViolation });
    assert.equal(await countPostings(), postingsBefore);
    await assertLedgerIsSound();
  });

  test('an unbalanced posting is refused before anything is sent', async () => {
    const postingsBefore = await countPostings();
    const [balanced, other] = statements(2, 'unbalanced');
    assert.ok(balanced !== undefined && other !== undefined);
    const unbalanced = { ...other, entries: other.entries.slice(1) };
    await assert.rejects(run(service.workerDb, [balanced, unbalanced]), RangeError);
    assert.equal(await countPostings(), postingsBefore);
  });

  test('the api cannot post for another organization, with or without one of its own', async () => {
    const postingsBefore = await countPostings();
    const [mine, theirs] = statements(2, 'foreign');
    assert.ok(mine !== undefined && theirs !== undefined);
    await assert.rejects(run(service.db, [mine, theirs]), { code: insufficientPrivilege });
    await assert.rejects(
      service.db.transact({ orgId: mine.orgId, actor: { type: 'api_key', id: 'key_test' } }, (tx) =>
        postForAll(tx, [mine, theirs], tx),
      ),
      { code: insufficientPrivilege },
    );
    assert.equal(await countPostings(), postingsBefore);
  });
});
