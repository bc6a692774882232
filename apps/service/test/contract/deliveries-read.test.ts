/** GET /v1/deliveries and /v1/deliveries/{id}: spec §2.2, §4.2 and contract §1, §2, §4. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import {
  codeOf,
  fieldsOf,
  type Json,
  deliveredAnswer,
  openDeliveryFixture,
  rejectedAnswer,
  type DeliveryFixture,
} from '../delivery-fixture.ts';
import type { OrgClient } from '../test-service.ts';

describe('reading deliveries', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  describe('GET /v1/deliveries/{id}', () => {
    test('spec §4.2: aggregate status and stores; contract §1: an ETag that answers 304', async () => {
      const delivery = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
      const path = `/v1/deliveries/${delivery.id}`;
      const first = await fixture.label.call('GET', path);
      assert.deepEqual(
        [first.status, first.json.status, first.json.stores.length],
        [200, 'in_progress', 2],
      );
      const etag = first.headers.get('etag') ?? '';
      assert.notEqual(etag, '');
      const same = await fixture.label.call('GET', path, undefined, { 'if-none-match': etag });
      assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', etag]);
      await fixture.advanceTime(1);
      await fixture.answer(delivery, { aurora: deliveredAnswer });
      const moved = await fixture.label.call('GET', path, undefined, { 'if-none-match': etag });
      assert.equal(moved.status, 200);
      assert.notEqual(moved.headers.get('etag'), etag);
    });

    for (const id of [
      'dlv_01h455vb4pex5vsknk084sn02q',
      'dlv_x',
      'rel_01h455vb4pex5vsknk084sn02q',
    ]) {
      test(`contract §7: ${id} → 404 resource_not_found`, async () => {
        assert.deepEqual(codeOf(await fixture.label.call('GET', `/v1/deliveries/${id}`)), [
          404,
          'resource_not_found',
        ]);
      });
    }

    test('contract §7: other methods → 405 with Allow', async () => {
      const { id } = await fixture.givenDelivery();
      for (const method of ['DELETE', 'PATCH', 'PUT']) {
        const reply = await fixture.label.call(method, `/v1/deliveries/${id}`, {});
        assert.deepEqual(codeOf(reply), [405, 'method_not_allowed']);
        assert.match(reply.headers.get('allow') ?? '', /GET/);
      }
    });
  });

  describe('GET /v1/deliveries', () => {
    let partner: OrgClient;
    let releases: string[];
    /** Oldest first. */
    const created: Json[] = [];
    before(async () => {
      partner = await fixture.service.givenOrganization();
      releases = [];
      for (const simulate of ['*=confirm', '*=reject', '*=flag', '*=silent', '*=confirm']) {
        releases.push(await fixture.givenApprovedRelease({ simulate }, partner));
      }
      const plan: [release: number, stores: string[]][] = [
        [0, ['aurora', 'cascade']],
        [0, ['indigo']],
        [1, ['aurora']],
        [2, ['cascade']],
        [3, ['aurora']],
        [3, ['cascade']],
        [4, ['indigo', 'hanami']],
      ];
      for (const [release, stores] of plan) {
        const release_id = releases[release];
        const body = { release_id, stores, territory_codes: ['WORLDWIDE'] };
        const { json } = await fixture.post('', body, partner);
        created.push(json);
        await fixture.runUntilIdle();
      }
      await fixture.advanceTime(1_000);
      await fixture.post(`/${created[6].id}/takedown`, {}, partner);
      await fixture.runUntilIdle();
      await fixture.advanceTime(1_000);
    });

    const list = (query = '') => partner.call('GET', `/v1/deliveries${query}`);
    const idsOf = ({ json }: { json: Json }): string[] => json.data.map(({ id }: Json) => id);
    const idsAt = (...indexes: number[]): string[] => indexes.map((index) => created[index].id);

    test('contract §1: newest first, each as GET shows it', async () => {
      const reply = await list();
      assert.deepEqual(
        idsOf(reply),
        idsAt(6, 5, 4, 3, 2, 1, 0),
        'also when created at the same time',
      );
      assert.deepEqual([reply.json.has_more, reply.json.next_cursor], [false, null]);
      assert.deepEqual(reply.json.data[0], await fixture.get(created[6].id, partner));
      assert.deepEqual(reply.json.data[6], await fixture.get(created[0].id, partner));
    });

    const filters: [query: () => string, indexes: number[]][] = [
      [() => 'status=delivered', [1, 0]],
      [() => 'status=rejected', [2]],
      [() => 'status=action_required', [3]],
      [() => 'status=in_progress', [5, 4]],
      [() => 'status=taken_down', [6]],
      [() => `release_id=${releases[0]}`, [1, 0]],
      [() => 'store_id=aurora', [4, 2, 0]],
      [() => 'store_id=nowhere', []],
      [() => 'release_id=rel_01h455vb4pex5vsknk084sn02q', []],
      [() => 'status=in_progress&store_id=cascade', [5]],
      [() => `status=delivered&store_id=aurora&release_id=${releases[0]}`, [0]],
      [() => `status=rejected&release_id=${releases[0]}`, []],
    ];
    for (const [query, indexes] of filters) {
      test(`contract §4: ?${String(query).slice(6)} keeps ${indexes.length}`, async () => {
        assert.deepEqual(idsOf(await list(`?${query()}`)), idsAt(...indexes));
      });
    }

    test('contract §1: a malformed id in a filter → 400 invalid_parameter', async () => {
      const { status, json } = await fixture.label.call('GET', '/v1/deliveries?release_id=x');
      assert.deepEqual([status, json.error.code], [400, 'invalid_parameter']);
      assert.equal(json.error.details[0].field, 'release_id');
    });

    for (const filter of ['', '&store_id=aurora', '&status=in_progress']) {
      test(`contract §1: pages of one${filter}, without gap or overlap, to the end`, async () => {
        const all = idsOf(await list(`?limit=100${filter}`));
        const collected: string[] = [];
        let cursor: string | null = null;
        do {
          const next: string = cursor === null ? '' : `&cursor=${cursor}`;
          const { json } = await list(`?limit=1${filter}${next}`);
          collected.push(...json.data.map(({ id }: Json) => id));
          assert.equal(json.has_more, json.next_cursor !== null);
          cursor = json.next_cursor;
        } while (cursor !== null && collected.length < 20);
        assert.deepEqual(collected, all);
      });
    }

    test('contract §1: a cursor is bound to its filters and its list, and tamper-evident', async () => {
      const { json } = await list('?limit=1&store_id=aurora');
      const cursor: string = json.next_cursor;
      assert.equal((await list(`?limit=2&store_id=aurora&cursor=${cursor}`)).status, 200);
      const flipped = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1);
      for (const query of [
        `?cursor=${cursor}`,
        `?store_id=cascade&cursor=${cursor}`,
        `?store_id=aurora&status=delivered&cursor=${cursor}`,
        `?store_id=aurora&cursor=${flipped}`,
        '?cursor=x',
      ]) {
        assert.deepEqual(codeOf(await list(query)), [400, 'invalid_cursor'], query);
      }
      const otherList = await partner.call('GET', `/v1/releases?cursor=${cursor}`);
      assert.deepEqual(codeOf(otherList), [400, 'invalid_cursor']);
      const other = await fixture.label.call(
        'GET',
        `/v1/deliveries?store_id=aurora&cursor=${cursor}`,
      );
      assert.deepEqual(codeOf(other), [400, 'invalid_cursor'], 'another organization’s');
    });

    for (const query of ['limit=0', 'limit=101', 'limit=x', 'status=pending', 'colour=red']) {
      test(`contract §1: ?${query} → 400 invalid_parameter`, async () => {
        const reply = await list(`?${query}`);
        assert.deepEqual(codeOf(reply), [400, 'invalid_parameter']);
        assert.deepEqual(fieldsOf(reply), [query.split('=')[0]]);
      });
    }

    test('contract §1: 20 when limit is omitted', async () => {
      const busy = await fixture.service.givenOrganization();
      const release_id = await fixture.givenApprovedRelease({}, busy);
      const stores = (await busy.call('GET', '/v1/stores')).json.data.slice(0, 11);
      for (const { store_id } of stores) {
        await fixture.post(
          '',
          { release_id, stores: [store_id], territory_codes: ['WORLD'] },
          busy,
        );
      }
      const other = await fixture.givenApprovedRelease({}, busy);
      for (const { store_id } of stores) {
        const body = { release_id: other, stores: [store_id], territory_codes: ['WORLD'] };
        await fixture.post('', body, busy);
      }
      const { json } = await busy.call('GET', '/v1/deliveries');
      assert.deepEqual([json.data.length, json.has_more], [20, true]);
    });

    test('contract §5: lists nothing of another organization', async () => {
      const stranger = await fixture.service.givenOrganization();
      for (const query of ['', `?release_id=${releases[0]}`, '?store_id=aurora']) {
        const { json } = await stranger.call('GET', `/v1/deliveries${query}`);
        assert.deepEqual(json, { data: [], next_cursor: null, has_more: false });
      }
    });
  });

  test('spec §2.2: rejection_reason and rejection_code are set while a store is rejected, and null afterwards', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    const rejected = await fixture.answer(delivery, { aurora: rejectedAnswer });
    const { rejection_code, rejection_reason } = rejected.stores[0];
    assert.deepEqual(
      [rejection_code, rejection_reason],
      ['metadata_error', 'The title is not the cover’s.'],
    );
    const { json } = await fixture.post(`/${delivery.id}/resubmit`, { force: true });
    assert.deepEqual(
      [json.stores[0].rejection_code, json.stores[0].rejection_reason],
      [null, null],
    );
  });

  test('a page ends early where deliveries have many stores, and the next page continues there', async () => {
    const caller = await fixture.service.givenOrganization();
    for (let i = 0; i < 3; i++) await fixture.givenDelivery({ caller });
    const setStoreCount = (stores: number) =>
      fixture.service.query('update deliveries set in_progress = $2 where org_id = $1', [
        toUuid(caller.orgId as Id<'org'>),
        stores,
      ]);
    await setStoreCount(3_000);
    const collected: string[] = [];
    for (let cursor = '', pages = 0; pages < 3; pages++) {
      const { json } = await caller.call('GET', `/v1/deliveries?limit=10${cursor}`);
      assert.equal(json.data.length, 1);
      assert.equal(json.has_more, pages < 2);
      collected.push(json.data[0].id);
      cursor = `&cursor=${json.next_cursor}`;
    }
    await setStoreCount(1);
    assert.equal(new Set(collected).size, 3);
  });
});
