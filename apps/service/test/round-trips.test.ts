/**
 * Round trips to PostgreSQL per request, counted by a proxy. The statements of each:
 *
 *   read, list   1  context · the statement
 *   create       3  begin · context · claim the idempotency key · read it · savepoint
 *                   the account, the next UPC, conflicting releases
 *                   release · revision · audit · stored answer · commit
 *   change       3  as create, with the release itself, locked, in the middle
 *   job          4  as create, with the releases, stores and territories of all items in the middle, then the running
 *                   jobs
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { openCountingProxy } from './counting-proxy.ts';
import { makePayable } from './payout-fixture.ts';
import { type OrgClient, draft, openTestService, type TestService } from './test-service.ts';

describe('round trips to PostgreSQL', () => {
  let proxy: Awaited<ReturnType<typeof openCountingProxy>>;
  let service: TestService;
  let label: OrgClient;
  let id: string;
  before(async () => {
    proxy = await openCountingProxy(
      Number(new URL(process.env['TONEARM_TEST_POSTGRES'] ?? '').port),
    );
    // One warm connection, because statements are prepared once per connection.
    service = await openTestService({
      databasePort: proxy.port,
      connections: 1,
      now: '2026-11-15T12:00:00Z',
    });
    await service.admin('stores', 'seed');
    label = await service.givenOrganization();
    id = (await create()).json.id;
    await Promise.all([read(), list(), change(), createJob()]);
  });
  after(async () => {
    await service.close();
    await proxy.close();
  });

  const key = () => ({ 'idempotency-key': randomUUID() });
  const create = () => label.call('POST', '/v1/releases', draft(), key());
  const read = () => label.call('GET', `/v1/releases/${id}`);
  const list = () => label.call('GET', '/v1/releases?limit=20');
  const change = () => label.call('PATCH', `/v1/releases/${id}`, { title: randomUUID() }, key());
  const createJob = async () => {
    const items = Array.from({ length: 1_000 }, () => ({ release_id: id }));
    const body = { action: 'deliver', stores: ['aurora'], territory_codes: ['US'], items };
    const { status, text } = await label.call('POST', '/v1/delivery_jobs', body, key());
    assert.equal(status, 202, text);
  };

  const expected: readonly [what: string, work: () => Promise<unknown>, roundTrips: number][] = [
    ['one read', () => read(), 1],
    ['one list', () => list(), 1],
    ['one create', () => create(), 3],
    ['one change', () => change(), 3],
    ['one job of 1,000 items', () => createJob(), 4],
  ];
  for (const [what, work, roundTrips] of expected) {
    test(`${what} is ${roundTrips}`, async (t) => {
      const counted = await proxy.measure(work);
      t.diagnostic(`${what}: ${counted.roundTrips} round trips, ${counted.statements} statements`);
      assert.equal(counted.roundTrips, roundTrips);
    });
  }

  test('one payout method that holds the pending payouts: as many for 12 as for 2', async (t) => {
    await makePayable(service, label, { balance: '1000' });
    const pay = async () => {
      const payout = { amount: '20.00', currency: 'EUR' };
      const { status, text } = await label.call('POST', '/v1/payouts', payout);
      assert.equal(status, 201, text);
    };
    const hold = async () => {
      const wallet = { type: 'wallet', country: 'DE', currency: 'EUR', provider: 'Purse' };
      const body = { ...wallet, account: `${randomUUID()}@example.org` };
      const { status, text } = await label.call('POST', '/v1/payout_methods', body, key());
      assert.equal(status, 201, text);
    };
    await hold();
    const counts: number[] = [];
    for (const pending of [2, 12]) {
      // Those that exist are held already.
      for (let i = 0; i < pending; i++) await pay();
      const { roundTrips, statements } = await proxy.measure(hold);
      t.diagnostic(`${pending} payouts: ${roundTrips} round trips, ${statements} statements`);
      counts.push(roundTrips);
    }
    const [few, many] = counts;
    assert.equal(many, few);
  });

  test('an API key that was not used for four seconds adds one here and one at the directory', async () => {
    await service.clock.set('2026-11-15T12:00:05Z');
    assert.equal((await proxy.measure(read)).roundTrips, 2);
    assert.equal((await proxy.measure(read)).roundTrips, 1);
  });

  test('a lost connection is at most a 503, and the next request is served', async () => {
    proxy.dropConnections();
    const replies = [];
    for (let i = 0; i < 3; i++) replies.push(await read());
    for (const { status } of replies) assert.ok(status === 200 || status === 503, String(status));
    assert.equal(replies.at(-1)?.status, 200);
  });
});
