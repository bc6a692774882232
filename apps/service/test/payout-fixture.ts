/**
 * For tests of payouts: a test service with a worker driver, and organizations that can be paid. The clock is real time
 * and business time alike.
 */

import assert from 'node:assert/strict';
import { workflowOwner } from '../src/kernel/actor.ts';
import type { Currency } from '../src/kernel/currency.ts';
import { addMs } from '../src/kernel/duration.ts';
import { type Id, type OrgId, toUuid } from '../src/kernel/ids.ts';
import { parseMicros } from '../src/kernel/money.ts';
import { sealDetails } from '../src/money/commands/open-details.ts';
import { transfer } from '../src/money/domain/ledger.ts';
import { post } from '../src/money/store/ledger.ts';
import type { Json } from './delivery-fixture.ts';
import { openTestService, type OrgClient, type Reply, type TestService } from './test-service.ts';
import { openWorkerDriver } from './worker-driver.ts';

export const mondayMorning = '2026-11-16T09:00:00.000Z';

export type PayoutFixture = Awaited<ReturnType<typeof openPayoutFixture>>;

export async function openPayoutFixture(now = mondayMorning) {
  const service = await openTestService({ now, connections: 20 });
  const { runUntilIdle } = openWorkerDriver(service);

  const get = async (caller: OrgClient, id: string): Promise<Json> => {
    const reply = await caller.call('GET', `/v1/payouts/${id}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };
  /** Without the times: `pending→on_hold hold_opened`. */
  const transitionsOf = async (caller: OrgClient, id: string): Promise<readonly string[]> => {
    const { json } = await caller.call('GET', `/v1/payouts/${id}/transitions`);
    return json.data.map(({ from, to, cause }: Json) => `${from ?? ''}→${to} ${cause}`);
  };
  const advanceTo = async (iso: string): Promise<void> => {
    await service.clock.set(iso);
    await runUntilIdle();
  };
  return {
    service,
    runUntilIdle,
    advanceTo,
    get,
    transitionsOf,
    create: (caller: OrgClient, fields: object = {}): Promise<Reply> =>
      caller.call('POST', '/v1/payouts', { amount: '100.00', currency: 'EUR', ...fields }),
    /** An organization that can be paid. */
    givenPayee: async (options: Payee = {}): Promise<OrgClient> => {
      const caller = await service.givenOrganization();
      await makePayable(service, caller, options);
      return caller;
    },
    operator: (verb: string, { orgId }: OrgClient, payout: string, ...flags: string[]) =>
      service.admin('payouts', verb, '--org', orgId, '--payout', payout, ...flags) as Promise<Json>,
    close: async () => {
      try {
        await checkLedger(service);
      } finally {
        await service.close();
      }
    },
  };
}

type Payee = {
  readonly balance?: string;
  readonly currency?: Currency;
  /** How long ago the method was added. Undefined: long ago. */
  readonly methodAgeMs?: number;
  /** Null: it does not expire. */
  readonly taxFormExpiresOn?: string | null;
};

export async function makePayable(
  service: TestService,
  caller: OrgClient,
  { balance = '250.75', currency = 'EUR', methodAgeMs, taxFormExpiresOn = null }: Payee = {},
): Promise<void> {
  await addEarnings(service, caller, balance, currency);
  await addTaxProfile(service, caller, taxFormExpiresOn);
  await addMethod(service, caller, {
    currency,
    addedAt: methodAgeMs === undefined ? new Date(0) : addMs(service.clock.now(), -methodAgeMs),
  });
}

export async function addEarnings(
  service: TestService,
  { orgId }: Pick<OrgClient, 'orgId'>,
  text: string,
  currency: Currency = 'EUR',
): Promise<void> {
  const amount = parseMicros(text);
  assert.ok(amount !== undefined);
  await service.workerDb.transact(workflowOwner(orgId as OrgId, 'test'), async (tx) =>
    post(tx, [
      {
        key: `test:${tx.newId('ltx')}`,
        entries: transfer({ amount, currency }, 'store_receivable', 'payable'),
      },
    ]),
  );
}

export const addTaxProfile = (
  service: TestService,
  { orgId }: Pick<OrgClient, 'orgId'>,
  expiresOn: string | null = null,
) =>
  service.query(
    `insert into tax_profiles (org_id, residence, form, expires_on, created_at, updated_at, actor_type, actor_id)
     values ($1, 'DE', 'none', $2, now(), now(), 'workflow', 'test')
     on conflict (org_id) do update set expires_on = excluded.expires_on`,
    [toUuid(orgId as OrgId), expiresOn],
  );

const methodWaitMs = 72 * 3_600_000;

export async function addMethod(
  service: TestService,
  { orgId }: Pick<OrgClient, 'orgId'>,
  { currency = 'EUR', addedAt = new Date(0) }: { currency?: Currency; addedAt?: Date } = {},
): Promise<Id<'pm'>> {
  const owner = workflowOwner(orgId as OrgId, 'test');
  const id = await service.workerDb.transact(owner, async (tx) => tx.newId('pm'));
  const details = { kind: 'iban', accountHolder: 'Test Records', iban: 'DE89370400440532013000' };
  await service.query(
    `insert into payout_methods (org_id, id, type, country, currency, last_four, sealed_details, status, usable_from,
                                 requested_by, created_at, updated_at, actor_type, actor_id)
     values ($1, $2, 'bank_account', 'DE', $3, '3000', $4, 'active', $5, 'test', $6, $6, 'workflow', 'test')`,
    [
      toUuid(orgId as OrgId),
      toUuid(id),
      currency,
      sealDetails(service.keyring, orgId as OrgId, id, { ...details, kind: 'iban' }),
      addMs(addedAt, methodWaitMs),
      addedAt,
    ],
  );
  return id;
}

export type Balances = Readonly<Record<string, string>>;

/** By currency and account, without those that are zero: `EUR payable` → `250.750000`. */
export async function balancesOf(
  service: TestService,
  { orgId }: Pick<OrgClient, 'orgId'>,
): Promise<Balances> {
  const rows = await service.query(
    `select distinct on (currency, account) currency || ' ' || account as name, balance_after
       from ledger_entries where org_id = $1 order by currency, account, version desc`,
    [toUuid(orgId as OrgId)],
  );
  return Object.fromEntries(
    rows
      .filter(({ balance_after }) => Number(balance_after) !== 0)
      .map((row) => [row.name, row.balance_after]),
  );
}

/** Every transaction is zero per currency, and every account has versions from 1 without a gap. */
export async function checkLedger(service: TestService): Promise<void> {
  const unbalanced = await service.query(
    `select transaction_id, currency from ledger_entries
      group by org_id, transaction_id, currency having sum(amount) <> 0`,
  );
  assert.deepEqual(unbalanced, []);
  const gaps = await service.query(
    `select org_id, currency, account from ledger_entries group by org_id, currency, account
     having max(version) <> count(*) or min(version) <> 1
         or sum(amount) <> (array_agg(balance_after order by version desc))[1]`,
  );
  assert.deepEqual(gaps, []);
}
