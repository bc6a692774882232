/** `ledger verify` (ADR 0035): it finds what someone with the rights of the owner changed, and reads only what is new. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import type { Json } from './delivery-fixture.ts';
import { adjust, entry, holdEarnings, postAll } from './ledger-fixture.ts';
import { openTestService, type OrgClient, type TestService } from './test-service.ts';

describe('ledger verify', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T09:00:00Z' });
  });
  after(() => service.close());

  const uuidOf = ({ orgId }: Pick<OrgClient, 'orgId'>): string => toUuid(orgId as Id<'org'>);
  const verify = (caller: OrgClient, ...flags: string[]): Promise<Json> =>
    service.admin('ledger', 'verify', '--org', caller.orgId, ...flags);
  const verifyAll = (...flags: string[]): Promise<Json> =>
    service.admin('ledger', 'verify', ...flags);

  /** Three adjustments: the third was made after the first two were verified. */
  const givenLedger = async (): Promise<OrgClient> => {
    const caller = await service.givenOrganization();
    await adjust(service, caller, '100');
    await adjust(service, caller, '20');
    assert.equal((await verify(caller)).intact, true);
    await adjust(service, caller, '7');
    return caller;
  };

  test('reads each entry once, and everything from the start', async () => {
    const caller = await service.givenOrganization();
    const counts = async (...flags: string[]) => {
      const { intact, entries_checked, first_broken } = await verify(caller, ...flags);
      assert.deepEqual([intact, first_broken], [true, null]);
      return entries_checked;
    };
    assert.equal(await counts(), 0, 'there is none');
    await adjust(service, caller, '100', { fee: '15', tax: '5' });
    assert.equal(await counts(), 4);
    assert.equal(await counts(), 0);
    await holdEarnings(service, caller, '10');
    assert.equal(await counts(), 2);
    assert.equal(await counts('--from', 'start'), 6);
    assert.equal(await counts(), 0);
    const rows = await service.query(
      `select account, version, balance from ledger_verifications
        where org_id = $1 and account in ('payable', 'fee_income') order by account, version`,
      [uuidOf(caller)],
    );
    assert.deepEqual(rows, [
      { account: 'fee_income', version: '1', balance: '15.000000' },
      { account: 'payable', version: '1', balance: '80.000000' },
      { account: 'payable', version: '2', balance: '70.000000' },
    ]);
  });

  test('reads many entries in several statements', async () => {
    const caller = await service.givenOrganization();
    await service.query(
      `begin;
       select set_config('app.org_id', '${uuidOf(caller)}', true);
       insert into ledger_transactions (org_id, id, key, created_at, actor_type, actor_id)
       select '${uuidOf(caller)}', md5(i::text)::uuid, i::text, now(), 'workflow', 'test' from generate_series(1, 20500) i;
       insert into ledger_entries (org_id, currency, account, version, transaction_id, amount, balance_after)
       select '${uuidOf(caller)}', 'EUR', account, i, md5(i::text)::uuid, sign, i * sign
         from generate_series(1, 20500) i, (values ('payable', 1), ('cash', -1)) as accounts (account, sign);
       commit`,
    );
    const { intact, entries_checked } = await verify(caller);
    assert.deepEqual([intact, entries_checked], [true, 41_000]);
    await service.query(
      `update ledger_entries set balance_after = balance_after + 1
        where org_id = $1 and account = 'payable' and version = 20200`,
      [uuidOf(caller)],
    );
    const { first_broken } = await verify(caller, '--from', 'start');
    assert.deepEqual(first_broken, {
      problem: 'balance_is_wrong',
      currency: 'EUR',
      account: 'payable',
      version: '20200',
    });
  });

  /** As the owner of the tables, whom nothing refuses. `$1` is the organization. */
  const changes: readonly [
    what: string,
    statement: (version: number) => string,
    problemOfNew: string,
    problemOfOld: string,
  ][] = [
    [
      'an amount was changed',
      (version) =>
        `update ledger_entries set amount = amount + 1 where org_id = $1 and account = 'payable' and version = ${version}`,
      'balance_is_wrong',
      'balance_is_wrong',
    ],
    [
      'a balance was changed',
      (version) =>
        `update ledger_entries set balance_after = balance_after + 1 where org_id = $1 and account = 'payable' and version = ${version}`,
      'balance_is_wrong',
      'balance_is_wrong',
    ],
    [
      'an entry was deleted',
      (version) =>
        `delete from ledger_entries where org_id = $1 and account = 'payable' and version = ${version}`,
      'transaction_is_not_balanced',
      'version_is_missing',
    ],
    [
      'an amount and the balances after it were changed',
      (version) =>
        `update ledger_entries set balance_after = balance_after + 1,
                amount = amount + case when version = ${version} then 1 else 0 end
          where org_id = $1 and account = 'payable' and version >= ${version}`,
      'transaction_is_not_balanced',
      'verified_entry_changed',
    ],
    [
      'a transaction was deleted',
      (version) =>
        `delete from ledger_transactions where org_id = $1 and id =
           (select transaction_id from ledger_entries
             where org_id = $1 and account = 'payable' and version = ${version})`,
      'transaction_is_not_balanced',
      'transaction_is_not_balanced',
    ],
  ];
  for (const [what, statement, problemOfNew, problemOfOld] of changes) {
    test(`finds that ${what} after the last verification, from there and from the start`, async () => {
      const caller = await givenLedger();
      await service.query(statement(3), [uuidOf(caller)]);
      for (const flags of [[], ['--from', 'start'], []]) {
        const { intact, first_broken } = await verify(caller, ...flags);
        assert.deepEqual([intact, first_broken.problem], [false, problemOfNew]);
      }
    });

    test(`finds that ${what} before the last verification, from the start`, async () => {
      const caller = await givenLedger();
      await service.query(statement(1), [uuidOf(caller)]);
      const { intact, first_broken } = await verify(caller, '--from', 'start');
      assert.deepEqual([intact, first_broken.problem], [false, problemOfOld]);
    });
  }

  test('does not read an entry again that it has verified: that needs a verification from the start', async () => {
    const caller = await givenLedger();
    await service.query(
      `update ledger_entries set amount = amount + 1 where org_id = $1 and account = 'payable' and version = 1`,
      [uuidOf(caller)],
    );
    const { intact, entries_checked } = await verify(caller);
    assert.deepEqual([intact, entries_checked], [true, 2]);
    assert.equal((await verify(caller, '--from', 'start')).intact, false);
  });

  test('finds an added entry, whether it belongs to a transaction or not', async () => {
    for (const transaction of [
      `(select transaction_id from ledger_entries where org_id = $1 and account = 'payable' and version = 1)`,
      'gen_random_uuid()',
    ]) {
      const caller = await givenLedger();
      const statement = `
        insert into ledger_entries (org_id, currency, account, version, transaction_id, amount, balance_after)
        values ($1, 'EUR', 'suspense', 1, ${transaction}, 5, 5)`;
      await service.query(statement, [uuidOf(caller)]);
      for (const flags of [[], ['--from', 'start']]) {
        const { intact, first_broken } = await verify(caller, ...flags);
        assert.equal(intact, false);
        assert.equal(first_broken.problem, 'transaction_is_not_balanced');
      }
    }
  });

  test('finds that all entries of a verified transaction were deleted, and of a newer one from the start', async () => {
    for (const [version, flags, problem] of [
      [2, [], 'verified_entry_changed'],
      [3, ['--from', 'start'], 'entries_are_missing'],
    ] as const) {
      const caller = await givenLedger();
      await service.query(
        `delete from ledger_entries where org_id = $1 and transaction_id in
           (select transaction_id from ledger_entries
             where org_id = $1 and account = 'payable' and version >= ${version})`,
        [uuidOf(caller)],
      );
      const { intact, first_broken } = await verify(caller, ...flags);
      assert.deepEqual([intact, first_broken.problem], [false, problem]);
    }
  });

  test('without --org it verifies every organization, also one without a credential, and the total of clearing', async () => {
    const others = await openTestService({ now: '2026-11-16T09:00:00Z' });
    try {
      const one = await others.givenOrganization();
      const { id: orgId = '' } = await others.admin(
        'org',
        'create',
        '--name=House',
        '--tier=growth',
      );
      const house = { orgId };
      await adjust(others, one, '10');
      await adjust(others, house, '10');
      const all = async (): Promise<Json> => others.admin('ledger', 'verify');
      const { organizations, wrong_totals } = await all();
      assert.deepEqual(
        organizations.map(({ org_id, intact, entries_checked }: Json) => [
          org_id,
          intact,
          entries_checked,
        ]),
        [one.orgId, orgId].toSorted().map((id) => [id, true, 2]),
      );
      assert.deepEqual(wrong_totals, {});
      const given = { key: 'given', entries: [entry('suspense', '-4'), entry('clearing', '4')] };
      await postAll(others, house, [given]);
      assert.deepEqual((await all()).wrong_totals, { 'clearing EUR': '4.000000' });
      const taken = { key: 'taken', entries: [entry('clearing', '-4'), entry('payable', '4')] };
      await postAll(others, one, [taken]);
      assert.deepEqual((await all()).wrong_totals, {});
    } finally {
      await others.close();
    }
  });

  test('refuses an unknown organization and another start', async () => {
    const unknown = { orgId: 'org_01h455vb4pex5vsknk084sn02q' } as OrgClient;
    await assert.rejects(verify(unknown), /no organization/);
    await assert.rejects(verifyAll('--from', 'yesterday'), /--from must be one of: start/);
  });
});
