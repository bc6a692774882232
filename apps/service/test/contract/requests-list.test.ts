/** The list of requests and its filters (contract §1, §4). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { draft, openTestService, type OrgClient, type TestService } from '../test-service.ts';

type Item = { readonly id: string; readonly path: string; readonly status: number };

describe('GET /v1/requests', () => {
  let service: TestService;
  let partner: OrgClient;
  let otherKey: string;
  let sent: string[];
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    partner = await service.givenOrganization();
    ({ secret: otherKey = '' } = await service.admin('key', 'create', '--org', partner.orgId));
    const replies = [
      await partner.call('POST', '/v1/releases', draft()),
      await partner.call('POST', '/v1/releases', {}),
      await partner.call('GET', '/v1/releases/rel_x'),
      await service.request(otherKey, 'GET', '/v1/tracks'),
    ];
    await service.clock.set('2026-11-15T13:00:00Z');
    replies.push(await partner.call('GET', '/v1/releases?limit=5'));
    sent = replies.map(({ headers }) => headers.get('x-request-id') ?? '');
    await service.flushRequests();
  });
  after(() => service.close());

  /** The list's own requests are recorded too, but written only by `flushRequests`. */
  const list = async (query: string, caller = partner): Promise<Item[]> => {
    const { status, json, text } = await caller.call('GET', `/v1/requests?${query}`);
    assert.equal(status, 200, text);
    return json.data;
  };
  const numbersOf = (items: readonly Item[]) => items.map(({ id }) => sent.indexOf(id));

  test('contract §1: newest first, in keyset pages', async () => {
    assert.deepEqual(numbersOf(await list('')), [4, 3, 2, 1, 0]);
    const seen: number[] = [];
    let cursor = '';
    do {
      const { json } = await partner.call('GET', `/v1/requests?limit=2${cursor}`);
      seen.push(...numbersOf(json.data));
      assert.equal(json.has_more, json.next_cursor !== null);
      cursor = json.has_more ? `&cursor=${json.next_cursor}` : '';
    } while (cursor !== '');
    assert.deepEqual(seen, [4, 3, 2, 1, 0]);
  });

  const filters: readonly (readonly [query: () => string, found: readonly number[]])[] = [
    [() => 'status=201', [0]],
    [() => 'status=4xx', [2, 1]],
    [() => 'status=2xx', [4, 3, 0]],
    [() => 'code=missing_required_field', [1]],
    [() => 'code=resource_not_found&status=422', []],
    [() => 'method=POST', [1, 0]],
    [() => 'path=/v1/releases/', [2]],
    [() => 'path=/v1/releases&method=GET', [4, 2]],
    [() => 'since=2026-11-15T12:30:00Z', [4]],
    [() => 'until=2026-11-15T12:30:00Z', [3, 2, 1, 0]],
    [() => 'since=1800-01-01T00:00:00Z', [4, 3, 2, 1, 0]],
    [() => 'until=1800-01-01T00:00:00Z', []],
    [() => `actor=${otherActor}`, [3]],
  ];
  let otherActor: string;
  for (const [query, found] of filters) {
    test(`contract §4: ${query().replace(/undefined/, 'key_…')} finds ${found.length}`, async () => {
      const item = (await partner.call('GET', `/v1/requests/${sent[3]}`)).json;
      otherActor = item.actor.id;
      assert.deepEqual(numbersOf(await list(query())), found);
    });
  }

  test('contract §1: a malformed filter is 400 invalid_parameter', async () => {
    for (const query of [
      'status=abc',
      'status=600',
      'code=nonsense',
      'method=TRACE',
      'actor=rel_01h455vb4pex5vsknk084sn02q',
      'since=yesterday',
      'limit=101',
      'unknown=1',
    ]) {
      const { status, json } = await partner.call('GET', `/v1/requests?${query}`);
      assert.equal(status, 400, query);
      assert.equal(json.error.code, 'invalid_parameter', query);
    }
  });

  test('contract §1: a cursor is bound to its filters', async () => {
    const { json } = await partner.call('GET', '/v1/requests?limit=1&status=4xx');
    const { status } = await partner.call('GET', `/v1/requests?cursor=${json.next_cursor}`);
    assert.equal(status, 400);
  });

  test('contract §5: another organization sees none of them', async () => {
    const stranger = await service.givenOrganization();
    assert.deepEqual(await list('', stranger), []);
  });

  test('a rare match among many requests is found page by page, each of bounded work', async () => {
    const busy = await service.givenOrganization();
    const org = toUuid(busy.orgId as Id<'org'>);
    await service.query(
      `insert into requests (org_id, id, method, path, status, actor_type, actor_id, address, duration_ms,
                             request_headers, request_bytes, answer_headers, answer_bytes)
       select $1, uuid7_floor('2026-11-15T10:00:00Z'::timestamptz + n * interval '1 ms'),
              case n when 1 then 'PATCH' else 'GET' end, '/v1/releases', 200, 'api_key', 'key', '127.0.0.1', 1,
              '{}', 0, '{}', 0
         from generate_series(1, 12000) n`,
      [org],
    );
    const pages: number[] = [];
    let cursor = '';
    do {
      const { json } = await busy.call('GET', `/v1/requests?method=PATCH${cursor}`);
      pages.push(json.data.length);
      cursor = json.has_more ? `&cursor=${json.next_cursor}` : '';
    } while (cursor !== '');
    assert.deepEqual(pages, [0, 0, 1]);
  });
});
