/** The error envelope and its codes (spec §7, contract §7) and the conventions of contract §1. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root } from '../../../../scripts/servers/server.ts';
import { prefixOfParameter } from '../../src/kernel/id-kinds.ts';
import { problems } from '../../src/kernel/problem.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';

describe('errors and conventions', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService();
    label = await service.givenOrganization();
  });
  after(() => service.close());

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    label.call('POST', '/v1/releases', body, headers);

  describe('spec §7: the envelope', () => {
    test('code, message and request_id, the same id as in X-Request-Id', async () => {
      const { json, headers } = await label.call('GET', '/v1/releases/rel_none');
      assert.deepEqual(Object.keys(json), ['error']);
      assert.deepEqual(Object.keys(json.error), ['code', 'message', 'request_id', 'doc_url']);
      assert.equal(json.error.request_id, headers.get('x-request-id'));
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    });

    test('an id of another kind is named, also in an answer that is stored for its key', async () => {
      const { id } = (await post(draft())).json;
      const track = id.replace('rel_', 'trk_');
      const expected =
        'No release of your organization has this id. trk_… is the id of a track; this route needs that of a release, rel_….';
      const path = `/v1/releases/${track}`;
      const key = { 'idempotency-key': randomUUID() };
      const replies = [
        await label.call('GET', path),
        await label.call('PATCH', path, { title: 'Day' }, key),
        await label.call('PATCH', path, { title: 'Day' }, key),
        await label.call('POST', `${path}/submit`),
      ];
      for (const { status, json } of replies) {
        assert.deepEqual([status, json.error.message], [404, expected]);
      }
      for (const other of [
        `${id.slice(0, -4)}zzzz`,
        'jobs',
        'constructor_1',
        '__proto___1',
        'none',
      ]) {
        const { json } = await label.call('GET', `/v1/releases/${other}`);
        assert.equal(json.error.message, 'No release of your organization has this id.');
      }
    });

    test('every id in a path has a kind', () => {
      const document = readFileSync(join(root, 'openapi/openapi.json'), 'utf8');
      const names = new Set(document.match(/(?<=\{)[a-z_]+_id(?=\})/g));
      names.delete('store_id'); // a name, not an id
      assert.deepEqual([...prefixOfParameter.keys()], [...names].toSorted());
    });

    test('every request has its own id; an id sent by the partner is never used', async () => {
      const first = await label.call('GET', '/v1/releases', undefined, { 'x-request-id': 'mine' });
      const second = await label.call('GET', '/v1/releases', undefined, { 'x-request-id': 'mine' });
      assert.match(first.headers.get('x-request-id') ?? '', /^req_[0-9a-hjkmnp-tv-z]{26}$/);
      assert.notEqual(first.headers.get('x-request-id'), second.headers.get('x-request-id'));
    });

    test('missing_required_field lists every missing field at once', async () => {
      const { status, json } = await post({});
      assert.equal(status, 422);
      assert.equal(json.error.code, 'missing_required_field');
      assert.deepEqual(
        json.error.details.map(({ field }: { field: string }) => field),
        ['title', 'artists', 'release_date'],
      );
    });

    test('an empty POST, with or without a content type, lists them too', async () => {
      const untyped = await label.call('POST', '/v1/releases');
      const typed = await label.call('POST', '/v1/releases', '', {});
      for (const { status, json } of [untyped, typed]) {
        assert.equal(status, 422);
        assert.equal(json.error.details.length, 3);
      }
    });

    test('missing fields of every artist are named by path', async () => {
      const { json } = await post(
        draft({ artists: [{ name: 'A', role: 'main' }, {}, { name: 'B' }] }),
      );
      assert.deepEqual(
        json.error.details.map(({ field }: { field: string }) => field),
        ['artists[1].name', 'artists[1].role', 'artists[2].role'],
      );
    });

    test('contract §7: missing_required_field is the code, and every other error is still listed', async () => {
      const { json } = await post({ title: '', colour: 1, id: 'x', artists: 'none' });
      assert.equal(json.error.code, 'missing_required_field');
      assert.deepEqual(
        json.error.details.map(({ field }: { field: string }) => field),
        ['release_date', 'colour', 'id', 'title', 'artists'],
      );
    });

    test('every code has a status, a cause and a cure', () => {
      for (const [code, { status, cause, cure }] of Object.entries(problems)) {
        assert.match(code, /^[a-z_]+$/);
        assert.ok(status >= 400 && status < 600 && cause.endsWith('.') && cure.endsWith('.'), code);
      }
    });

    const specified: readonly [code: keyof typeof problems, status: number][] = [
      ['missing_required_field', 422],
      ['duplicate_submission', 409],
      ['territory_not_supported', 422],
      ['invalid_json', 400],
      ['invalid_parameter', 400],
      ['invalid_cursor', 400],
      ['invalid_idempotency_key', 400],
      ['invalid_request', 400],
      ['authentication_required', 401],
      ['invalid_credentials', 401],
      ['token_expired', 401],
      ['insufficient_scope', 403],
      ['tier_not_allowed', 403],
      ['organization_suspended', 403],
      ['resource_not_found', 404],
      ['route_not_found', 404],
      ['method_not_allowed', 405],
      ['asset_not_ready', 409],
      ['invalid_state', 409],
      ['nothing_changed', 409],
      ['idempotency_key_in_use', 409],
      ['upc_pool_exhausted', 409],
      ['precondition_failed', 412],
      ['payload_too_large', 413],
      ['uri_too_long', 414],
      ['unsupported_media_type', 415],
      ['headers_too_large', 431],
      ['rate_limit_exceeded', 429],
      ['quota_exceeded', 429],
      ['invalid_field', 422],
      ['unknown_field', 422],
      ['read_only_field', 422],
      ['invalid_isrc_format', 422],
      ['invalid_upc', 422],
      ['release_not_submittable', 422],
      ['idempotency_key_reused', 422],
      ['webhook_url_not_allowed', 422],
      ['deprecated_feature_removed', 422],
      ['insufficient_balance', 422],
      ['below_minimum', 422],
      ['payout_method_missing', 422],
      ['tax_profile_missing', 422],
      ['internal_error', 500],
      ['service_unavailable', 503],
    ];
    for (const [code, status] of specified) {
      test(`spec §7, contract §7: ${code} is ${status}`, () => {
        assert.equal(problems[code].status, status);
      });
    }
    test('the catalogue has no code beyond those', () => {
      assert.deepEqual(
        Object.keys(problems).toSorted(),
        specified.map(([code]) => code).toSorted(),
      );
    });
  });

  describe('contract §7: requests that are refused before any rule', () => {
    test('a body that is not JSON → 400 invalid_json', async () => {
      for (const body of ['{', '{"title":}', 'null,', '{"a":1}x', "{'a':1}"]) {
        const { status, json } = await post(body);
        assert.deepEqual([status, json.error.code], [400, 'invalid_json'], body);
      }
    });

    test('a body that is not an object → 422 invalid_field', async () => {
      for (const body of ['[]', '"text"', '3', 'true']) {
        const { status, json } = await post(body);
        assert.deepEqual([status, json.error.code], [422, 'invalid_field'], body);
      }
    });

    test('an unknown path → 404 route_not_found, without a credential too', async () => {
      for (const path of ['/', '/v1', '/v1/nothing', '/v2/releases', '/v1/sandbox']) {
        const { status, json } = await service.request(undefined, 'GET', path);
        assert.deepEqual([status, json.error.code], [404, 'route_not_found'], path);
      }
    });

    test('a wrong method → 405 with Allow', async () => {
      const cases: readonly [method: string, path: string, allow: string][] = [
        ['PUT', '/v1/releases', 'GET, HEAD, POST'],
        ['DELETE', '/v1/releases', 'GET, HEAD, POST'],
        ['POST', '/v1/releases/rel_x', 'DELETE, GET, HEAD, PATCH'],
        ['OPTIONS', '/v1/releases/rel_x?y=1', 'DELETE, GET, HEAD, PATCH'],
        ['PUT', '/v1/tracks/bulk', 'PATCH, POST'],
        ['POST', '/healthz', 'GET, HEAD'],
      ];
      for (const [method, path, allow] of cases) {
        const { status, json, headers } = await label.call(method, path);
        assert.deepEqual(
          [status, json.error.code],
          [405, 'method_not_allowed'],
          `${method} ${path}`,
        );
        assert.equal(headers.get('allow'), allow);
      }
    });

    test('contract §1: a parameter the route does not know → 400, never dropped', async () => {
      const { json: release } = await post(draft());
      const path = `/v1/releases/${release.id}`;
      for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
        const { status, json } = await label.call(method, `${path}?force=1`, body);
        assert.deepEqual([status, json.error.code], [400, 'invalid_parameter'], method);
        assert.equal(json.error.details[0].field, 'force');
      }
      assert.equal((await label.call('GET', path)).status, 200);
    });

    test('a body over 256 KiB → 413 payload_too_large', async () => {
      const { status, json } = await post(draft({ title: 'x'.repeat(256 * 1024) }));
      assert.deepEqual([status, json.error.code], [413, 'payload_too_large']);
      const fits = await post(draft({ metadata: {}, title: 'x'.repeat(255 * 1024) }));
      assert.equal(fits.json.error.code, 'invalid_field', 'just below, the fields are validated');
    });

    test('another media type → 415 unsupported_media_type', async () => {
      for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
        const { status, json } = await post('a=b', { 'content-type': type });
        assert.deepEqual([status, json.error.code], [415, 'unsupported_media_type'], type);
      }
    });

    test('a URL over 8,192 characters → 414 uri_too_long', async () => {
      const { status, json } = await label.call('GET', `/v1/releases?label=${'x'.repeat(8_200)}`);
      assert.deepEqual([status, json.error.code], [414, 'uri_too_long']);
    });

    test('a broken escape in the path → 400 invalid_request', async () => {
      const { status, json } = await label.call('GET', '/v1/releases/%ZZ');
      assert.deepEqual([status, json.error.code], [400, 'invalid_request']);
    });

    test('HEAD answers as GET without a body', async () => {
      const { status, text, headers } = await label.call('HEAD', '/v1/releases');
      assert.deepEqual([status, text], [200, '']);
      assert.ok(Number(headers.get('content-length')) > 0);
    });
  });

  describe('contract §1: ETags', () => {
    test('on a single resource; If-None-Match → 304 without a body', async () => {
      const { json, headers } = await post(draft());
      const etag = headers.get('etag') ?? '';
      const path = `/v1/releases/${json.id}`;
      assert.match(etag, /^"[\w-]{27}"$/);
      for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const reply = await label.call('GET', path, undefined, { 'if-none-match': condition });
        assert.deepEqual([reply.status, reply.text], [304, ''], condition);
        assert.equal(reply.headers.get('etag'), etag);
      }
      const reply = await label.call('GET', path, undefined, { 'if-none-match': '"other"' });
      assert.equal(reply.status, 200);
    });

    test('If-Match on PATCH: the current tag passes, an old one → 412 and no trace', async () => {
      const { json, headers } = await post(draft());
      const path = `/v1/releases/${json.id}`;
      const first = { 'if-match': headers.get('etag') ?? '' };
      const changed = await label.call('PATCH', path, { title: 'A' }, first);
      assert.equal(changed.status, 200);
      assert.notEqual(changed.headers.get('etag'), headers.get('etag'));
      const stale = await label.call('PATCH', path, { title: 'B' }, first);
      assert.deepEqual([stale.status, stale.json.error.code], [412, 'precondition_failed']);
      assert.equal((await label.call('GET', path)).text, changed.text);
    });

    test('the tag of a creation is the tag of the resource, for any order of the keys in the request', async () => {
      const artists = [{ name: 'A', role: 'main', store_profiles: { hanami: '1', aurora: '2' } }];
      const { json, headers } = await post(draft({ metadata: { zz: '1', a: '2' }, artists }));
      const path = `/v1/releases/${json.id}`;
      assert.equal((await label.call('GET', path)).headers.get('etag'), headers.get('etag'));
      const condition = { 'if-match': headers.get('etag') ?? '' };
      assert.equal((await label.call('PATCH', path, { title: 'B' }, condition)).status, 200);
    });

    test('of ten changes with one If-Match exactly one succeeds', async () => {
      const { json, headers } = await post(draft());
      const condition = { 'if-match': headers.get('etag') ?? '' };
      const replies = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          label.call('PATCH', `/v1/releases/${json.id}`, { title: `T${i}` }, condition),
        ),
      );
      assert.equal(replies.filter(({ status }) => status === 200).length, 1);
      assert.equal(replies.filter(({ status }) => status === 412).length, 9);
    });
  });

  test('contract §1: timestamps are RFC 3339 UTC with milliseconds', async () => {
    const { json } = await post(draft());
    assert.match(json.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('contract §1: health checks and documents are outside /v1', async () => {
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/docs/']) {
      assert.equal((await service.request(undefined, 'GET', path)).status, 200, path);
    }
  });
});
