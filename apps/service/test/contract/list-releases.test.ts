/** Listing releases: spec §4.1 and contract §1, §4. One case per rule. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toUuid } from '../../src/kernel/ids.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

describe('lists of releases', () => {
  let service: TestService;
  let label: OrgClient;

  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization({ label: 'Northern Lights' });
  });
  after(() => service.close());

  const create = (fields: object = {}, caller = label) =>
    caller.call('POST', '/v1/releases', draft(fields));

  describe('GET /v1/releases', () => {
    let lister: OrgClient;
    const ids: `rel_${string}`[] = [];
    before(async () => {
      lister = await service.givenOrganization({ label: 'Lister' });
      for (let i = 0; i < 25; i++) {
        // Five releases share each created_at: the id decides their order.
        await service.clock.set(`2026-11-16T10:0${Math.floor(i / 5)}:00Z`);
        const { json } = await create({ title: `T${i}`, reference: `L${i}` }, lister);
        ids.unshift(json.id);
      }
    });

    const list = (query = '') => lister.call('GET', `/v1/releases${query}`);

    test('spec §4.1: 20 by default, newest first, with next_cursor and has_more', async () => {
      const { status, json } = await list();
      assert.equal(status, 200);
      assert.deepEqual(
        json.data.map(({ id }: { id: string }) => id),
        ids.slice(0, 20),
      );
      assert.equal(json.has_more, true);
      assert.equal(typeof json.next_cursor, 'string');
      const rest = await list(`?cursor=${json.next_cursor}`);
      assert.deepEqual(
        rest.json.data.map(({ id }: { id: string }) => id),
        ids.slice(20),
      );
      assert.equal(rest.json.next_cursor, null);
      assert.equal(rest.json.has_more, false);
    });

    for (const limit of [1, 3, 7, 25, 100]) {
      test(`spec §4.1: pages of ${limit} show every release once, in order`, async () => {
        const collected: string[] = [];
        let cursor: string | null = null;
        do {
          const position: string = cursor === null ? '' : `&cursor=${cursor}`;
          const { json } = await list(`?limit=${limit}${position}`);
          assert.ok(json.data.length <= limit);
          collected.push(...json.data.map(({ id }: { id: string }) => id));
          cursor = json.next_cursor;
        } while (cursor !== null);
        assert.deepEqual(collected, ids);
      });
    }

    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=-1', 'limit'],
      ['limit=ten', 'limit'],
      ['limit=1.5', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['status=lost', 'status'],
      ['upc=12', 'upc'],
      ['updated_since=yesterday', 'updated_since'],
      ['updated_since=2026-02-30T00:00:00Z', 'updated_since'],
      ['updated_since=2026-02-01T24:00:00Z', 'updated_since'],
      ['offset=3', 'offset'],
    ]) {
      test(`contract §1: ?${query} is 400 invalid_parameter`, async () => {
        const { status, json } = await list(`?${query}`);
        assert.equal(status, 400);
        assert.equal(json.error.code, 'invalid_parameter');
        assert.equal(json.error.details[0].field, field);
      });
    }

    test('spec §4.1: status filters; omitted means all', async () => {
      await service.setReleaseStatus(ids[3]!, 'submitted');
      const { json } = await list('?status=submitted');
      assert.deepEqual(
        json.data.map(({ id }: { id: string }) => id),
        [ids[3]],
      );
      assert.equal((await list('?status=draft&limit=100')).json.data.length, 24);
      assert.equal((await list('?status=delivered')).json.data.length, 0);
    });

    test('contract §4: upc, reference, label and updated_since filter', async () => {
      const { json: release } = await lister.call('GET', `/v1/releases/${ids[5]}`);
      assert.deepEqual((await list(`?upc=${release.upc}`)).json.data, [release]);
      assert.deepEqual((await list('?reference=L19')).json.data, [release]);
      assert.equal((await list('?label=Lister&limit=100')).json.data.length, 25);
      assert.equal((await list('?label=None')).json.data.length, 0);
      const since = await list('?updated_since=2026-11-16T10:04:00Z&limit=100');
      assert.equal(since.json.data.length, 5);
      assert.equal((await list('?label=Lister&status=draft&limit=100')).json.data.length, 24);
    });

    test('contract §1: a cursor is bound to its filters, its list and its organization', async () => {
      const { json } = await list('?limit=2&label=Lister');
      const cursor = json.next_cursor as string;
      const bytes = Buffer.from(cursor, 'base64url');
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      const tampered = bytes.toString('base64url');
      const otherList = `/v1/releases/${ids[0]}/revisions?cursor=${cursor}`;
      const replies = await Promise.all([
        list(`?limit=2&cursor=${cursor}`),
        list(`?limit=2&label=Lister&cursor=${tampered}`),
        list('?cursor=abc'),
        list('?cursor='),
        lister.call('GET', otherList),
        label.call('GET', `/v1/releases?limit=2&label=Lister&cursor=${cursor}`),
      ]);
      for (const reply of replies) {
        assert.equal(reply.status, 400);
        assert.equal(reply.json.error.code, 'invalid_cursor');
      }
      assert.equal((await list(`?limit=9&label=Lister&cursor=${cursor}`)).status, 200);
    });

    test('spec §4.1: the order is by created_at, not by insertion', async () => {
      const partner = await service.givenOrganization();
      for (const hour of ['15', '13', '14']) {
        await service.clock.set(`2026-11-16T${hour}:00:00Z`);
        await create({ title: hour }, partner);
      }
      const { json } = await partner.call('GET', '/v1/releases');
      const titles = json.data.map(({ title }: { title: string }) => title);
      assert.deepEqual(titles, ['15', '14', '13']);
    });

    test('contract §1: positions keep their microseconds', async () => {
      const partner = await service.givenOrganization();
      const newestFirst: string[] = [];
      for (let i = 1; i <= 4; i++) {
        const { json } = await create({}, partner);
        await service.query(
          `update releases set created_at = '2026-01-01T00:00:00.00000${i}Z' where id = $1`,
          [toUuid(json.id)],
        );
        newestFirst.unshift(json.id);
      }
      const collected: string[] = [];
      let cursor = '';
      do {
        const page = await partner.call('GET', `/v1/releases?limit=1${cursor}`);
        collected.push(...page.json.data.map(({ id }: { id: string }) => id));
        cursor = page.json.next_cursor === null ? '' : `&cursor=${page.json.next_cursor}`;
      } while (cursor !== '');
      assert.deepEqual(collected, newestFirst);
    });

    test('contract §1: a release created meanwhile neither shifts nor repeats a page', async () => {
      const first = await list('?limit=10');
      await service.clock.set('2026-11-16T11:00:00Z');
      await create({}, lister);
      const second = await list(`?limit=10&cursor=${first.json.next_cursor}`);
      assert.deepEqual(
        second.json.data.map(({ id }: { id: string }) => id),
        ids.slice(10, 20),
      );
    });
  });
});
