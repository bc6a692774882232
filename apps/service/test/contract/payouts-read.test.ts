/** Reading payouts: one, a page, and their transitions (contract §1, §2, §4, §5). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { codeOf, type Json, withoutRequestIds } from '../delivery-fixture.ts';
import { makePayable, openPayoutFixture, type PayoutFixture } from '../payout-fixture.ts';
import type { OrgClient } from '../test-service.ts';

const unknownId = 'pay_01h455vb4pex5vsknk084sn02q';

describe('reading payouts', () => {
  let fixture: PayoutFixture;
  let caller: OrgClient;
  /** The newest first: one that was canceled, then one that is pending, and one of yen. */
  let ids: readonly string[];
  before(async () => {
    fixture = await openPayoutFixture();
    caller = await fixture.givenPayee({ currency: 'JPY', balance: '9000' });
    const { service } = fixture;
    const create = async (fields: object): Promise<string> => {
      const { status, json, text } = await fixture.create(caller, fields);
      assert.equal(status, 201, text);
      return json.id;
    };
    const yen = await create({ amount: '1000', currency: 'JPY' });
    await makePayable(service, caller);
    const pending = await create({});
    const canceled = await create({ amount: '20.00' });
    await caller.call('POST', `/v1/payouts/${canceled}/cancel`);
    ids = [canceled, pending, yen];
  });
  after(() => fixture.close());

  const listed = async (query = ''): Promise<readonly string[]> =>
    (await caller.call('GET', `/v1/payouts${query}`)).json.data.map(({ id }: Json) => id);

  test('contract §1: the list is newest first and pages by cursor', async () => {
    assert.deepEqual(await listed(), ids);
    const seen: string[] = [];
    for (let query = '?limit=1'; query !== '';) {
      const { json } = await caller.call('GET', `/v1/payouts${query}`);
      seen.push(...json.data.map(({ id }: Json) => id));
      query = json.has_more ? `?limit=1&cursor=${json.next_cursor}` : '';
    }
    assert.deepEqual(seen, ids);
  });

  test('contract §4: the filters are status and currency', async () => {
    assert.deepEqual(await listed('?status=canceled'), [ids[0]]);
    assert.deepEqual(await listed('?status=pending'), [ids[1], ids[2]]);
    assert.deepEqual(await listed('?currency=JPY'), [ids[2]]);
    assert.deepEqual(await listed('?status=paid'), []);
    for (const query of ['?status=lost', '?currency=XXX', '?amount=1']) {
      const reply = await caller.call('GET', `/v1/payouts${query}`);
      assert.deepEqual(codeOf(reply), [400, 'invalid_parameter'], query);
    }
  });

  test('contract §2: the list shows what GET shows, with the open holds', async () => {
    const held = await fixture.givenPayee({ methodAgeMs: 0 });
    const { json } = await fixture.create(held);
    const { data } = (await held.call('GET', '/v1/payouts')).json;
    assert.equal(json.holds.length, 1);
    assert.deepEqual(data, [json]);
    assert.deepEqual(await fixture.get(held, json.id), json);
  });

  test('contract §1: an ETag answers 304 until the payout changes', async () => {
    const [, pending = ''] = ids;
    const etag = (await caller.call('GET', `/v1/payouts/${pending}`)).headers.get('etag') ?? '';
    const condition = { 'if-none-match': etag };
    const known = await caller.call('GET', `/v1/payouts/${pending}`, undefined, condition);
    assert.equal(known.status, 304);
  });

  test('contract §4: transitions have a number, both statuses, a cause and a time', async () => {
    const { json } = await caller.call('GET', `/v1/payouts/${ids[0]}/transitions`);
    assert.deepEqual(json, {
      data: [
        { number: 1, from: null, to: 'pending', cause: 'created', at: '2026-11-16T09:00:00.000Z' },
        {
          number: 2,
          from: 'pending',
          to: 'canceled',
          cause: 'canceled',
          at: '2026-11-16T09:00:00.000Z',
        },
      ],
    });
  });

  test('contract §5: a payout of another organization is the same 404 as an unknown id', async () => {
    const stranger = await fixture.service.givenOrganization();
    for (const [method, suffix] of [
      ['GET', ''],
      ['GET', '/transitions'],
      ['POST', '/cancel'],
    ] as const) {
      const replies = [];
      for (const id of [ids[1], unknownId, 'pay_1'])
        replies.push(await stranger.call(method, `/v1/payouts/${id}${suffix}`));
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([404]));
      const texts = new Set(replies.map((reply) => withoutRequestIds(reply)));
      assert.equal(texts.size, 1, [...texts].join('\n'));
    }
    assert.deepEqual((await stranger.call('GET', '/v1/payouts')).json.data, []);
  });

  test('contract §5: reading needs payouts:read, changing payouts:write', async () => {
    const reader = await fixture.service.givenOrganization({ scopes: 'payouts:read' });
    assert.equal((await reader.call('GET', '/v1/payouts')).status, 200);
    const refused = await fixture.create(reader);
    assert.deepEqual(codeOf(refused), [403, 'insufficient_scope']);
  });
});
