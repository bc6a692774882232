/** API keys (spec §5.1, contract §5). One case per rule; `access-matrix.test.ts` visits every route. */

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { keyRandomBytes, makeKey } from '../../src/identity/domain/api-key.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

describe('contract §5: authentication', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const get = (headers: Record<string, string>) =>
    service.request(undefined, 'GET', '/v1/releases', undefined, headers);

  test('a key is ta_test_ + 30 base62 + 6 base62 of CRC32; only its SHA-256 is stored', async () => {
    assert.match(label.key, /^ta_test_[0-9A-Za-z]{36}$/);
    const [row] = await service.query(`select encode(sha256, 'hex') as sha256 from credentials`);
    assert.equal(row.sha256, createHash('sha256').update(label.key).digest('hex'));
    const dump = JSON.stringify(await service.query('select * from api_keys'));
    assert.ok(!dump.includes(label.key.slice(8, 30)));
  });

  test('Authorization: Bearer and X-API-Key are both accepted; the scheme in any case', async () => {
    assert.equal((await get({ authorization: `Bearer ${label.key}` })).status, 200);
    assert.equal((await get({ authorization: `bearer ${label.key}` })).status, 200);
    assert.equal((await get({ 'x-api-key': label.key })).status, 200);
  });

  test('both at once → 400 invalid_request', async () => {
    const { status, json } = await get({
      authorization: `Bearer ${label.key}`,
      'x-api-key': label.key,
    });
    assert.deepEqual([status, json.error.code], [400, 'invalid_request']);
  });

  test('none → 401 authentication_required with WWW-Authenticate', async () => {
    const { status, json, headers } = await get({});
    assert.deepEqual([status, json.error.code], [401, 'authentication_required']);
    assert.equal(headers.get('www-authenticate'), 'Bearer realm="tonearm"');
  });

  const neverIssued = () => makeKey('sandbox', randomBytes(keyRandomBytes), crc32);
  const last = (key: string) => (key.endsWith('0') ? '1' : '0');
  const wrong: readonly [what: string, header: (key: string) => string][] = [
    ['a mistyped key', (key) => `Bearer ${key.slice(0, -1)}${last(key)}`],
    ['a key cut off', (key) => `Bearer ${key.slice(0, -4)}`],
    ['another scheme', (key) => `Basic ${key}`],
    ['an empty token', () => 'Bearer '],
    ['garbage', () => 'Bearer ../../etc/passwd'],
    ['a key never issued, with a right checksum', () => `Bearer ${neverIssued()}`],
    ['a live key in the sandbox', (key) => `Bearer ${key.replace('test', 'live')}`],
  ];
  for (const [what, header] of wrong) {
    test(`${what} → 401 invalid_credentials`, async () => {
      const { status, json, headers } = await get({ authorization: header(label.key) });
      assert.deepEqual([status, json.error.code], [401, 'invalid_credentials']);
      assert.match(headers.get('www-authenticate') ?? '', /error="invalid_token"/);
    });
  }

  test('the environments accept only their own keys', async () => {
    const live = await openTestService({ environment: 'live' });
    const partner = await live.givenOrganization();
    assert.match(partner.key, /^ta_live_/);
    assert.equal((await partner.call('GET', '/v1/releases')).status, 200);
    const crossed = await live.request(label.key, 'GET', '/v1/releases');
    assert.deepEqual([crossed.status, crossed.json.error.code], [401, 'invalid_credentials']);
    assert.match(crossed.json.error.message, /live environment/);
    await live.close();
  });

  test('the same organization id can be provisioned in both environments', async () => {
    const live = await openTestService({ environment: 'live' });
    const flags = ['--name', 'Both', '--tier', 'growth', '--id', label.orgId];
    assert.equal((await live.admin('org', 'create', ...flags))['id'], label.orgId);
    await live.close();
  });

  test('an expired key → 401 token_expired', async () => {
    const expires = ['--expires', '2026-11-20T00:00:00Z'];
    const { secret = '' } = await service.admin('key', 'create', '--org', label.orgId, ...expires);
    assert.equal((await service.request(secret, 'GET', '/v1/releases')).status, 200);
    await service.clock.set('2026-11-19T23:59:59.999Z');
    assert.equal((await service.request(secret, 'GET', '/v1/releases')).status, 200);
    await service.clock.set('2026-11-20T00:00:00Z');
    const { status, json } = await service.request(secret, 'GET', '/v1/releases');
    assert.deepEqual([status, json.error.code], [401, 'token_expired']);
    assert.equal((await label.call('GET', '/v1/releases')).status, 200, 'other keys still work');
  });

  test('a revoked key is refused within 5 s, and other keys still work', async () => {
    const { secret = '', id = '' } = await service.admin('key', 'create', '--org', label.orgId);
    assert.equal((await service.request(secret, 'GET', '/v1/releases')).status, 200);
    await service.admin('key', 'revoke', '--org', label.orgId, '--key', id);
    await service.clock.set('2026-11-20T00:00:05Z');
    const { status, json } = await service.request(secret, 'GET', '/v1/releases');
    assert.deepEqual([status, json.error.code], [401, 'invalid_credentials']);
    assert.equal((await label.call('GET', '/v1/releases')).status, 200);
  });

  test('a suspended organization reads, but changes nothing; resumed, it writes again', async () => {
    const other = await service.givenOrganization();
    await service.admin('org', 'suspend', '--org', other.orgId);
    assert.equal((await other.call('GET', '/v1/releases')).status, 200);
    const { status, json } = await other.call('POST', '/v1/releases', draft());
    assert.deepEqual([status, json.error.code], [403, 'organization_suspended']);
    assert.deepEqual((await other.call('GET', '/v1/releases')).json.data, []);
    await service.admin('org', 'resume', '--org', other.orgId);
    await service.clock.set('2026-11-20T00:00:10Z');
    assert.equal((await other.call('POST', '/v1/releases', draft())).status, 201);
  });

  test('authenticated answers, refusals too, are private and never stored by a cache', async () => {
    const answers = [
      await label.call('GET', '/v1/releases'),
      await label.call('GET', '/v1/releases/rel_x'),
      await get({}),
    ];
    for (const { headers } of answers)
      assert.equal(headers.get('cache-control'), 'private, no-store');
  });

  test('a refusal leaves no trace: nothing is created without the scope', async () => {
    const reader = await service.givenOrganization({ scopes: 'releases:read' });
    assert.equal((await reader.call('POST', '/v1/releases', draft())).status, 403);
    assert.deepEqual((await reader.call('GET', '/v1/releases')).json.data, []);
  });
});
