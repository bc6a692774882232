/** The request inspector (contract §1, §4, §5): what a partner finds under a request_id. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { toUuid } from '../../src/kernel/ids.ts';
import type { RateLimiter } from '../../src/kernel/rate.ts';
import {
  draft,
  openTestService,
  type OrgClient,
  type Reply,
  type TestService,
  unlimited,
} from '../test-service.ts';

const requestIdOf = ({ headers }: Reply): string => headers.get('x-request-id') ?? '';

describe('GET /v1/requests/{request_id}', () => {
  let service: TestService;
  let partner: OrgClient;
  let isLimited = false;
  const limiter: RateLimiter = {
    ...unlimited,
    consume: async (rateKey, policy) => ({
      ...(await unlimited.consume(rateKey, policy)),
      isAllowed: !isLimited,
      retryAfterSeconds: 1,
    }),
  };
  before(async () => {
    service = await openTestService({ limiter });
    partner = await service.givenOrganization();
  });
  after(() => service.close());

  const inspect = async (caller: OrgClient, id: string): Promise<Reply> => {
    await service.flushRequests();
    return caller.call('GET', `/v1/requests/${id}`);
  };
  /** A request is recorded after its answer was sent, so it may be read before it is recorded. */
  const inspectReply = async (reply: Reply, caller = partner) => {
    let found = await inspect(caller, requestIdOf(reply));
    for (let i = 0; found.status === 404 && i < 50; i++) {
      found = await inspect(caller, requestIdOf(reply));
    }
    assert.equal(found.status, 200, found.text);
    return found.json;
  };

  test('of a flood of 429s only some are stored, and those of another organization are', async () => {
    const [flooding, other] = await service.givenOrganizations(2);
    assert.ok(flooding !== undefined && other !== undefined);
    const begun = performance.now();
    isLimited = true;
    const flood = await Promise.all(
      Array.from({ length: 100 }, () => flooding.call('GET', '/v1/releases')),
    );
    const seconds = (performance.now() - begun) / 1_000;
    const ofOther = await other.call('GET', '/v1/releases');
    isLimited = false;
    assert.ok([...flood, ofOther].every(({ status }) => status === 429));
    await inspectReply(ofOther, other);
    const [{ rows }] = await service.query(
      'select count(*)::int as rows from requests where org_id = $1 and status = 429',
      [toUuid(flooding.orgId as `org_${string}`)],
    );
    assert.ok(rows >= 10 && rows <= 10 * (Math.ceil(seconds) + 1), `${rows} in ${seconds} s`);
  });

  test('contract §4: shows the request, its answer and its timing', async () => {
    const key = randomUUID();
    const body = draft({ title: 'Inspected' });
    const created = await partner.call('POST', '/v1/releases', body, {
      'idempotency-key': key,
      'user-agent': 'partner/1.0',
      'x-unknown': 'not kept',
    });
    const found = await inspectReply(created);
    assert.equal(found.id, requestIdOf(created));
    assert.equal(found.method, 'POST');
    assert.equal(found.path, '/v1/releases');
    assert.equal(found.route, '/v1/releases');
    assert.equal(found.status, 201);
    assert.equal(found.error_code, null);
    assert.equal(found.actor.type, 'api_key');
    assert.match(found.actor.id, /^key_/);
    assert.equal(found.address, '127.0.0.1');
    assert.ok(found.duration_ms > 0);
    assert.ok(Math.abs(Date.parse(found.created_at) - service.clock.now().getTime()) < 60_000);
    assert.equal(found.request.body, JSON.stringify(body));
    assert.equal(found.request.body_bytes, Buffer.byteLength(JSON.stringify(body)));
    assert.equal(found.request.truncated, false);
    assert.equal(found.request.headers['idempotency-key'], key);
    assert.equal(found.request.headers['user-agent'], 'partner/1.0');
    assert.deepEqual(
      Object.keys(found.request.headers).filter((name) => /auth|key$|cookie|unknown/.test(name)),
      ['idempotency-key'],
    );
    assert.equal(found.response.body, created.text);
    assert.equal(found.response.headers.location, created.headers.get('location'));
  });

  test('contract §8: another credential sees the first 8 characters of an Idempotency-Key only', async () => {
    const key = randomUUID();
    const created = await partner.call('POST', '/v1/releases', draft(), { 'idempotency-key': key });
    const { secret } = await service.admin('key', 'create', '--org', partner.orgId);
    await service.flushRequests();
    const path = `/v1/requests/${requestIdOf(created)}`;
    const seen = await service.request(secret, 'GET', path);
    assert.equal(seen.status, 200, seen.text);
    assert.equal(seen.json.request.headers['idempotency-key'], `${key.slice(0, 8)}...`);
    assert.ok(!seen.text.includes(key));
  });

  test('contract §4: shows the events it caused, with the attempts to send them', async () => {
    const created = await partner.call('POST', '/v1/releases', draft());
    await partner.call('POST', '/v1/releases', draft());
    await service.sequenceEvents();
    const found = await inspectReply(created);
    assert.deepEqual(
      found.events.map(({ type }: { type: string }) => type),
      ['release.created'],
    );
    const [event] = found.events;
    const { json } = await partner.call('GET', `/v1/events/${event.id}`);
    assert.equal(json.data.id, created.json.id, 'the event of this request, not of the other');
    assert.deepEqual(event.webhooks, json.webhooks);
    assert.deepEqual(event.attempts, json.attempts);
    assert.equal(found.events_have_more, false);
    const read = await inspectReply(await partner.call('GET', `/v1/releases/${created.json.id}`));
    assert.deepEqual(read.events, []);
  });

  /** One request for each way in which a request with a valid credential is refused. */
  const refusals: Readonly<Record<string, () => Promise<Reply>>> = {
    invalid_json: () => partner.call('POST', '/v1/releases', '{"title":'),
    unsupported_media_type: () =>
      partner.call('POST', '/v1/releases', 'title=x', { 'content-type': 'text/plain' }),
    payload_too_large: () =>
      partner.call('POST', '/v1/releases', draft({ title: 'x'.repeat(300_000) })),
    missing_required_field: () => partner.call('POST', '/v1/releases', {}),
    invalid_parameter: () => partner.call('GET', '/v1/releases?limit=0'),
    invalid_idempotency_key: () =>
      partner.call('POST', '/v1/releases', draft(), { 'idempotency-key': 'x' }),
    resource_not_found: () => partner.call('GET', '/v1/releases/rel_x'),
    route_not_found: () => partner.call('GET', '/v1/relaeses'),
    method_not_allowed: () => partner.call('DELETE', '/v1/releases'),
    rate_limit_exceeded: async () => {
      isLimited = true;
      const reply = await partner.call('GET', '/v1/releases');
      isLimited = false;
      return reply;
    },
    uri_too_long: () => partner.call('GET', `/v1/releases?upc=${'1'.repeat(9_000)}`),
  };
  for (const [code, refuse] of Object.entries(refusals)) {
    test(`contract §4: the request_id of ${code} finds its entry`, async () => {
      const refused = await refuse();
      assert.equal(refused.json.error.code, code, refused.text);
      const found = await inspectReply(refused);
      assert.equal(found.id, refused.json.error.request_id);
      assert.equal(found.status, refused.status);
      assert.equal(found.error_code, code);
      assert.equal(JSON.parse(found.response.body).error.request_id, found.id);
    });
  }

  test('contract §4: a refused scope finds its entry too, with a key that has requests:read', async () => {
    const { secret } = await service.admin(
      'key',
      'create',
      '--org',
      partner.orgId,
      '--scopes',
      'releases:read',
    );
    const refused = await service.request(secret, 'POST', '/v1/releases', draft());
    assert.equal(refused.json.error.code, 'insufficient_scope');
    const found = await inspectReply(refused);
    assert.equal(found.error_code, 'insufficient_scope');
    assert.equal(found.request.body, null, 'it was refused before its body was read');
  });

  test('a request without a valid credential belongs to no organization and is not stored', async () => {
    await service.flushRequests();
    const rowsBefore = await countRows();
    await service.request(undefined, 'GET', '/v1/releases');
    await service.request('ta_test_wrong', 'GET', '/v1/releases');
    await service.request('ta_test_wrong', 'GET', '/v1/nowhere');
    await service.request(undefined, 'GET', '/v1/error_codes');
    await partner.call('GET', '/v1/error_codes');
    await service.flushRequests();
    assert.equal(await countRows(), rowsBefore);
    await partner.call('GET', '/v1/releases');
    await service.flushRequests();
    assert.equal(await countRows(), rowsBefore + 1, 'the count can grow');
  });
  const countRows = async (): Promise<number> => {
    const [{ n }] = await service.query('select count(*)::int as n from requests');
    return n;
  };

  test('contract §5: unknown, malformed, not yet written and another organization’s are the same 404', async () => {
    const stranger = await service.givenOrganization();
    const foreign = requestIdOf(await stranger.call('GET', '/v1/releases'));
    assert.equal((await inspect(stranger, foreign)).status, 200);
    const replies = [
      await inspect(partner, foreign),
      await inspect(partner, 'req_01h455vb4pex5vsknk084sn02q'),
      await inspect(partner, 'req_x'),
    ];
    const texts = replies.map(({ text }) => text.replaceAll(/req_\w{26}/g, 'req_'));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [404, 404, 404],
    );
    assert.equal(new Set(texts).size, 1);
    assert.match(texts[0] ?? '', /within a second.*30 days/);
    const unwritten = requestIdOf(await partner.call('GET', '/v1/releases'));
    assert.equal((await partner.call('GET', `/v1/requests/${unwritten}`)).status, 404);
    assert.equal((await inspect(partner, unwritten)).status, 200);
  });

  test('contract §5: needs the scope requests:read', async () => {
    const reader = await service.givenOrganization({ scopes: 'releases:read' });
    for (const path of ['/v1/requests', '/v1/requests/req_01h455vb4pex5vsknk084sn02q']) {
      const { status, json } = await reader.call('GET', path);
      assert.equal(status, 403);
      assert.match(json.error.message, /requests:read/);
    }
  });

  test('bodies are cut at 16 KiB, and say so', async () => {
    const wide = draft({ metadata: metadataOf(20, 500) });
    const large = { tracks: Array.from({ length: 40 }, () => ({ title: 'ü'.repeat(500) })) };
    const small = await inspectReply(await partner.call('POST', '/v1/releases', wide));
    assert.equal(small.request.truncated, false);
    const refused = await partner.call('POST', '/v1/tracks/bulk', large);
    const cut = await inspectReply(refused);
    assert.equal(cut.request.body_bytes, Buffer.byteLength(JSON.stringify(large)));
    assert.equal(cut.request.truncated, true);
    assert.ok(Buffer.byteLength(cut.request.body) <= 16 * 1024 + 3);
    assert.ok(JSON.stringify(large).startsWith(cut.request.body.slice(0, -1)));
  });
  const metadataOf = (pairs: number, length: number) =>
    Object.fromEntries(Array.from({ length: pairs }, (_, i) => [`k${i}`, 'v'.repeat(length)]));

  test('of a refused payout method or tax profile no body is kept: its numbers may have any name', async () => {
    for (const [method, path, body] of [
      ['POST', '/v1/payout_methods', '{"iban":{"a":{"b":"1"},"c":"12345678"}}'],
      ['POST', '/v1/payout_methods', '<account>12345678</account>'],
      ['PATCH', '/v1/tax_profile', '{"tin": 1, "tax": "12345678"}'],
    ] as const) {
      const refused = await partner.call(method, path, body);
      assert.ok(refused.status >= 400, refused.text);
      const found = await inspectReply(refused);
      assert.equal(found.request.body, null);
      assert.equal(found.request.body_bytes, body.length);
      assert.doesNotMatch(JSON.stringify(found), /12345678/);
    }
    const profile = { residence: 'DE', form: 'w8bene', tin: '12345678', signed_on: '2026-01-05' };
    const accepted = await inspectReply(await partner.call('PATCH', '/v1/tax_profile', profile));
    assert.deepEqual(JSON.parse(accepted.request.body), { ...profile, tin: '[redacted]' });
  });

  test('bytes that PostgreSQL cannot store do not lose the entry', async () => {
    const refused = await partner.call('POST', '/v1/releases', '{"title":"\0\u0001 \\ud800"}');
    assert.equal(refused.status, 400);
    const found = await inspectReply(refused);
    assert.match(found.request.body, /^\{"title":"\uFFFD/);
  });

  test('a replay has its own entry, without events, and says that it is one', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = draft();
    const first = await partner.call('POST', '/v1/releases', body, headers);
    const replay = await partner.call('POST', '/v1/releases', body, headers);
    await service.sequenceEvents();
    assert.equal((await inspectReply(first)).events.length, 1);
    const found = await inspectReply(replay);
    assert.equal(found.response.headers['idempotency-replayed'], 'true');
    assert.deepEqual(found.events, []);
  });
});
