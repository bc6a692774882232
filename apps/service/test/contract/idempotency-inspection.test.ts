/** GET /v1/idempotency_keys/{key} (contract §4, §5, §8): the stored answer after a lost reply. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { openReceiver, type Receiver } from '../receiver.ts';
import { draft, openTestService, type OrgClient, type TestService } from '../test-service.ts';

describe('GET /v1/idempotency_keys/{key}', () => {
  let service: TestService;
  let partner: OrgClient;
  let receiver: Receiver;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    partner = await service.givenOrganization();
    receiver = await openReceiver();
  });
  after(async () => {
    await receiver.close();
    await service.close();
  });

  const inspect = (key: string, caller = partner) =>
    caller.call('GET', `/v1/idempotency_keys/${key}`);

  test('contract §8: returns the answer whose reply was lost', async () => {
    const key = randomUUID();
    const created = await partner.call('POST', '/v1/releases', draft(), {
      'idempotency-key': `"${key.toUpperCase()}"`,
    });
    await service.flushRequests();
    const { status, json, text } = await inspect(key);
    assert.equal(status, 200, text);
    assert.equal(json.key, key);
    assert.equal(json.request_id, created.headers.get('x-request-id'));
    assert.equal(json.method, 'POST');
    assert.equal(json.path, '/v1/releases');
    assert.equal(json.status, 201);
    assert.equal(json.headers.location, created.headers.get('location'));
    assert.deepEqual(json.body, created.json);
    assert.equal(json.created_at, '2026-11-15T12:00:00.000Z');
    assert.equal(json.expires_at, '2026-11-17T00:00:00.000Z');
    assert.deepEqual((await inspect(key.toUpperCase())).json, json);
  });

  test('contract §8: a stored refusal too; its request is unknown until the log is written', async () => {
    const key = randomUUID();
    const refused = await partner.call(
      'POST',
      '/v1/releases/rel_01h455vb4pex5vsknk084sn02q/submit',
      undefined,
      { 'idempotency-key': key },
    );
    assert.equal(refused.status, 404);
    const { json } = await inspect(key);
    assert.equal(json.status, 404);
    assert.deepEqual(json.body, refused.json);
    assert.equal(json.method, null);
    assert.equal(json.path, null);
  });

  test('contract §8: a text that looks like a secret, or names one, is no failure', async () => {
    for (const title of ['My secret:', 'token: 5', 'secret = "x", token', 'a \\" secret:\\\\']) {
      const key = randomUUID();
      const body = draft({ title, metadata: { api_key: 'abc', note: 'Password:' } });
      const created = await partner.call('POST', '/v1/releases', body, { 'idempotency-key': key });
      assert.equal(created.status, 201, created.text);
      const { status, json, text } = await inspect(key);
      assert.equal(status, 200, `${title}: ${text}`);
      assert.deepEqual(json.body.metadata, { api_key: '[redacted]', note: 'Password:' });
      assert.equal(json.body.id, created.json.id);
    }
  });

  test('contract §8: inspection redacts secrets and URLs', async () => {
    const key = randomUUID();
    const url = `${receiver.url}/hooks?token=of-the-receiver`;
    const created = await partner.call(
      'POST',
      '/v1/webhooks',
      { url, event_type: '*' },
      { 'idempotency-key': key },
    );
    assert.equal(created.status, 201, created.text);
    assert.match(created.json.secret, /^whsec_/);
    const { json, text } = await inspect(key);
    assert.ok(!text.includes(created.json.secret.slice(6)));
    assert.ok(!text.includes('of-the-receiver'));
    assert.deepEqual(json.body, {
      ...created.json,
      secret: '[redacted]',
      url: `${new URL(url).origin}/[redacted]`,
    });
  });

  test('contract §8: another credential sees that a request exists, and nothing of its answer', async () => {
    const key = randomUUID();
    const made = await service.admin('key', 'create', '--org', partner.orgId);
    const created = await partner.call('POST', '/v1/releases', draft(), { 'idempotency-key': key });
    await service.flushRequests();
    const { status, json, text } = await service.request(
      made['secret'],
      'GET',
      `/v1/idempotency_keys/${key}`,
    );
    assert.equal(status, 200, text);
    assert.deepEqual(
      [json.key, json.method, json.path, json.status, json.made_by_this_credential],
      [key, 'POST', '/v1/releases', 201, false],
    );
    assert.deepEqual([json.headers, json.body], [{}, null]);
    assert.ok(!text.includes(created.json.id));
    assert.equal((await inspect(key)).json.made_by_this_credential, true);
  });

  test('contract §5: unknown, malformed and another organization’s are the same 404', async () => {
    const key = randomUUID();
    const stranger = await service.givenOrganization();
    await stranger.call('POST', '/v1/releases', draft(), { 'idempotency-key': key });
    assert.equal((await inspect(key, stranger)).status, 200);
    const replies = [await inspect(key), await inspect(randomUUID()), await inspect('x')];
    assert.deepEqual(
      replies.map(({ status }) => status),
      [404, 404, 404],
    );
    const texts = replies.map(({ text }) => text.replaceAll(/req_\w{26}/g, 'req_'));
    assert.equal(new Set(texts).size, 1);
  });

  test('contract §8: what is not stored is not found: a validation error', async () => {
    const key = randomUUID();
    const refused = await partner.call('POST', '/v1/releases', {}, { 'idempotency-key': key });
    assert.equal(refused.status, 422);
    assert.equal((await inspect(key)).status, 404);
  });

  test('contract §5: needs the scope requests:read', async () => {
    const reader = await service.givenOrganization({ scopes: 'releases:read' });
    const { status, json } = await inspect(randomUUID(), reader);
    assert.equal(status, 403);
    assert.match(json.error.message, /requests:read/);
  });

  test('contract §8: is found until expires_at, at least 24 hours', async () => {
    const key = randomUUID();
    await partner.call('POST', '/v1/releases', draft(), { 'idempotency-key': key });
    const { expires_at } = (await inspect(key)).json;
    assert.ok(Date.parse(expires_at) - Date.parse('2026-11-15T12:00:00Z') >= 86_400_000);
    await service.clock.set(new Date(Date.parse(expires_at) - 1).toISOString());
    assert.equal((await inspect(key)).status, 200);
    await service.clock.set(expires_at);
    assert.equal((await inspect(key)).status, 404);
  });
});
