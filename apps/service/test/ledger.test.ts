/** The ledger in the database (ADR 0035): what it refuses, whoever asks, and postings at the same time. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import { adjust, entriesOf, entry, postAll } from './ledger-fixture.ts';
import { databaseUrl, openTestService, type OrgClient, type TestService } from './test-service.ts';

const runtimeRoles = [
  'tonearm_app',
  'tonearm_directory',
  'tonearm_operator',
  'tonearm_relay',
  'tonearm_worker',
];

describe('the ledger', () => {
  let service: TestService;
  let partner: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T09:00:00Z' });
    partner = await service.givenOrganization();
    await adjust(service, partner, '100');
  });
  after(() => service.close());

  const uuidOf = ({ orgId }: OrgClient): string => toUuid(orgId as Id<'org'>);

  /** In one transaction of the partner's organization. */
  const runAs = async (role: string, ...statements: readonly string[]): Promise<string> => {
    const client = new pg.Client(databaseUrl(service.database, role));
    await client.connect();
    try {
      await client.query(`begin; select set_config('app.org_id', '${uuidOf(partner)}', true)`);
      for (const statement of [...statements, 'commit']) await client.query(statement);
      return 'done';
    } catch (error) {
      return error instanceof Error ? error.message : 'failed';
    } finally {
      await client.end();
    }
  };

  for (const role of runtimeRoles) {
    test(`${role} cannot insert, update, delete or truncate it`, async () => {
      const existing = await entriesOf(service, partner);
      for (const statement of [
        `insert into ledger_transactions (org_id, id, key, created_at, actor_type, actor_id)
         values ('${uuidOf(partner)}', '${randomUUID()}', 'test', now(), 'workflow', 'test')`,
        `insert into ledger_entries (org_id, currency, account, version, transaction_id, amount, balance_after)
         select org_id, 'EUR', 'cash', 1, id, 1, 1 from ledger_transactions`,
        `select insert_postings(
           '{${uuidOf(partner)}}', '{${randomUUID()}}', '{test}', now(), 'workflow', 'test',
           '{1,1}', '{EUR,EUR}', '{cash,payable}', '{1,-1}')`,
        'update ledger_transactions set key = key',
        'update ledger_entries set amount = amount',
        'update ledger_entries set balance_after = 0',
        'delete from ledger_transactions',
        'delete from ledger_entries',
        'truncate ledger_transactions',
        'truncate ledger_entries',
        'truncate ledger_entries, ledger_transactions',
        'alter table ledger_entries disable trigger all',
        'set session_replication_role = replica',
      ]) {
        assert.match(await runAs(role, statement), /permission denied|must be owner/, statement);
      }
      assert.deepEqual(await entriesOf(service, partner), existing);
    });
  }

  type NewEntry = readonly [account: string, amount: string, currency?: string];
  const callPostToLedger = (entries: readonly NewEntry[]) => {
    const id = randomUUID();
    const arrays = [
      entries.map(([, , currency = 'USD']) => currency),
      entries.map(([account]) => account),
      entries.map(([, amount]) => amount),
    ].map((values) => `'{${values.join(',')}}'`);
    return `select post_to_ledger('${id}', 'test:${id}', now(), 'workflow', 'test', ${arrays.join(', ')})`;
  };

  const refused: readonly [what: string, entries: readonly NewEntry[], message: RegExp][] = [
    [
      'that is not zero in total',
      [
        ['payable', '5'],
        ['cash', '-4'],
      ],
      /is not balanced/,
    ],
    [
      'that is zero in total, but not in each currency',
      [
        ['payable', '5', 'USD'],
        ['payable', '-5', 'GBP'],
      ],
      /is not balanced/,
    ],
    ['with one entry', [['payable', '5']], /is not balanced/],
    ['without entries', [], /is not balanced/],
    [
      'with entries of zero',
      [
        ['payable', '0'],
        ['cash', '0'],
      ],
      /violates check constraint/,
    ],
    [
      'with an unknown account',
      [
        ['pocket', '5'],
        ['cash', '-5'],
      ],
      /violates check constraint/,
    ],
    [
      'with an account twice',
      [
        ['payable', '5'],
        ['payable', '-5'],
      ],
      /duplicate key/,
    ],
    [
      'with an entry that has no amount',
      [
        ['payable', '5'],
        ['cash', 'null'],
      ],
      /violates not-null constraint/,
    ],
  ];
  for (const [what, entries, message] of refused) {
    test(`refuses a posting ${what}, and nothing of it is left`, async () => {
      const existing = await service.query('select count(*)::int as n from ledger_transactions');
      for (const role of ['tonearm_worker', 'tonearm_operator', 'tonearm_app']) {
        assert.match(await runAs(role, callPostToLedger(entries)), message);
      }
      assert.deepEqual(
        await service.query('select count(*)::int as n from ledger_transactions'),
        existing,
      );
    });
  }

  test('accepts a posting that is right: two currencies, each zero in total', async () => {
    const posting = callPostToLedger([
      ['payable', '5'],
      ['cash', '-5'],
      ['fx_clearing', '7', 'GBP'],
      ['cash', '-7', 'GBP'],
    ]);
    assert.equal(await runAs('tonearm_worker', posting), 'done');
    for (const role of ['tonearm_relay', 'tonearm_directory']) {
      assert.match(await runAs(role, posting), /permission denied/);
    }
  });

  test('only the worker posts for many organizations', async () => {
    const posting = `select post_to_ledgers(
      '{${uuidOf(partner)}}', '{${randomUUID()}}', '{test}', now(), 'workflow', 'test',
      '{1,1}', '{USD,USD}', '{cash,payable}', '{1,-1}')`;
    for (const role of runtimeRoles.filter((each) => each !== 'tonearm_worker')) {
      assert.match(await runAs(role, posting), /permission denied/);
    }
  });

  test('a transaction without an organization posts to none', async () => {
    const posting = callPostToLedger([
      ['payable', '5'],
      ['cash', '-5'],
    ]);
    const withoutOrganization = `select set_config('app.org_id', '', true)`;
    assert.match(
      await runAs('tonearm_app', withoutOrganization, posting),
      /violates not-null constraint/,
    );
  });

  test('a cause is posted once', async () => {
    const caller = await service.givenOrganization();
    const posting = { key: 'cause', entries: [entry('payable', '5'), entry('cash', '-5')] };
    await postAll(service, caller, [posting]);
    await assert.rejects(postAll(service, caller, [posting]), /ledger_transactions_key/);
    await assert.rejects(postAll(service, caller, [posting, posting]), /ledger_transactions_key/);
    assert.equal((await entriesOf(service, caller)).length, 2);
  });

  test('50 postings at the same time to one organization leave no gap, and each balance continues', async () => {
    const caller = await service.givenOrganization();
    const postingsAtOnce = 50;
    const results = await Promise.allSettled(
      Array.from({ length: postingsAtOnce }, (_, i) =>
        postAll(service, caller, [
          { key: `first ${i}`, entries: [entry('store_receivable', '-3'), entry('payable', '3')] },
          { key: `then ${i}`, entries: [entry('payable', '-1'), entry('held', '1')] },
        ]),
      ),
    );
    assert.deepEqual(
      results.filter(({ status }) => status === 'rejected'),
      [],
    );
    const entries = await entriesOf(service, caller);
    const payable = entries.filter(({ account }) => account === 'payable');
    assert.deepEqual(
      payable.map(({ version }) => Number(version)),
      Array.from({ length: 2 * postingsAtOnce }, (_, i) => i + 1),
    );
    assert.equal(payable.at(-1)?.balance_after, '100.000000');
    const verified: unknown = await service.admin('ledger', 'verify', '--org', caller.orgId);
    assert.deepEqual(verified, {
      org_id: caller.orgId,
      intact: true,
      entries_checked: 4 * postingsAtOnce,
      first_broken: null,
    });
  });
});
