/** Payout methods, balances and payouts for tests of money. */

import assert from 'node:assert/strict';
import { workflowOwner } from '../src/kernel/actor.ts';
import type { Currency } from '../src/kernel/currency.ts';
import type { Id } from '../src/kernel/ids.ts';
import { type Micros, negate, parseMicros } from '../src/kernel/money.ts';
import { createPayout } from '../src/money/commands/create-payout.ts';
import type { Payout } from '../src/money/domain/payout.ts';
import { post } from '../src/money/store/ledger.ts';
import { appendAudit } from '../src/platform/db/audit.ts';
import type { Json } from './delivery-fixture.ts';
import type { OrgClient, TestService } from './test-service.ts';

/** The example of ISO 13616 for Germany. */
export const germanIban = 'DE89370400440532013000';

export const germanAccount = {
  type: 'bank_account',
  country: 'DE',
  currency: 'EUR',
  account_holder: 'Northern Lights GmbH',
  iban: germanIban,
};

export const givenMethod = async (
  { call }: Pick<OrgClient, 'call'>,
  fields: object = {},
): Promise<Json> => {
  const reply = await call('POST', '/v1/payout_methods', { ...germanAccount, ...fields });
  assert.equal(reply.status, 201, reply.text);
  return reply.json;
};

export async function givenTaxProfile({ call }: OrgClient): Promise<void> {
  const reply = await call('PATCH', '/v1/tax_profile', { residence: 'DE', form: 'none' });
  assert.equal(reply.status, 200, reply.text);
}

const ownerOf = ({ orgId }: Pick<OrgClient, 'orgId'>) => workflowOwner(orgId as Id<'org'>, 'test');

const micros = (text: string): Micros => {
  const amount = parseMicros(text);
  assert.ok(amount !== undefined, text);
  return amount;
};

/** Adds earnings to the available balance. */
export const givenBalance = (
  service: TestService,
  caller: OrgClient,
  amount: string,
  currency: Currency = 'EUR',
): Promise<void> =>
  service.workerDb.transact(ownerOf(caller), async (tx) =>
    post(tx, [
      {
        key: `test:${tx.newId('ltx')}`,
        entries: [
          { currency, account: 'store_receivable', amount: negate(micros(amount)) },
          { currency, account: 'payable', amount: micros(amount) },
        ],
      },
    ]),
  );

/** A payout whose screening is clear. */
export const givenPayout = (
  service: TestService,
  caller: OrgClient,
  payoutMethodId: string,
): Promise<Payout> =>
  service.workerDb.transact(ownerOf(caller), async (tx) => {
    const request = { amount: micros('20'), currency: 'EUR', payoutMethodId } as const;
    const { payout } = await createPayout(tx, request, { screen: async () => 'clear' });
    appendAudit(tx, {
      action: 'payout.create',
      auditedId: payout.id,
      before: undefined,
      after: {},
    });
    return payout;
  });
