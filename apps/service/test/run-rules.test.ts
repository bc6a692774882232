/** The rules of a run, as operators set them and the worker reads them (ADR 0038). */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { type Id, type OrgId, parseId, toUuid } from '../src/kernel/ids.ts';
import { formatFxRate } from '../src/kernel/money.ts';
import { systemOrgId } from '../src/kernel/system-organization.ts';
import { feeFor } from '../src/royalties/domain/fee-rules.ts';
import { readRunRules } from '../src/royalties/store/run-rules.ts';
import type { Json } from './delivery-fixture.ts';
import { databaseUrl, type OrgClient, openTestService, type TestService } from './test-service.ts';

const unknownSet = 'fxs_01h455vb4pex5vsknk084sn02q';

describe('the rules of a run', () => {
  let service: TestService;
  let partner: OrgClient;
  let storeId: string;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T12:00:00Z' });
    [storeId = ''] = (await run('stores', 'seed')).stores;
    partner = await service.givenOrganization();
  });
  after(() => service.close());

  const run = (...argv: readonly string[]): Promise<Json> => service.admin(...argv);
  const flagsOf = (fields: Readonly<Record<string, string>>): string[] =>
    Object.entries(fields).map(([name, value]) => `--${name}=${value}`);
  const setFee = (fields: Readonly<Record<string, string>>): Promise<Json> =>
    run(
      'fee-rules',
      'set',
      ...flagsOf({ org: partner.orgId, 'basis-points': '1500', from: '2026-01', ...fields }),
    );
  const setWithholding = (fields: Readonly<Record<string, string>>): Promise<Json> =>
    run(
      'withholding-rules',
      'set',
      ...flagsOf({
        source: 'US',
        income: 'royalty',
        'basis-points': '3000',
        from: '2026-01',
        ...fields,
      }),
    );
  const createSet = (...flags: readonly string[]): Promise<Json> =>
    run('fx-rate-sets', 'create', ...flags);
  const read = (orgs: readonly string[], set = unknownSet) =>
    service.workerDb.readTogether(systemOrgId, (db) =>
      readRunRules(db, orgs as readonly OrgId[], parseId('fxs', set) ?? unknownSet),
    );

  describe('fees', () => {
    test('the rule of a partner applies before the platform’s, and the worker reads both', async () => {
      const other = await service.givenOrganization();
      await setFee({ org: 'platform', 'basis-points': '2000', from: '2025-01' });
      await setFee({ from: '2026-03', to: '2026-05' });
      await setFee({ store: storeId, 'use-type': 'ugc', 'basis-points': '500' });
      const { feeRules } = await read([partner.orgId, other.orgId]);
      const feeOf = (org: string, useType: 'ugc' | 'download', month: string) =>
        feeFor(
          feeRules.filter(({ orgId }) => orgId === org),
          storeId,
          useType,
          month,
        );
      assert.deepEqual(
        ['2024-12', '2026-02', '2026-03', '2026-05', '2026-06'].map((month) =>
          feeOf(partner.orgId, 'download', month),
        ),
        [0, 2000, 1500, 1500, 2000],
      );
      assert.equal(feeOf(partner.orgId, 'ugc', '2026-04'), 500);
      assert.equal(feeOf(other.orgId, 'ugc', '2026-04'), 2000);
    });

    test('set replaces the rule that begins in the same month, and end sets its last month', async () => {
      const first = await setFee({ store: storeId, from: '2027-01' });
      const second = await setFee({ store: storeId, from: '2027-01', 'basis-points': '0' });
      assert.deepEqual([second.id, second.basis_points], [first.id, 0]);
      const end = (org: string, to: string) =>
        run('fee-rules', 'end', '--org', org, '--rule', first.id, '--to', to);
      assert.equal((await end(partner.orgId, '2027-01')).valid_to, '2027-01');
      await assert.rejects(end(partner.orgId, '2026-12'), /valid_to must not be before/);
      await assert.rejects(end('platform', '2027-02'), /There is no fee rule/);
      const { rules } = await run('fee-rules', 'list', '--org', partner.orgId);
      const listed = rules.find(({ id }: Json) => id === first.id);
      assert.deepEqual(listed, { ...second, valid_to: '2027-01' });
    });

    test('refusals leave no trace', async () => {
      const rows = () => service.query('select * from fee_rules order by id');
      const existing = await rows();
      for (const [fields, message] of [
        [{ 'basis-points': '10001' }, /0 to 10000/],
        [{ 'basis-points': '-1' }, /0 to 10000/],
        [{ 'basis-points': '1.5' }, /0 to 10000/],
        [{ from: '2026-13' }, /--from must be a month/],
        [{ from: '2026-02', to: '2026-01' }, /valid_to must not be before/],
        [{ store: 'nostore' }, /No store/],
        [{ 'use-type': 'radio' }, /--use-type must be one of/],
        [{ org: 'platform', store: storeId }, /must not be sent for a rule of the platform/],
        [{ org: 'platform', 'use-type': 'ugc' }, /must not be sent for a rule of the platform/],
        [{ org: 'org_01h455vb4pex5vsknk084sn02q' }, /There is no organization/],
        [{ org: 'x' }, /org_… id/],
      ] as const) {
        await assert.rejects(setFee(fields), message);
      }
      assert.deepEqual(await rows(), existing);
      const edges = [await setFee({ 'basis-points': '0', from: '2030-01' })];
      edges.push(await setFee({ 'basis-points': '10000', from: '2030-02' }));
      assert.deepEqual(
        edges.map(({ basis_points }) => basis_points),
        [0, 10_000],
      );
    });
  });

  describe('withholding', () => {
    test('rules are listed, replaced by their first month, and read with the payees', async () => {
      const all = await setWithholding({});
      const treaty = await setWithholding({ payee: 'DE', form: 'valid', 'basis-points': '0' });
      const again = await setWithholding({ 'basis-points': '2900' });
      assert.deepEqual([again.id, again.basis_points], [all.id, 2900]);
      const { rules } = await run('withholding-rules', 'list');
      assert.deepEqual(rules, [again, treaty]);
      await partner.call('PATCH', '/v1/tax_profile', {
        residence: 'DE',
        form: 'w8bene',
        tin: '98-7654321',
        signed_on: '2026-01-05',
      });
      const other = await service.givenOrganization();
      const { payees, withholdingRules } = await read([partner.orgId, other.orgId]);
      assert.equal(withholdingRules.length, 2);
      const byOrg = new Map<string, object>(payees.map((payee) => [payee.orgId, payee]));
      assert.deepEqual(byOrg.get(partner.orgId), {
        orgId: partner.orgId,
        statementCurrency: 'USD',
        residence: 'DE',
        form: 'w8bene',
        expiresOn: '2029-12-31',
      });
      assert.deepEqual(byOrg.get(other.orgId), {
        orgId: other.orgId,
        statementCurrency: 'USD',
        residence: null,
        form: null,
        expiresOn: null,
      });
    });

    test('refusals leave no trace', async () => {
      const rows = () => service.query('select * from withholding_rules order by id');
      const existing = await rows();
      for (const [fields, message] of [
        [{ source: 'UK' }, /Did you mean `GB`/],
        [{ payee: 'XX' }, /--payee must be an ISO 3166-1/],
        [{ income: 'gift' }, /--income must be one of/],
        [{ form: 'w9' }, /--form must be one of/],
        [{ 'basis-points': '10001' }, /0 to 10000/],
        [{ to: '2025-12' }, /valid_to must not be before/],
      ] as const) {
        await assert.rejects(setWithholding(fields), message);
      }
      assert.deepEqual(await rows(), existing);
    });
  });

  describe('sets of rates', () => {
    test('come from flags or from a file, and are shown, listed and read', async () => {
      const file = join(tmpdir(), `${randomUUID()}.csv`);
      await writeFile(file, 'EUR,USD,1.08\r\nJPY,USD,0.0065\n\n');
      const name = randomUUID();
      const ofFile = await createSet('--name', name, '--as-of', '2026-10-31', '--file', file);
      assert.deepEqual(ofFile.rates, { 'EUR/USD': '1.0800000000', 'JPY/USD': '0.0065000000' });
      const flags = ['--rate', 'EUR/USD=1.08', '--rate', 'KWD/USD=3.25'];
      const set = await createSet('--name', randomUUID(), '--as-of', '2026-11-30', ...flags);
      assert.deepEqual(await run('fx-rate-sets', 'show', '--set', set.id), set);
      const { sets } = await run('fx-rate-sets', 'list');
      const made = sets.filter((each: { readonly name: string }) => each.name !== 'sandbox');
      assert.deepEqual(made, [set, ofFile], 'and the set of the sandbox itself');
      const { fxRateSet } = await read([partner.orgId], set.id);
      assert.deepEqual(
        [...(fxRateSet?.rates ?? [])].map(([pair, rate]) => `${pair}=${formatFxRate(rate)}`),
        ['EUR/USD=1.0800000000', 'KWD/USD=3.2500000000'],
      );
      assert.equal((await read([])).fxRateSet, undefined);
    });

    test('refusals leave no trace', async () => {
      const taken = randomUUID();
      await createSet('--name', taken, '--as-of', '2026-01-31', '--rate', 'EUR/USD=1');
      const rows = () => service.query('select count(*)::int as n from fx_rate_sets');
      const existing = await rows();
      const name = ['--name', 'new'];
      const asOf = ['--as-of', '2026-01-31'];
      for (const [flags, message] of [
        [['--name', taken, ...asOf, '--rate', 'EUR/USD=2'], /There is a set with the name/],
        [[...name, ...asOf], /Send --file, or --rate/],
        [[...name, ...asOf, '--file', 'x', '--rate', 'EUR/USD=2'], /Send --file, or --rate/],
        [[...name, '--rate', 'EUR/USD=2'], /--as-of is required/],
        [[...asOf, '--rate', 'EUR/USD=2'], /--name is required/],
        [[...name, ...asOf, '--rate', 'EUR/USD=0'], /A rate must be/],
        [[...name, ...asOf, '--rate', 'EUR/USD=-1'], /A rate must be/],
        [[...name, ...asOf, '--rate', 'EUR/EUR=1'], /A rate must be/],
        [[...name, ...asOf, '--rate', 'EUR/XXX=1'], /A rate must be/],
        [[...name, ...asOf, '--rate', 'EUR/USD=1.00000000001'], /A rate must be/],
        [[...name, ...asOf, '--rate', 'EURUSD'], /A rate must be/],
        [[...name, ...asOf, '--rate', 'EUR/USD=1', '--rate', 'EUR/USD=2'], /must be sent once/],
      ] as const) {
        await assert.rejects(createSet(...flags), message);
      }
      await assert.rejects(run('fx-rate-sets', 'show', '--set', unknownSet), /There is no set/);
      assert.deepEqual(await rows(), existing);
    });

    test('no role may change a set', async () => {
      for (const role of ['tonearm_operator', 'tonearm_worker', 'tonearm_app']) {
        for (const statement of [
          `update fx_rate_sets set rates = '{}'`,
          'delete from fx_rate_sets',
        ]) {
          assert.match(await runAs(role, statement), /permission denied/, `${role} ${statement}`);
        }
      }
    });
  });

  const runAs = async (role: string, statement: string): Promise<string> => {
    const client = new pg.Client(databaseUrl(service.database, role));
    await client.connect();
    try {
      await client.query(`select set_config('app.org_id', $1, false)`, [
        toUuid(partner.orgId as Id<'org'>),
      ]);
      await client.query(statement);
      return 'done';
    } catch (error) {
      return error instanceof Error ? error.message : 'failed';
    } finally {
      await client.end();
    }
  };

  test('only the worker may ask for payees of many organizations', async () => {
    const statement = `select * from payees_of_run('{${toUuid(partner.orgId as Id<'org'>)}}')`;
    assert.equal(await runAs('tonearm_worker', statement), 'done');
    for (const role of ['tonearm_app', 'tonearm_operator', 'tonearm_relay', 'tonearm_directory']) {
      assert.match(await runAs(role, statement), /permission denied/, role);
    }
  });

  test('the api reads no rule, and the worker changes none', async () => {
    for (const table of ['fee_rules', 'withholding_rules', 'fx_rate_sets', 'remittances']) {
      assert.match(
        await runAs('tonearm_app', `select * from ${table}`),
        /permission denied/,
        table,
      );
      assert.equal(await runAs('tonearm_worker', `select * from ${table}`), 'done', table);
      assert.match(
        await runAs('tonearm_worker', `delete from ${table}`),
        /permission denied/,
        table,
      );
    }
  });
});
