/**
 * For tests of the rail and of what payouts do after their creation: organizations that can be paid, payouts, and the
 * scripted bank over a real socket.
 */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Currency } from '../src/kernel/currency.ts';
import { type Id, type OrgId, toUuid } from '../src/kernel/ids.ts';
import { type Micros, parseMicros } from '../src/kernel/money.ts';
import { sealDetails } from '../src/money/commands/open-details.ts';
import { openHttpRail } from '../src/money/connectors/http-rail.ts';
import { transfer } from '../src/money/domain/ledger.ts';
import { post } from '../src/money/store/ledger.ts';
import { simulatePayment } from '../src/sandbox/commands/simulate-payouts.ts';
import { openBank } from '../src/sandbox/connectors/bank.ts';
import { createRailServer } from '../src/sandbox/connectors/rail-server.ts';
import type { OrgClient, TestService } from './test-service.ts';

export const testIban = 'DE02120300000000202051';

function toAmount(text: string): Micros {
  const amount = parseMicros(text);
  if (amount === undefined) throw new TypeError(`not an amount: ${text}`);
  return amount;
}

type Payee = { readonly amount?: string; readonly currency?: Currency };

/** Gives the organization money, a tax profile, and a payout method that can be used. */
export async function givenPayee(
  service: TestService,
  { orgId }: Pick<OrgClient, 'orgId'>,
  { amount = '1000', currency = 'EUR' }: Payee = {},
): Promise<Id<'pm'>> {
  const org = toUuid(orgId as OrgId);
  const owner = { orgId: orgId as OrgId, actor: { type: 'operator', id: 'test' } } as const;
  const id = await service.db.transact(owner, async (tx) => {
    const entries = transfer({ amount: toAmount(amount), currency }, 'store_receivable', 'payable');
    post(tx, [{ key: `test:${tx.newId('ltx')}`, entries }]);
    return tx.newId('pm');
  });
  const details = { kind: 'iban', accountHolder: 'Test Records', iban: testIban } as const;
  await service.query(
    `insert into payout_methods (org_id, id, type, country, currency, last_four, sealed_details, status, usable_from,
                                 requested_by, created_at, updated_at, actor_type, actor_id)
     values ($1, $2, 'bank_account', 'DE', $3, '2051', $4, 'active', $5, 'test', $5, $5, 'operator', 'test')`,
    [
      org,
      toUuid(id),
      currency,
      sealDetails(service.keyring, orgId as OrgId, id, details),
      new Date(0),
    ],
  );
  await service.query(
    `insert into tax_profiles (org_id, residence, form, created_at, updated_at, actor_type, actor_id)
     values ($1, 'DE', 'none', $2, $2, 'operator', 'test') on conflict do nothing`,
    [org, new Date(0)],
  );
  return id;
}

export type TestRail = Awaited<ReturnType<typeof openTestRail>>;

/** The scripted bank in this process, over a socket. */
export async function openTestRail(service: TestService) {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-rail-'));
  const bank = await openBank(join(folder, 'rail.jsonl'));
  const server = createRailServer(bank, service.clock);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = openHttpRail(url, 10_000);
  return {
    url,
    rail: { ...client, simulate: simulatePayment },
    payments: () => listPayments(url),
    close: async () => {
      await client.close();
      server.closeAllConnections();
      server.close();
      await bank.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type ListedPayment = {
  readonly key: string;
  readonly amount: string;
  readonly currency: string;
  readonly payments_made: number;
};

/** What the rail says that it has paid. */
export async function listPayments(url: string): Promise<readonly ListedPayment[]> {
  const { data } = (await (await fetch(`${url}/payments`)).json()) as {
    readonly data: readonly ListedPayment[];
  };
  return data;
}

export async function createTestPayout(
  { call }: Pick<OrgClient, 'call'>,
  amount: string,
  currency: Currency = 'EUR',
): Promise<Id<'pay'>> {
  const { status, json, text } = await call('POST', '/v1/payouts', { amount, currency });
  assert.equal(status, 201, text);
  return json.id;
}
