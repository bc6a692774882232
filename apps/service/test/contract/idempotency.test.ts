/** Idempotency (spec §5.3, contract §8). One case per rule. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { until } from '../../../../scripts/servers/server.ts';
import { givenOAuthClient, givenToken } from '../oauth-fixture.ts';
import {
  type OrgClient,
  databaseUrl,
  draft,
  openTestService,
  type Reply,
  type TestService,
} from '../test-service.ts';

describe('contract §8: idempotency', () => {
  let service: TestService;
  let label: OrgClient;
  let enterprise: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T23:59:00Z' });
    label = await service.givenOrganization();
    enterprise = await service.givenOrganization({ tier: 'enterprise' });
  });
  after(() => service.close());

  const post = (key: string, body: unknown = draft(), caller = label) =>
    caller.call('POST', '/v1/releases', body, { 'idempotency-key': key });
  const countReleases = async () =>
    (await service.query('select count(*)::int as n from releases'))[0].n;
  const isReplay = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true';

  test('spec §5.3: a retry creates nothing and gets the same bytes', async () => {
    const key = randomUUID();
    const earlier = await countReleases();
    const first = await post(key);
    const second = await post(key);
    assert.equal(second.text, first.text);
    assert.deepEqual([first.status, second.status], [201, 201]);
    for (const name of ['location', 'etag', 'content-type']) {
      assert.equal(second.headers.get(name), first.headers.get(name));
    }
    assert.deepEqual([isReplay(first), isReplay(second)], [false, true]);
    assert.equal(await countReleases(), earlier + 1);
    assert.notEqual(second.headers.get('x-request-id'), first.headers.get('x-request-id'));
  });

  test('PATCH too: the change happens once', async () => {
    const { json } = await post(randomUUID());
    const key = { 'idempotency-key': randomUUID() };
    const patch = () => label.call('PATCH', `/v1/releases/${json.id}`, { title: 'Once' }, key);
    const first = await patch();
    const second = await patch();
    assert.equal(second.text, first.text);
    assert.equal(second.json.revision, 2);
  });

  test('the key may be quoted, and in upper or lower case', async () => {
    const key = randomUUID();
    const first = await post(key);
    assert.equal((await post(`"${key}"`)).text, first.text);
    assert.equal((await post(key.toUpperCase())).text, first.text);
  });

  for (const key of [
    '1',
    'not-a-uuid',
    '018f3f3e-0000-7000-8000-000000000000',
    '',
    `${randomUUID()}x`,
  ]) {
    test(`the key must be a UUID v4: ${key || 'empty'} → 400 invalid_idempotency_key`, async () => {
      const earlier = await countReleases();
      const { status, json } = await post(key);
      assert.deepEqual([status, json.error.code], [400, 'invalid_idempotency_key']);
      assert.equal(await countReleases(), earlier);
    });
  }

  test('same key, another body or path → 422 idempotency_key_reused', async () => {
    const key = randomUUID();
    const { json } = await post(key);
    const header = { 'idempotency-key': key };
    const replies = await Promise.all([
      post(key, draft({ title: 'Other' })),
      post(key, `${JSON.stringify(draft())} `),
      label.call('PATCH', `/v1/releases/${json.id}`, draft(), header),
    ]);
    for (const { status, json: body } of replies) {
      assert.deepEqual([status, body.error.code], [422, 'idempotency_key_reused']);
    }
  });

  test('the scope is the organization: another may use the same key', async () => {
    const key = randomUUID();
    const other = await service.givenOrganization();
    const [mine, theirs] = await Promise.all([post(key), post(key, draft(), other)]);
    assert.deepEqual([mine.status, theirs.status], [201, 201]);
    assert.notEqual(mine.json.id, theirs.json.id);
  });

  /** Another API key of the same organization. */
  const givenOtherKey = async ({ orgId }: OrgClient, scopes: string): Promise<string> => {
    const { secret = '' } = await service.admin(
      'key',
      'create',
      '--org',
      orgId,
      '--scopes',
      scopes,
    );
    return secret;
  };

  const secretCases = [
    ['an API key', '/v1/api_keys', { name: 'Finance', scopes: ['payouts:write'] }],
    ['an OAuth client', '/v1/oauth_clients', { name: 'Ledger', scopes: ['payouts:write'] }],
    ['a release', '/v1/releases', draft()],
  ] as const;
  for (const [what, path, body] of secretCases) {
    test(`contract §8: an answer is for the credential that made the request: ${what}`, async () => {
      const scopes = 'organization:write,requests:read,releases:write';
      const other = await givenOtherKey(enterprise, scopes);
      const header = { 'idempotency-key': randomUUID() };
      const made = await enterprise.call('POST', path, body, header);
      assert.equal(made.status, 201, made.text);
      const refused = await service.request(other, 'POST', path, body, header);
      assert.deepEqual([refused.status, refused.json.error.code], [422, 'idempotency_key_reused']);
      for (const value of [made.json.id, made.json.secret ?? made.json.id]) {
        assert.ok(!refused.text.includes(value), 'nothing of the stored answer');
      }
      assert.equal(refused.headers.get('location'), null);
      assert.equal((await enterprise.call('POST', path, body, header)).text, made.text);
    });
  }

  test('contract §8: all access tokens of an OAuth client are one credential', async () => {
    const client = await givenOAuthClient(enterprise);
    const tokens = [await givenToken(service, client), await givenToken(service, client)];
    const header = { 'idempotency-key': randomUUID() };
    const [first, second] = [
      await service.request(tokens[0], 'POST', '/v1/releases', draft(), header),
      await service.request(tokens[1], 'POST', '/v1/releases', draft(), header),
    ];
    assert.deepEqual([first.status, second.text], [201, first.text]);
  });

  test('contract §8: of two credentials with one key at the same time, one is executed', async () => {
    const other = await givenOtherKey(label, 'releases:write');
    for (let round = 0; round < 20; round++) {
      const key = randomUUID();
      const earlier = await countReleases();
      const replies = await Promise.all([
        post(key),
        service.request(other, 'POST', '/v1/releases', draft(), { 'idempotency-key': key }),
      ]);
      const [, refused] = replies.toSorted((a, b) => a.status - b.status);
      assert.equal(replies.filter(({ status }) => status === 201).length, 1);
      assert.match(refused?.json.error.code, /^idempotency_key_(in_use|reused)$/);
      assert.equal(await countReleases(), earlier + 1);
    }
  });

  test('same key in flight → 409 idempotency_key_in_use with Retry-After: 1', async () => {
    const key = randomUUID();
    const earlier = await countReleases();
    const locker = new pg.Client(databaseUrl(service.database));
    await locker.connect();
    // The table lock keeps the first request waiting inside its transaction.
    await locker.query('begin; lock table upc_blocks in exclusive mode');
    const first = post(key);
    await until('the first request waits', () => isWaiting(locker));
    const second = await post(key);
    assert.deepEqual([second.status, second.json.error.code], [409, 'idempotency_key_in_use']);
    assert.equal(second.headers.get('retry-after'), '1');
    await locker.query('commit');
    await locker.end();
    assert.equal((await first).status, 201);
    assert.equal((await post(key)).text, (await first).text);
    assert.equal(await countReleases(), earlier + 1);
  });

  const isWaiting = async (client: pg.Client) =>
    (
      await client.query(`select 1 from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = current_database() and not l.granted`)
    ).rows.length > 0;

  test('of fifty concurrent requests one is executed', async () => {
    const key = randomUUID();
    const earlier = await countReleases();
    const replies = await Promise.all(Array.from({ length: 50 }, () => post(key)));
    const created = replies.filter(({ status }) => status === 201);
    assert.equal(created.length + replies.filter(({ status }) => status === 409).length, 50);
    assert.equal(new Set(created.map(({ text }) => text)).size, 1);
    assert.equal(await countReleases(), earlier + 1);
  });

  test('stored: every refusal that the catalogue marks as stored, 409 and 412 included', async () => {
    const fields = { upc: '614141000036', label: 'Kept', release_date: '2027-09-01' };
    const { json } = await post(randomUUID(), draft(fields));
    await service.setReleaseStatus(json.id, 'submitted');
    const path = `/v1/releases/${json.id}`;
    const cases: readonly [status: number, send: (key: string) => Promise<Reply>][] = [
      [409, (key) => post(key, draft(fields))],
      [
        412,
        (key) =>
          label.call(
            'PATCH',
            path,
            { title: 'X' },
            { 'idempotency-key': key, 'if-match': '"old"' },
          ),
      ],
      [
        422,
        (key) => label.call('PATCH', path, { status: 'submitted' }, { 'idempotency-key': key }),
      ],
    ];
    for (const [status, send] of cases) {
      const key = randomUUID();
      const first = await send(key);
      const second = await send(key);
      assert.deepEqual([first.status, second.text], [status, first.text]);
      assert.equal(isReplay(second), true, String(status));
    }
  });

  test('not stored: an invalid field, a taken reference included', async () => {
    const taken = await post(randomUUID(), draft({ reference: 'taken' }));
    const key = randomUUID();
    assert.equal((await post(key, draft({ reference: 'taken' }))).status, 422);
    await label.call('DELETE', `/v1/releases/${taken.json.id}`);
    assert.equal((await post(key, draft({ reference: 'taken' }))).status, 201);
  });

  test('stored: a 4xx decided after execution began', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const path = '/v1/releases/rel_01h455vb4pex5vsknk084sn02q';
    const first = await label.call('PATCH', path, { title: 'X' }, key);
    const second = await label.call('PATCH', path, { title: 'X' }, key);
    assert.deepEqual([first.status, second.status], [404, 404]);
    assert.equal(second.text, first.text, 'the request_id of the first, byte for byte');
    assert.equal(isReplay(second), true);
  });

  test('a stored refusal adds no audit row', async () => {
    const withoutPool = await service.givenOrganization({ prefix: null });
    const key = randomUUID();
    const first = await post(key, draft(), withoutPool);
    assert.equal(first.json.error.code, 'upc_pool_exhausted');
    await service.admin('upc', 'add-range', '--org', withoutPool.orgId, '--prefix', '499999');
    assert.equal((await post(key, draft(), withoutPool)).text, first.text);
    assert.equal((await post(randomUUID(), draft(), withoutPool)).status, 201);
    const audits =
      await service.query(`select 1 from audit where action = 'release.create' and org_id =
      (select org_id from audit where audited_id = '${withoutPool.orgId}' and action = 'org.create')`);
    assert.equal(audits.length, 1, 'only the accepted one is audited');
  });

  test('not stored: validation errors, so the corrected request may keep its key', async () => {
    for (const bad of [
      {},
      draft({ colour: 1 }),
      draft({ territories: ['ZZ'] }),
      draft({ upc: '1' }),
    ]) {
      const key = randomUUID();
      assert.equal((await post(key, bad)).status, 422);
      assert.equal((await post(key)).status, 201);
    }
  });

  test('not stored: 401 and 403', async () => {
    const key = randomUUID();
    const reader = await service.admin(
      'key',
      'create',
      '--org',
      label.orgId,
      '--scopes',
      'releases:read',
    );
    const header = { 'idempotency-key': key };
    assert.equal(
      (await service.request(undefined, 'POST', '/v1/releases', draft(), header)).status,
      401,
    );
    const forbidden = await service.request(
      reader['secret'],
      'POST',
      '/v1/releases',
      draft(),
      header,
    );
    assert.equal(forbidden.status, 403);
    assert.equal((await post(key)).status, 201);
  });

  test('bodies are sealed at rest', async () => {
    await post(randomUUID(), draft({ title: 'Plainly Visible' }));
    const rows = await service.query('select body from idempotency_keys');
    assert.ok(rows.length > 0);
    for (const { body } of rows) assert.ok(!body.toString('latin1').includes('Plainly'));
  });

  test('spec §8: a key is stored for 24 hours, across midnight and the change of partition', async () => {
    await service.clock.set('2026-11-15T23:59:59.500Z');
    const key = randomUUID();
    const first = await post(key);
    for (const later of [
      '2026-11-16T00:00:00.500Z',
      '2026-11-16T12:00:00Z',
      '2026-11-16T23:59:59Z',
    ]) {
      await service.clock.set(later);
      const retry = await post(key);
      assert.equal(retry.text, first.text, later);
      assert.equal(isReplay(retry), true);
    }
    const [{ n }] = await service.query(
      'select count(distinct tableoid)::int as n from idempotency_keys',
    );
    assert.ok(n >= 1);
    await service.clock.set('2026-11-17T00:00:00.000Z');
    assert.notEqual(
      (await post(key)).text,
      first.text,
      'after the second midnight it is a new request',
    );
  });

  test('spec §8: a retry finds its key also in a process whose clock is behind, before midnight', async () => {
    await service.clock.set('2026-11-20T00:00:30Z');
    const key = randomUUID();
    const first = await post(key);
    await service.clock.set('2026-11-19T23:59:40Z');
    const retry = await post(key);
    assert.equal(retry.text, first.text);
    assert.equal(isReplay(retry), true);
  });

  test('every accepted mutation leaves one audit row with its actor and request', async () => {
    const partner = await service.givenOrganization();
    const { json, headers } = await post(randomUUID(), draft(), partner);
    await partner.call('PATCH', `/v1/releases/${json.id}`, { title: 'Two' });
    await partner.call('PATCH', `/v1/releases/${json.id}`, { title: '' });
    await partner.call('DELETE', `/v1/releases/${json.id}`);
    const rows = await service.query(
      `select action, actor_type, actor_id like 'key\\_%' as by_key, request_id is not null as has_request
         from audit where audited_id = $1 order by id`,
      [json.id],
    );
    assert.deepEqual(
      rows,
      ['release.create', 'release.update', 'release.delete'].map((action) => ({
        action,
        actor_type: 'api_key',
        by_key: true,
        has_request: true,
      })),
    );
    assert.ok(headers.get('x-request-id'));
  });
});
