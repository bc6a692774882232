/** OAuth clients and their secrets (spec §5.1, contract §4, §5), and the limits of the token endpoint. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createLocalLimiter } from '../../src/platform/cache/local-limiter.ts';
import { givenOAuthClient, postToken, requestToken } from '../oauth-fixture.ts';
import { openTestService, type OrgClient, type TestService, unlimited } from '../test-service.ts';

const path = '/v1/oauth_clients';

describe('contract §4: /v1/oauth_clients', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization({ tier: 'enterprise', prefix: null });
  });
  after(() => service.close());

  const create = (caller: OrgClient, scopes: readonly string[], headers = {}) =>
    caller.call('POST', path, { name: 'Sync', scopes }, headers);
  const auditsOf = (id: string) =>
    service.query('select action from audit where audited_id = $1 order by id', [id]);

  test('201 with the secret once; reads show hints; a replay shows the secret again', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await create(label, ['releases:read', 'releases:read'], key);
    const { json, headers } = first;
    assert.equal(first.status, 201);
    assert.match(json.id, /^oac_/);
    assert.match(json.secret, /^ta_cs_[0-9A-Za-z]{38}$/);
    assert.equal(headers.get('location'), `${path}/${json.id}`);
    assert.deepEqual(json.scopes, ['releases:read']);
    assert.equal(json.secrets[0].hint, json.secret.slice(-4));
    const replay = await create(label, ['releases:read', 'releases:read'], key);
    assert.equal(replay.text, first.text);
    assert.equal(replay.headers.get('idempotency-replayed'), 'true');
    const { secret: _secret, ...shown } = json;
    const one = await label.call('GET', `${path}/${json.id}`);
    assert.deepEqual(one.json, shown);
    assert.equal(one.headers.get('etag'), headers.get('etag'));
    assert.deepEqual((await label.call('GET', path)).json.data[0], shown);
    assert.deepEqual(await auditsOf(json.id), [{ action: 'oauth_client.create' }]);
  });

  test('lists newest first, page by page', async () => {
    const partner = await service.givenOrganization({ tier: 'enterprise', prefix: null });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await givenOAuthClient(partner)).id);
    const first = (await partner.call('GET', `${path}?limit=2`)).json;
    assert.equal(first.has_more, true);
    const second = (await partner.call('GET', `${path}?limit=2&cursor=${first.next_cursor}`)).json;
    const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);
    assert.deepEqual([...idsOf(first), ...idsOf(second)], ids);
  });

  test('contract §5: a client never grants more scopes than its maker has; the missing ones are named', async () => {
    const flags = ['--scopes', 'organization:write,organization:read,releases:read'];
    const { secret: key = '' } = await service.admin(
      'key',
      'create',
      '--org',
      label.orgId,
      ...flags,
    );
    const weak: OrgClient = { ...label, key, call: (...args) => service.request(key, ...args) };
    const earlier = (await weak.call('GET', path)).text;
    const { status, json } = await create(weak, ['releases:read', 'payouts:write', 'audit:read']);
    assert.deepEqual([status, json.error.code], [403, 'insufficient_scope']);
    assert.match(json.error.message, /payouts:write, audit:read/);
    assert.deepEqual(
      json.error.details.map(({ field }: { field: string }) => field),
      ['scopes[1]', 'scopes[2]'],
    );
    assert.equal((await weak.call('GET', path)).text, earlier, 'nothing was created');

    // A new secret of a stronger client would be a way around it.
    const strong = await givenOAuthClient(label, ['payouts:write']);
    const refused = await weak.call('POST', `${path}/${strong.id}/secrets`, {});
    assert.deepEqual([refused.status, refused.json.error.code], [403, 'insufficient_scope']);
    const { json: unchanged } = await weak.call('GET', `${path}/${strong.id}`);
    assert.equal(unchanged.secrets.length, 1);
    assert.equal((await create(weak, ['releases:read'])).status, 201);
  });

  test('below the enterprise tier every route is 403 tier_not_allowed', async () => {
    const growth = await service.givenOrganization({ prefix: null });
    const { status, json } = await create(growth, ['releases:read']);
    assert.deepEqual([status, json.error.code], [403, 'tier_not_allowed']);
    assert.equal((await growth.call('GET', path)).json.error.code, 'tier_not_allowed');
  });

  test('secrets overlap: a new one works at once, and the old one until its grace period ends', async () => {
    const { id, secret } = await givenOAuthClient(label);
    const added = await label.call('POST', `${path}/${id}/secrets`, { grace_period_seconds: 600 });
    assert.equal(added.status, 201, added.text);
    assert.notEqual(added.json.secret, secret);
    const [old, fresh] = added.json.secrets;
    assert.equal(old.expires_at, '2026-11-15T12:10:00.000Z');
    assert.equal(fresh.expires_at, null);
    for (const each of [secret, added.json.secret])
      assert.equal((await requestToken(service, { id, secret: each })).status, 200);
    const { json } = await label.call('GET', `${path}/${id}`);
    assert.ok(json.secrets.every((each: { last_used_at: string }) => each.last_used_at !== null));
    // A shorter grace period shortens, a longer one does not prolong.
    const longer = await label.call('POST', `${path}/${id}/secrets`, {
      grace_period_seconds: 9_000,
    });
    assert.equal(longer.json.secrets[0].expires_at, '2026-11-15T12:10:00.000Z');
    const shorter = await label.call('POST', `${path}/${id}/secrets`, { grace_period_seconds: 0 });
    assert.equal(shorter.json.secrets.length, 1);
    assert.equal((await requestToken(service, { id, secret })).json.error, 'invalid_client');
  });

  test('without grace_period_seconds the others stay until they are revoked', async () => {
    const { id, secret, secretId } = await givenOAuthClient(label);
    const { json } = await label.call('POST', `${path}/${id}/secrets`, {});
    assert.equal(json.secrets[0].expires_at, null);
    const revoke = () => label.call('DELETE', `${path}/${id}/secrets/${secretId}`);
    assert.equal((await revoke()).status, 204);
    assert.equal((await revoke()).json.error.code, 'resource_not_found');
    assert.equal((await requestToken(service, { id, secret })).json.error, 'invalid_client');
    assert.equal((await requestToken(service, { id, secret: json.secret })).status, 200);
    assert.deepEqual(
      (await auditsOf(id)).map(({ action }) => action),
      ['oauth_client.create', 'oauth_client.add_secret', 'oauth_client.revoke_secret'],
    );
  });

  test('at most 5 secrets work at once, also when they are added concurrently', async () => {
    const { id } = await givenOAuthClient(label);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => label.call('POST', `${path}/${id}/secrets`, {})),
    );
    const statuses = replies.map(({ status }) => String(status)).toSorted();
    assert.equal(statuses.join(' '), '201 201 201 201 409 409 409 409');
    const { json } = await label.call('GET', `${path}/${id}`);
    assert.equal(json.secrets.length, 5);
    const refused = replies.find(({ status }) => status === 409);
    assert.equal(refused?.json.error.code, 'invalid_state');
  });

  test('a deleted client is gone, and its secrets get no token', async () => {
    const client = await givenOAuthClient(label);
    const remove = () => label.call('DELETE', `${path}/${client.id}`);
    assert.equal((await remove()).status, 204);
    assert.equal((await label.call('GET', `${path}/${client.id}`)).status, 404);
    assert.equal((await remove()).json.error.code, 'resource_not_found');
    assert.equal((await requestToken(service, client)).json.error, 'invalid_client');
  });

  test('unknown scopes, no scopes, read-only and unknown fields are 422', async () => {
    const cases = [
      [{ name: 'x', scopes: ['everything'] }, 'invalid_field'],
      [{ name: 'x', scopes: [] }, 'invalid_field'],
      [{ name: 'x' }, 'missing_required_field'],
      [{ name: 'x', scopes: ['releases:read'], secret: 'ta_cs_x' }, 'read_only_field'],
      [{ name: 'x', scopes: ['releases:read'], redirect_uris: [] }, 'unknown_field'],
    ] as const;
    for (const [body, code] of cases) {
      const { status, json } = await label.call('POST', path, body);
      assert.deepEqual([status, json.error.code], [422, code], JSON.stringify(body));
    }
    const { id } = await givenOAuthClient(label);
    for (const grace of [-1, 604_801, 1.5, '60']) {
      const body = { grace_period_seconds: grace };
      const { status } = await label.call('POST', `${path}/${id}/secrets`, body);
      assert.equal(status, 422, String(grace));
    }
  });

  test('an operator creates a client, adds and revokes secrets, and revokes the client', async () => {
    const org = ['--org', label.orgId];
    const made = await service.admin('oauth', 'create', ...org, '--scopes', 'releases:read');
    const { id = '', secret = '', secret_id: secretId = '' } = made;
    const flags = [...org, '--client', id];
    assert.equal((await requestToken(service, { id, secret })).json.scope, 'releases:read');
    const added = await service.admin('oauth', 'add-secret', ...flags, '--grace', '60');
    assert.equal((await requestToken(service, { id, secret: added['secret'] ?? '' })).status, 200);
    await service.admin('oauth', 'revoke-secret', ...flags, '--secret', secretId);
    assert.equal((await requestToken(service, { id, secret })).status, 401);
    await service.admin('oauth', 'revoke', ...flags);
    assert.equal((await label.call('GET', `${path}/${id}`)).status, 404);
    await assert.rejects(
      service.admin('oauth', 'revoke', ...flags),
      /No OAuth client of your organization has this id/,
    );
    await assert.rejects(service.admin('oauth', 'create', '--org', 'org_x'), /org_… id/);
    const grace = ['--grace', '-5'];
    await assert.rejects(service.admin('oauth', 'add-secret', ...flags, ...grace), /grace/);
    const actions = (await auditsOf(id)).map(({ action }) => action);
    assert.deepEqual(actions, [
      'oauth.create',
      'oauth.add-secret',
      'oauth.revoke-secret',
      'oauth.revoke',
    ]);
  });
});

describe('contract §9: limits of the token endpoint', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  let service: TestService;
  let client: { id: string; secret: string };
  let clockMs = now.getTime();
  before(async () => {
    service = await openTestService({
      limiter: createLocalLimiter({ now: () => new Date(clockMs) }),
    });
    client = await givenOAuthClient(
      await service.givenOrganization({ tier: 'enterprise', prefix: null }),
    );
  });
  after(() => service.close());

  test('60 a minute and 10 a second for each address, counted apart from other anonymous requests', async () => {
    const send = () => postToken(service, 'grant_type=client_credentials');
    const burst = await Promise.all(Array.from({ length: 11 }, send));
    const refused = burst.filter(({ status }) => status === 429);
    assert.equal(refused.length, 1);
    assert.equal(refused[0]?.json.error, 'temporarily_unavailable');
    assert.equal(refused[0]?.headers.get('retry-after'), '1');
    assert.equal(refused[0]?.headers.get('cache-control'), 'no-store');
    const others = await service.request(undefined, 'GET', '/v1/error_codes');
    assert.equal(others.headers.get('ratelimit-remaining'), '59');
  });

  test('60 a minute for each client, from any address, once its secret is right', async () => {
    clockMs += 60_000;
    const { headers } = await requestToken(service, client);
    assert.equal(headers.get('ratelimit-remaining'), '59', 'of the client');
    assert.equal(headers.get('ratelimit-policy'), '60;w=60, 10;w=1');
    const wrong = await requestToken(service, { ...client, secret: 'ta_cs_x' });
    assert.equal(wrong.status, 401);
    const again = await requestToken(service, client);
    assert.equal(again.headers.get('ratelimit-remaining'), '58', 'a wrong secret uses up nothing');
    await service.query(`update oauth_client_secrets set expires_at = '2026-01-01'`);
    assert.equal((await requestToken(service, client)).status, 401);
    await service.query('update oauth_client_secrets set expires_at = null');
    const last = await requestToken(service, client);
    assert.equal(last.headers.get('ratelimit-remaining'), '57', 'nor does an expired one');
  });

  test('a client over its limit is refused in the form of RFC 6749, and gets no token', async () => {
    const spent = { isAllowed: false, remaining: 0, resetSeconds: 9, retryAfterSeconds: 9 };
    const limited = await openTestService({
      limiter: {
        ...unlimited,
        consume: async (rateKey, policy) =>
          rateKey.startsWith('oac_') ? spent : unlimited.consume(rateKey, policy),
      },
    });
    const partner = await limited.givenOrganization({ tier: 'enterprise', prefix: null });
    const { status, json, headers } = await requestToken(limited, await givenOAuthClient(partner));
    assert.deepEqual([status, json.error], [429, 'temporarily_unavailable']);
    assert.equal(headers.get('retry-after'), '9');
    assert.equal(headers.get('ratelimit-remaining'), '0');
    assert.deepEqual(await limited.query('select sha256 from oauth_tokens'), []);
    await limited.close();
  });
});
