/** GET /v1/balance (contract §2, §4): what an organization can be paid, for each currency. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import type { Json } from '../delivery-fixture.ts';
import { adjust, entry, holdEarnings, postAll } from '../ledger-fixture.ts';
import { openTestService, type OrgClient, type TestService } from '../test-service.ts';

describe('the balance', () => {
  let service: TestService;
  before(async () => {
    service = await openTestService({ now: '2026-11-16T09:00:00Z' });
  });
  after(() => service.close());

  const balanceOf = async ({ call }: OrgClient): Promise<Json[]> => {
    const reply = await call('GET', '/v1/balance');
    assert.equal(reply.status, 200, reply.text);
    return reply.json.data;
  };

  test('contract §4: is empty until there is money', async () => {
    assert.deepEqual(await balanceOf(await service.givenOrganization()), []);
  });

  test('contract §1: has a row for each currency, in the order of their codes, with six decimals', async () => {
    const partner = await service.givenOrganization();
    await adjust(service, partner, '1000', { currency: 'USD', fee: '150', tax: '85.5' });
    await adjust(service, partner, '0.000001', { currency: 'EUR' });
    assert.deepEqual(await balanceOf(partner), [
      {
        currency: 'EUR',
        available: '0.000001',
        pending: '0.000000',
        reserved: '0.000000',
        held: '0.000000',
        minimum: '10.000000',
      },
      {
        currency: 'USD',
        available: '764.500000',
        pending: '0.000000',
        reserved: '0.000000',
        held: '0.000000',
        minimum: '10.000000',
      },
    ]);
  });

  test('contract §2: what is reserved and what is held is not available', async () => {
    const partner = await service.givenOrganization();
    await adjust(service, partner, '100');
    await holdEarnings(service, partner, '12.3');
    const reserve = [entry('payable', '-50'), entry('payout_reserved', '50')];
    await postAll(service, partner, [{ key: 'reserve', entries: reserve }]);
    const [{ available, reserved, held }] = await balanceOf(partner);
    assert.deepEqual([available, reserved, held], ['37.700000', '50.000000', '12.300000']);
  });

  test('contract §2: is negative if penalties exceed earnings', async () => {
    const partner = await service.givenOrganization();
    await adjust(service, partner, '5');
    await adjust(service, partner, '-12.5', { type: 'penalty' });
    const [{ available }] = await balanceOf(partner);
    assert.equal(available, '-7.500000');
  });

  test('contract §2: the minimum depends on the decimals of the currency, and can be set higher', async () => {
    const partner = await service.givenOrganization();
    for (const currency of ['EUR', 'JPY', 'KWD']) {
      await adjust(service, partner, '1', { currency });
    }
    const minimums = async () =>
      (await balanceOf(partner)).map(({ currency, minimum }) => [currency, minimum]);
    assert.deepEqual(await minimums(), [
      ['EUR', '10.000000'],
      ['JPY', '1000.000000'],
      ['KWD', '5.000000'],
    ]);
    await service.query(
      `insert into payout_settings (org_id, minimum, updated_at, actor_type, actor_id)
       values ($1, '{"EUR": "250.000000"}', now(), 'workflow', 'test')`,
      [toUuid(partner.orgId as Id<'org'>)],
    );
    assert.deepEqual((await minimums())[0], ['EUR', '250.000000']);
  });

  test('contract §5: needs payouts:read, and shows nothing of another organization', async () => {
    const partner = await service.givenOrganization();
    await adjust(service, partner, '77');
    const stranger = await service.givenOrganization({ scopes: 'payouts:read' });
    assert.deepEqual(await balanceOf(stranger), []);
    const other = await service.givenOrganization({ scopes: 'statements:read' });
    const { status, json } = await other.call('GET', '/v1/balance');
    assert.deepEqual([status, json.error.code], [403, 'insufficient_scope']);
  });
});
