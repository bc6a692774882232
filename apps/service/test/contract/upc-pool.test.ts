/** UPCs from the account's pool (spec §4.1, contract §7). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { upcFromNumber } from '../../src/kernel/upc.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

describe('the UPC pool', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const create = (fields: object = {}, caller = label) =>
    caller.call('POST', '/v1/releases', draft(fields));

  test('spec §4.1: an omitted UPC is assigned from the pool, each code once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => create()));
    const upcs = replies.map(({ json }) => json.upc);
    assert.equal(new Set(upcs).size, 20);
    for (const upc of upcs) assert.match(upc, /^4\d{11}$/);
  });

  test('contract §7: an empty pool is upc_pool_exhausted, and a UPC of the partner still works', async () => {
    const withoutPool = await service.givenOrganization({ prefix: null });
    const { status, json } = await create({}, withoutPool);
    assert.equal(status, 409);
    assert.equal(json.error.code, 'upc_pool_exhausted');
    assert.equal((await create({ upc: '036000291452' }, withoutPool)).status, 201);
  });

  test('the pool skips codes that the organization sent itself, and uses every other code', async () => {
    const small = await service.givenOrganization({ prefix: '4987654321' });
    const sent = (await create({ upc: upcFromNumber(49_876_543_213) }, small)).json.upc;
    const replies = await Promise.all(Array.from({ length: 12 }, () => create({}, small)));
    const assigned = replies.filter(({ status }) => status === 201).map(({ json }) => json.upc);
    assert.equal(assigned.length, 9);
    assert.ok(!assigned.includes(sent));
    assert.equal(new Set(assigned).size, 9);
    assert.deepEqual(
      [
        ...new Set(
          replies.filter(({ status }) => status !== 201).map(({ json }) => json.error.code),
        ),
      ],
      ['upc_pool_exhausted'],
    );
  });

  test('a code that was sent before its range was added is skipped too', async () => {
    const other = await service.givenOrganization({ prefix: null });
    const upc = upcFromNumber(46_666_666_660);
    assert.equal((await create({ upc }, other)).status, 201);
    await service.admin('upc', 'add-range', '--org', other.orgId, '--prefix', '4666666666');
    const assigned = await Promise.all(Array.from({ length: 9 }, () => create({}, other)));
    assert.ok(assigned.every(({ status }) => status === 201));
    assert.ok(!assigned.some(({ json }) => json.upc === upc));
    assert.equal((await create({}, other)).json.error.code, 'upc_pool_exhausted');
  });

  test('a range cannot be added to two organizations', async () => {
    const range = ['--prefix', '4555555555'];
    await service.admin('upc', 'add-range', '--org', label.orgId, ...range);
    const other = await service.givenOrganization();
    const duplicate = service.admin('upc', 'add-range', '--org', other.orgId, ...range);
    await assert.rejects(duplicate, /upc_owners/);
    const inside = service.admin('upc', 'add-range', '--org', other.orgId, '--prefix', '455555');
    await assert.rejects(inside, /upc_owners/);
  });
});
