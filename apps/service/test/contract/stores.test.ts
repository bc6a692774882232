/** Stores and territories: spec §2.2, §4.2, §7 and contract §1, §2, §4. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { territoryCodes } from '../../src/kernel/territory.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

describe('the network', () => {
  let service: TestService;
  let label: OrgClient;
  let european: OrgClient;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
    european = await service.givenOrganization({ territories: 'DE,AT,CH' });
  });
  after(() => service.close());

  const territoriesOf = async (caller: OrgClient): Promise<string[]> =>
    (await caller.call('GET', '/v1/stores/territories')).json.data.map(
      (entry: { territory_code: string }) => entry.territory_code,
    );

  describe('GET /v1/stores', () => {
    test('spec §2.2: each store carries store_id, its territories and its capabilities', async () => {
      const { status, json } = await label.call('GET', '/v1/stores?limit=100');
      assert.equal(status, 200);
      assert.equal(json.data.length, 12);
      assert.deepEqual(
        json.data.map(({ store_id }: { store_id: string }) => store_id),
        json.data.map(({ store_id }: { store_id: string }) => store_id).toSorted(),
        'contract §1: by store_id',
      );
      for (const store of json.data) {
        assert.ok(store.territory_codes.length > 0 && store.name !== '', store.store_id);
        assert.deepEqual(Object.keys(store.capabilities), [
          'audio_formats',
          'use_types',
          'pre_order',
          'takedown',
          'takedown_method',
          'update',
          'confirmation',
          'ern_version',
          'lead_time_business_days',
        ]);
      }
      const distinct = new Set(
        json.data.map((store: object) => JSON.stringify({ ...store, store_id: '', name: '' })),
      );
      assert.equal(distinct.size, 12, 'no two stores are the same');
    });

    test('catalogue §1.4: use types of four words, ERN 4.3 and 4.3.2 only', async () => {
      const { json } = await label.call('GET', '/v1/stores?limit=100');
      const seen = (name: string): string[] =>
        [
          ...new Set<string>(
            json.data.flatMap(
              ({ capabilities }: { capabilities: Record<string, unknown> }) => capabilities[name],
            ),
          ),
        ].toSorted();
      assert.deepEqual(seen('use_types'), [
        'ad_supported_stream',
        'download',
        'subscription_stream',
        'ugc',
      ]);
      assert.deepEqual(seen('ern_version'), ['4.3', '4.3.2']);
      assert.deepEqual(seen('pre_order'), [false, true]);
    });

    test('catalogue §1.3: each store says how it confirms, and how a takedown is written', async () => {
      const capabilitiesOf = async (id: string) =>
        (await label.call('GET', `/v1/stores/${id}`)).json.capabilities;
      assert.equal((await capabilitiesOf('aurora')).confirmation, 'live');
      assert.equal((await capabilitiesOf('jangala')).confirmation, 'ingest');
      assert.equal((await capabilitiesOf('emberline')).confirmation, 'none');
      assert.equal((await capabilitiesOf('aurora')).takedown_method, 'omit_deal');
      assert.equal((await capabilitiesOf('hanami')).takedown_method, 'end_deal');
    });

    test('contract §1: pages by store_id, without gap or overlap', async () => {
      const collected: string[] = [];
      let cursor: string | null = null;
      do {
        const query: string = cursor === null ? '' : `&cursor=${cursor}`;
        const { json } = await label.call('GET', `/v1/stores?limit=5${query}`);
        collected.push(...json.data.map(({ store_id }: { store_id: string }) => store_id));
        assert.equal(json.has_more, json.next_cursor !== null);
        cursor = json.next_cursor;
      } while (cursor !== null);
      assert.equal(new Set(collected).size, 12);
      assert.equal(collected.length, 12);
    });

    test('contract §4: territory_code filters by stores that sell there', async () => {
      const { json } = await label.call('GET', '/v1/stores?territory_code=JP');
      const ids = new Set(json.data.map(({ store_id }: { store_id: string }) => store_id));
      assert.ok(ids.has('hanami') && !ids.has('emberline'));
      for (const store of json.data) assert.ok(store.territory_codes.includes('JP'));
      assert.deepEqual((await label.call('GET', '/v1/stores?territory_code=AQ')).json.data, []);
      assert.equal((await label.call('GET', '/v1/stores?territory_code=jp')).status, 400);
    });
  });

  describe('GET /v1/stores/{store_id}', () => {
    test('contract §4: 200 with the store, and its ETag answers 304', async () => {
      const { status, json, headers } = await label.call('GET', '/v1/stores/aurora');
      assert.deepEqual([status, json.store_id, json.status], [200, 'aurora', 'active']);
      const condition = { 'if-none-match': headers.get('etag') ?? '' };
      assert.equal(
        (await label.call('GET', '/v1/stores/aurora', undefined, condition)).status,
        304,
      );
    });

    for (const id of ['nowhere', 'Aurora', '%00', 'a'.repeat(200)]) {
      test(`contract §7: ${id.slice(0, 20)} is resource_not_found`, async () => {
        const { status, json } = await label.call('GET', `/v1/stores/${id}`);
        assert.deepEqual([status, json.error.code], [404, 'resource_not_found']);
      });
    }
  });

  describe('GET /v1/stores/territories', () => {
    test('contract §4: lists the territories of the network, with a name and the stores that sell there', async () => {
      const { json } = await label.call('GET', '/v1/stores/territories');
      const germany = json.data.find(
        ({ territory_code }: { territory_code: string }) => territory_code === 'DE',
      );
      assert.equal(germany.name, 'Germany');
      assert.deepEqual(germany.stores, ['aurora', 'beatlane', 'cascade', 'firefly', 'glasshouse']);
      for (const { territory_code, name } of json.data) assert.notEqual(name, territory_code);
      assert.ok(!(await territoriesOf(label)).includes('AQ'), 'no store sells in Antarctica');
    });

    test('contract §4: lists only territories that are licensed to the account', async () => {
      assert.deepEqual(await territoriesOf(european), ['AT', 'CH', 'DE']);
    });

    test('contract §5: needs stores:read', async () => {
      const { call } = await service.givenOrganization({ scopes: 'releases:read' });
      for (const path of ['/v1/stores', '/v1/stores/aurora', '/v1/stores/territories']) {
        assert.equal((await call('GET', path)).status, 403);
      }
    });
  });

  describe('spec §7: territory_not_supported', () => {
    const create = (caller: OrgClient, territories: string[]) =>
      caller.call('POST', '/v1/releases', draft({ territories }));

    test('every code of the list is accepted in a release, and no other', async () => {
      const listed = await territoriesOf(label);
      assert.ok(listed.length > 200);
      assert.equal((await create(label, listed)).status, 201);
      const others = territoryCodes.filter((code) => !listed.includes(code));
      assert.ok(others.length > 0);
      const { status, json } = await create(label, ['DE', ...others]);
      assert.deepEqual([status, json.error.code], [422, 'territory_not_supported']);
      assert.deepEqual(
        json.error.details,
        others.map((_, i) => ({
          field: `territories[${i + 1}]`,
          issue: `territories[${i + 1}] is not available at any store; remove it (GET /v1/stores/territories lists the codes).`,
        })),
      );
    });

    test('on creation and in PATCH, without a store or without a licence', async () => {
      const { json: release } = await create(european, ['DE']);
      for (const code of ['US', 'AQ', 'XX']) {
        const patched = await european.call('PATCH', `/v1/releases/${release.id}`, {
          territories: [code],
        });
        const created = await create(european, [code]);
        for (const { status, json } of [patched, created]) {
          assert.deepEqual([status, json.error.code], [422, 'territory_not_supported'], code);
        }
      }
    });
  });

  test('the operator seeds them in the sandbox only, and may repeat it', async () => {
    const { stores } = await service.admin('stores', 'seed');
    assert.equal(stores?.length, 12);
    const live = await openTestService({ environment: 'live' });
    await assert.rejects(live.admin('stores', 'seed'), /only in the sandbox/);
    await live.close();
  });
});
