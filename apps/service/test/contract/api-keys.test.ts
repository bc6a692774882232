/** API keys that partners manage themselves: contract §4, §5. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { scopes } from '../../src/kernel/scope.ts';
import {
  draft,
  type OrgClient,
  openTestService,
  type Reply,
  type TestService,
} from '../test-service.ts';

const now = '2026-11-16T12:00:00.000Z';

describe('contract §4: /v1/api_keys', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now });
  });
  beforeEach(async () => {
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const create = (fields: object = {}, caller = label, headers = {}): Promise<Reply> =>
    caller.call(
      'POST',
      '/v1/api_keys',
      { name: 'Importer', scopes: ['releases:read'], ...fields },
      headers,
    );
  const callWith = (secret: string, method: string, path: string, body?: unknown) =>
    service.request(secret, method, path, body);
  const keysOf = async (caller = label) => (await caller.call('GET', '/v1/api_keys')).json.data;
  const codeOf = ({ status, json }: Reply) => [status, json.error.code];
  const advance = (ms: number) =>
    service.clock.set(new Date(service.clock.now().getTime() + ms).toISOString());

  test('contract §4: POST answers 201 with the secret once; GET and the list show it without', async () => {
    const { status, json, headers } = await create({ expires_at: '2027-01-31T00:00:00Z' });
    assert.equal(status, 201);
    const { secret, ...key } = json;
    assert.match(secret, /^ta_test_[0-9A-Za-z]{36}$/);
    assert.deepEqual(key, {
      id: key.id,
      name: 'Importer',
      hint: secret.slice(-4),
      scopes: ['releases:read'],
      expires_at: '2027-01-31T00:00:00.000Z',
      revoked_at: null,
      last_used_at: null,
      created_at: service.clock.now().toISOString(),
      created_by: key.created_by,
    });
    assert.equal(key.created_by.type, 'api_key');
    assert.equal(headers.get('location'), `/v1/api_keys/${key.id}`);
    const read = await label.call('GET', `/v1/api_keys/${key.id}`);
    assert.deepEqual(read.json, key);
    assert.equal(read.headers.get('etag'), headers.get('etag'), 'of the key without its secret');
    const [newest, first] = await keysOf();
    assert.deepEqual(newest, key);
    assert.equal(first.id, key.created_by.id, 'the key that made it');
    assert.equal(first.created_by.type, 'operator');
    assert.equal((await callWith(secret, 'GET', '/v1/releases')).status, 200);
    assert.deepEqual(codeOf(await callWith(secret, 'POST', '/v1/releases', draft())), [
      403,
      'insufficient_scope',
    ]);
  });

  test('contract §8: a replay returns the same key and secret; only the hash of the secret is stored', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await create({}, label, headers);
    const second = await create({}, label, headers);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(second.json, first.json);
    assert.equal((await keysOf()).length, 2);
    const tables = ['api_keys', 'credentials', 'idempotency_keys', 'audit'];
    for (const table of tables) {
      const rows = JSON.stringify(await service.query(`select t::text from ${table} t`));
      assert.ok(!rows.includes(first.json.secret.slice(8, 30)), table);
    }
  });

  test('contract §5: a key never grants more scopes than its maker has; the refusal names each', async () => {
    const { json } = await create({ scopes: ['organization:write', 'stores:read'] });
    const maker: OrgClient = { ...label, call: (...args) => service.request(json.secret, ...args) };
    const wanted = ['stores:read', 'releases:write', 'payouts:read'];
    const refused = await create({ scopes: wanted }, maker);
    assert.deepEqual(codeOf(refused), [403, 'insufficient_scope']);
    assert.match(refused.json.error.message, /releases:write, payouts:read/);
    assert.deepEqual(
      refused.json.error.details.map(({ field }: { field: string }) => field),
      ['scopes[1]', 'scopes[2]'],
    );
    assert.equal((await keysOf()).length, 2, 'nothing was created');
    const granted = await create({ scopes: ['stores:read', 'stores:read'] }, maker);
    assert.equal(granted.status, 201);
    assert.deepEqual(granted.json.scopes, ['stores:read'], 'each once');
    assert.deepEqual(granted.json.created_by, { type: 'api_key', id: json.id });
  });

  test('contract §5: a key with every scope may grant every scope, a reader none', async () => {
    assert.equal((await create({ scopes })).status, 201);
    const { json } = await create({ scopes: ['organization:read'] });
    const refused = await callWith(json.secret, 'POST', '/v1/api_keys', { name: 'x', scopes: [] });
    assert.deepEqual(codeOf(refused), [403, 'insufficient_scope']);
    assert.match(refused.json.error.message, /organization:write/);
    assert.match(refused.headers.get('www-authenticate') ?? '', /scope="organization:write"/);
  });

  test('contract §5: a key stays valid when the key that made it is revoked', async () => {
    const { json: maker } = await create({ scopes: ['organization:write', 'releases:read'] });
    const made = await callWith(maker.secret, 'POST', '/v1/api_keys', {
      name: 'Second',
      scopes: ['releases:read'],
    });
    assert.equal((await label.call('DELETE', `/v1/api_keys/${maker.id}`)).status, 204);
    await advance(5_000);
    assert.equal((await callWith(maker.secret, 'GET', '/v1/releases')).status, 401);
    assert.equal((await callWith(made.json.secret, 'GET', '/v1/releases')).status, 200);
  });

  const refusals: readonly [what: string, fields: object, code: string, field: string][] = [
    ['an unknown scope', { scopes: ['releases:destroy'] }, 'invalid_field', 'scopes[0]'],
    ['no scope', { scopes: [] }, 'invalid_field', 'scopes'],
    ['a blank name', { name: ' ' }, 'invalid_field', 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'invalid_field', 'name'],
    [
      'an expiry in the past',
      { expires_at: '2026-11-16T11:59:59Z' },
      'invalid_field',
      'expires_at',
    ],
    ['an expiry now', { expires_at: now }, 'invalid_field', 'expires_at'],
    ['an expiry that is no time', { expires_at: 'soon' }, 'invalid_field', 'expires_at'],
    ['a secret of its own', { secret: 'ta_test_x' }, 'read_only_field', 'secret'],
    ['an unknown field', { tier: 'enterprise' }, 'unknown_field', 'tier'],
  ];
  for (const [what, fields, code, field] of refusals) {
    test(`contract §7: ${what} → 422 ${code}, and nothing is created`, async () => {
      const clean = await openKeysAt(now);
      const refused = await create(fields, clean);
      assert.deepEqual(codeOf(refused), [422, code]);
      assert.equal(refused.json.error.details[0].field, field);
      assert.equal((await keysOf(clean)).length, 1);
    });
  }
  /** Refusals about time need a known time; other tests have moved the clock. */
  const openKeysAt = async (at: string): Promise<OrgClient> => {
    const caller = await service.givenOrganization();
    await service.clock.set(at);
    return caller;
  };

  test('contract §7: name and scopes are required, and both are listed', async () => {
    const refused = await label.call('POST', '/v1/api_keys', {});
    assert.deepEqual(codeOf(refused), [422, 'missing_required_field']);
    assert.equal(refused.json.error.details.length, 2);
  });

  test('contract §5: an expiry in the past is refused to operators too', async () => {
    const flags = ['--org', label.orgId, '--expires', '2020-01-01'];
    await assert.rejects(service.admin('key', 'create', ...flags), /must be in the future/);
    assert.equal((await keysOf()).length, 1);
  });

  test('contract §5: a created key expires with 401 token_expired', async () => {
    const expires_at = new Date(service.clock.now().getTime() + 60_000).toISOString();
    const { json } = await create({ expires_at });
    assert.equal((await callWith(json.secret, 'GET', '/v1/releases')).status, 200);
    await advance(60_000);
    assert.deepEqual(codeOf(await callWith(json.secret, 'GET', '/v1/releases')), [
      401,
      'token_expired',
    ]);
  });

  test('contract §4: DELETE answers 204, also the second time, and the key is refused within 5 s', async () => {
    const { json } = await create();
    assert.equal((await callWith(json.secret, 'GET', '/v1/releases')).status, 200);
    assert.equal((await label.call('DELETE', `/v1/api_keys/${json.id}`)).status, 204);
    const { revoked_at } = (await label.call('GET', `/v1/api_keys/${json.id}`)).json;
    assert.equal(revoked_at, service.clock.now().toISOString());
    await advance(5_000);
    assert.deepEqual(codeOf(await callWith(json.secret, 'GET', '/v1/releases')), [
      401,
      'invalid_credentials',
    ]);
    assert.equal((await label.call('DELETE', `/v1/api_keys/${json.id}`)).status, 204);
    const again = (await label.call('GET', `/v1/api_keys/${json.id}`)).json;
    assert.equal(again.revoked_at, revoked_at, 'the time of the first revocation');
    assert.equal(again.created_by.type, 'api_key', 'who made it, not who revoked it');
  });

  test('contract §4: a key may revoke itself', async () => {
    const { json } = await create({ scopes: ['organization:write'] });
    assert.equal((await callWith(json.secret, 'DELETE', `/v1/api_keys/${json.id}`)).status, 204);
    await advance(5_000);
    assert.equal((await callWith(json.secret, 'DELETE', `/v1/api_keys/${json.id}`)).status, 401);
  });

  test('contract §5: unknown, malformed and foreign ids answer alike', async () => {
    const other = await service.givenOrganization();
    const { json } = await create({}, other);
    const ids = ['key_01h455vb4pex5vsknk084sn02q', 'nonsense', json.id];
    for (const method of ['GET', 'DELETE']) {
      const texts = [];
      for (const id of ids) {
        const reply = await label.call(method, `/v1/api_keys/${id}`);
        assert.deepEqual(codeOf(reply), [404, 'resource_not_found']);
        texts.push(reply.text.replace(/req_\w+/, 'req'));
      }
      assert.equal(new Set(texts).size, 1);
    }
    assert.equal((await callWith(json.secret, 'GET', '/v1/releases')).status, 200, 'not revoked');
  });

  test('contract §1: the list has pages, newest first', async () => {
    const ids = [];
    for (const name of ['a', 'b', 'c']) {
      await advance(1_000);
      ids.unshift((await create({ name })).json.id);
    }
    const first = (await label.call('GET', '/v1/api_keys?limit=2')).json;
    assert.deepEqual([first.data.length, first.has_more], [2, true]);
    const second = await label.call('GET', `/v1/api_keys?limit=2&cursor=${first.next_cursor}`);
    const listed = [...first.data, ...second.json.data].map(({ id }: { id: string }) => id);
    assert.deepEqual(listed.slice(0, 3), ids);
    assert.equal(second.json.has_more, false);
    const other = await service.givenOrganization();
    const stolen = await other.call('GET', `/v1/api_keys?cursor=${first.next_cursor}`);
    assert.deepEqual(codeOf(stolen), [400, 'invalid_cursor']);
  });

  test('contract §7: at most 100 active keys; a revoked or expired one frees its place', async () => {
    await service.query(
      `insert into api_keys (org_id, id, name, hint, scopes, created_at, updated_at, actor_type, actor_id)
       select org_id, gen_random_uuid(), 'many', 'hint', scopes, created_at, updated_at, actor_type, actor_id
         from api_keys, generate_series(1, 98) where id = (select id from api_keys order by id desc limit 1)`,
    );
    const last = await create({ expires_at: '2099-01-01T00:00:00Z' });
    assert.equal(last.status, 201);
    const beyond = await Promise.all([create(), create()]);
    for (const refused of beyond) {
      assert.deepEqual(codeOf(refused), [429, 'quota_exceeded']);
      assert.equal(refused.json.error.details[0].field, 'api_keys');
      assert.match(refused.json.error.message, /at most 100 .* revoked or expires/);
      assert.equal(refused.headers.get('retry-after'), '3600');
    }
    await label.call('DELETE', `/v1/api_keys/${last.json.id}`);
    const raced = await Promise.all([create(), create(), create()]);
    assert.deepEqual(raced.map(({ status }) => String(status)).toSorted(), ['201', '429', '429']);
  });

  test('contract §4: the last use is shown to the minute, and is no change of the key', async () => {
    const { json } = await create();
    const lastUse = async () =>
      (await label.call('GET', `/v1/api_keys/${json.id}`)).json.last_used_at;
    const use = () => callWith(json.secret, 'GET', '/v1/releases');
    await use();
    assert.equal(await lastUse(), null, 'noted in memory only');
    const firstUse = service.clock.now().toISOString();
    await service.keyUses.flush();
    assert.equal(await lastUse(), firstUse);
    await advance(30_000);
    await use();
    await service.keyUses.flush();
    assert.equal(await lastUse(), firstUse, 'at most once a minute');
    await advance(30_000);
    await use();
    await service.keyUses.flush();
    assert.equal(await lastUse(), service.clock.now().toISOString());
    const rows = await service.query('select action from audit where actor_id = $1', ['key-uses']);
    assert.deepEqual(rows, []);
    const otherEnd = json.secret.endsWith('x') ? 'y' : 'x';
    const mistyped = `${json.secret.slice(0, -1)}${otherEnd}`;
    const refused = await callWith(mistyped, 'GET', '/v1/releases');
    assert.equal(refused.status, 401);
  });

  test('contract §4: a use that could not be written is written by the next flush', async () => {
    const { json } = await create();
    await callWith(json.secret, 'GET', '/v1/releases');
    await service.query('revoke update (last_used_at) on api_keys from tonearm_app');
    await assert.rejects(service.keyUses.flush(), /permission denied/);
    await service.query('grant update (last_used_at) on api_keys to tonearm_app');
    await service.keyUses.flush();
    const { last_used_at } = (await label.call('GET', `/v1/api_keys/${json.id}`)).json;
    assert.equal(last_used_at, service.clock.now().toISOString());
  });

  test('architecture §4: the api adds hashes of secrets and can read none', async () => {
    const [row] = await service.query(
      `select has_table_privilege('tonearm_app', 'credentials', 'select') as reads,
              has_any_column_privilege('tonearm_app', 'credentials', 'select') as reads_a_column,
              has_any_column_privilege('tonearm_app', 'credentials', 'update') as updates,
              has_column_privilege('tonearm_app', 'api_keys', 'scopes', 'update') as widens`,
    );
    assert.deepEqual(row, { reads: false, reads_a_column: false, updates: false, widens: false });
  });
});
