/** Raw requests to the token endpoint (spec §5.1, contract §5, RFC 6749 §2.3, §4.4, §5.1, §5.2). */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { findClientOfSecret } from '../../src/identity/commands/issue-token.ts';
import { type OrgId, toUuid } from '../../src/kernel/ids.ts';
import { problems } from '../../src/kernel/problem.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { type Sql, toStatement } from '../../src/platform/db/sql.ts';
import {
  basicOf,
  formType,
  givenOAuthClient,
  givenToken,
  postToken,
  requestToken,
  type TestOAuthClient,
} from '../oauth-fixture.ts';
import {
  draft,
  openTestService,
  type OrgClient,
  type Reply,
  type TestService,
} from '../test-service.ts';

const grant = 'grant_type=client_credentials';
const unknownClientId = 'oac_01h455vb4pex5vsknk084sn02q';

describe('contract §5: the token endpoint', () => {
  let service: TestService;
  let label: OrgClient;
  let client: TestOAuthClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization({ tier: 'enterprise', prefix: null });
    client = await givenOAuthClient(label);
  });
  after(() => service.close());

  const post = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    postToken(service, body, headers);

  /** RFC 6749 §5.2: status, code, a description of allowed characters, and no caching. */
  const assertRefused = (reply: Reply, status: number, error: string): void => {
    assert.deepEqual([reply.status, reply.json.error], [status, error], reply.text);
    assert.match(reply.json.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    assert.deepEqual(Object.keys(reply.json), ['error', 'error_description', 'error_uri']);
    const [, code] =
      /^http:\/\/127.0.0.1:\d+\/docs\/guides\/errors#(\w+)$/.exec(reply.json.error_uri) ?? [];
    assert.ok(code !== undefined && code in problems, reply.json.error_uri);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    assert.equal(reply.headers.get('pragma'), 'no-cache');
    assert.match(reply.headers.get('x-request-id') ?? '', /^req_/);
    for (const name of ['limit', 'remaining', 'reset', 'policy'])
      assert.ok(reply.headers.has(`ratelimit-${name}`), name);
  };

  test('RFC 6749 §5.1: client_secret_basic and client_secret_post both get a Bearer token of 3600 s', async () => {
    const inBody = new URLSearchParams({ client_id: client.id, client_secret: client.secret });
    const replies = [
      await post(grant, basicOf(client)),
      await post(`${grant}&${inBody.toString()}`),
      await post(`${grant}&client_id=${client.id}`, basicOf(client)),
    ];
    for (const { status, json, headers, text } of replies) {
      assert.equal(status, 200, text);
      assert.match(json.access_token, /^ta_at_[0-9A-Za-z]{38}$/);
      assert.deepEqual(
        [json.token_type, json.expires_in, json.scope],
        ['Bearer', 3_600, 'releases:read releases:write'],
      );
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('pragma'), 'no-cache');
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
    }
    assert.equal(new Set(replies.map(({ json }) => json.access_token)).size, 3);
  });

  test('RFC 6749 §2.3.1: id and secret in the Basic header are form-encoded', async () => {
    const encoded = encodeURIComponent(client.secret).replace('_', '%5F');
    const { status } = await post(grant, basicOf({ id: client.id, secret: encoded }));
    assert.equal(status, 200);
  });

  test('RFC 6749 §3.2: a parameter without a value counts as omitted, an unknown one is ignored', async () => {
    const { status, json } = await post(`${grant}&scope=&audience=x`, basicOf(client));
    assert.deepEqual([status, json.scope], [200, 'releases:read releases:write']);
  });

  test('RFC 6749 §5.2: invalid_request', async () => {
    const secret = `client_id=${client.id}&client_secret=${client.secret}`;
    const cases: Readonly<Record<string, () => Promise<Reply>>> = {
      'no body': () => service.request(undefined, 'POST', '/v1/oauth/token'),
      'no grant_type': () => post('scope=releases:read', basicOf(client)),
      'an empty grant_type': () => post('grant_type=', basicOf(client)),
      'a repeated parameter': () => post(`${grant}&${grant}`, basicOf(client)),
      'a repeated scope': () => post(`${grant}&scope=releases:read&scope=`, basicOf(client)),
      'both ways to authenticate': () => post(`${grant}&${secret}`, basicOf(client)),
      'another client in the body': () =>
        post(`${grant}&client_id=${unknownClientId}`, basicOf(client)),
      'a JSON body': () =>
        post('{"grant_type":"client_credentials"}', { 'content-type': 'application/json' }),
      'a body over 8 KiB': () => post(`${grant}&x=${'y'.repeat(9_000)}`, basicOf(client)),
      'parameters in the URL': () =>
        service.request(undefined, 'POST', `/v1/oauth/token?${grant}`, grant, formType),
    };
    for (const [what, send] of Object.entries(cases)) {
      const reply = await send();
      assert.equal(reply.status, 400, `${what}: ${reply.text}`);
      assertRefused(reply, 400, 'invalid_request');
    }
  });

  test('RFC 6749 §5.2: unsupported_grant_type', async () => {
    for (const type of ['password', 'authorization_code', 'refresh_token', 'CLIENT_CREDENTIALS'])
      assertRefused(
        await post(`grant_type=${type}`, basicOf(client)),
        400,
        'unsupported_grant_type',
      );
  });

  test('RFC 6749 §5.2: invalid_client is 401, with a Basic challenge if the client used the header', async () => {
    const other = await givenOAuthClient(label);
    const { id, secret } = client;
    const swapped = secret.slice(0, -1) + (secret.endsWith('x') ? 'y' : 'x');
    const wrong: Readonly<Record<string, { readonly id: string; readonly secret: string }>> = {
      'an unknown client': { id: unknownClientId, secret },
      'a wrong secret': { id, secret: swapped },
      "another client's secret": { id, secret: other.secret },
      'a cut off secret': { id, secret: secret.slice(0, -1) },
      'an API key as secret': { id, secret: label.key },
      'an access token as secret': { id, secret: await givenToken(service, client) },
      'no secret': { id, secret: '' },
    };
    const texts = new Set<string>();
    for (const [what, credentials] of Object.entries(wrong)) {
      const byHeader = await post(grant, basicOf(credentials));
      assert.equal(byHeader.status, 401, what);
      assertRefused(byHeader, 401, 'invalid_client');
      assert.equal(byHeader.headers.get('www-authenticate'), 'Basic realm="tonearm"', what);
      texts.add(byHeader.text);
      const fields = { client_id: credentials.id, client_secret: credentials.secret };
      const byBody = await post(`${grant}&${new URLSearchParams(fields).toString()}`);
      assertRefused(byBody, 401, 'invalid_client');
      assert.equal(byBody.headers.get('www-authenticate'), null, what);
    }
    assert.equal(texts.size, 1, 'the same bytes for an unknown client and for every wrong secret');
    for (const authorization of ['Basic', 'Basic ???', 'Basic bm9jb2xvbg==', `Bearer ${label.key}`])
      assertRefused(await post(grant, { authorization }), 401, 'invalid_client');
    assertRefused(await post(grant), 401, 'invalid_client');
  });

  test('an unknown client and a wrong secret are the same statement, and nothing else', async () => {
    const [known] = await service.query('select sha256 from oauth_credentials limit 1');
    assert.ok(known !== undefined);
    const statementsFor = async (credentials: { clientId: string; secret: string }) => {
      const sent: string[] = [];
      const directory: Db = {
        query: async (query: Sql) => {
          sent.push(toStatement(query).text);
          return [];
        },
      };
      assert.equal(await findClientOfSecret(directory, credentials), undefined);
      return sent;
    };
    const { secret } = client;
    const unknown = await statementsFor({ clientId: unknownClientId, secret });
    const wrong = await statementsFor({ clientId: client.id, secret });
    const malformed = await statementsFor({ clientId: 'x', secret });
    assert.equal(unknown.length, 1);
    assert.match(unknown[0] ?? '', /from oauth_credentials where sha256 = \$1/);
    assert.deepEqual(wrong, unknown);
    assert.deepEqual(malformed, unknown);
  });

  test('RFC 6749 §5.2: invalid_scope, for one that is unknown or not granted; a subset is granted', async () => {
    for (const scope of [
      'releases:delete',
      'payouts:write',
      'releases:read payouts:read',
      '"',
      ' ',
    ])
      assertRefused(await requestToken(service, client, scope), 400, 'invalid_scope');
    const { json } = await requestToken(service, client, 'releases:read releases:read');
    assert.equal(json.scope, 'releases:read');
    const call = (method: string, body?: object) =>
      service.request(json.access_token, method, '/v1/releases', body);
    assert.equal((await call('GET')).status, 200);
    const refused = await call('POST', draft());
    assert.deepEqual([refused.status, refused.json.error.code], [403, 'insufficient_scope']);
  });

  test('RFC 6749 §5.2: unauthorized_client below the enterprise tier; its tokens stop too', async () => {
    const partner = await service.givenOrganization({ tier: 'enterprise', prefix: null });
    const own = await givenOAuthClient(partner);
    const token = await givenToken(service, own);
    await service.query(`update organizations set tier = 'growth' where org_id = $1`, [
      toUuid(partner.orgId as OrgId),
    ]);
    assertRefused(await requestToken(service, own), 400, 'unauthorized_client');
    const { status, json } = await service.request(token, 'GET', '/v1/releases');
    assert.deepEqual([status, json.error.code], [403, 'tier_not_allowed']);
  });

  test('a suspended organization gets tokens, which read and change nothing', async () => {
    const partner = await service.givenOrganization({ tier: 'enterprise', prefix: null });
    const own = await givenOAuthClient(partner);
    await service.admin('org', 'suspend', '--org', partner.orgId);
    const token = await givenToken(service, own);
    assert.equal((await service.request(token, 'GET', '/v1/releases')).status, 200);
    const { status, json } = await service.request(token, 'POST', '/v1/releases', draft());
    assert.deepEqual([status, json.error.code], [403, 'organization_suspended']);
  });

  test('contract §8: an Idempotency-Key is ignored: two tokens, and nothing is stored', async () => {
    const key = { 'idempotency-key': '0b7c1b1e-6f0e-4c43-9d2c-0c4f2a1d9d5e' };
    const first = await post(grant, { ...basicOf(client), ...key });
    const second = await post(grant, { ...basicOf(client), ...key });
    assert.notEqual(first.json.access_token, second.json.access_token);
    assert.deepEqual(
      await service.query(`select key from idempotency_keys where key = $1`, [
        key['idempotency-key'],
      ]),
      [],
    );
  });

  test('only SHA-256 of secrets and tokens is stored', async () => {
    const token = await givenToken(service, client);
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
    const tables = ['oauth_credentials', 'oauth_tokens', 'oauth_client_secrets', 'oauth_clients'];
    let dump = '';
    for (const table of tables) {
      const rows = await service.query(`select to_jsonb(t)::text as row from ${table} t`);
      dump += rows.map(({ row }) => row).join('\n');
    }
    for (const secret of [client.secret, token]) {
      assert.ok(dump.includes(hashOf(secret)));
      assert.ok(!dump.includes(secret.slice(6, 30)));
    }
  });

  test('a failure of the service keeps a string in error: server_error, temporarily_unavailable', async () => {
    await service.query('revoke select on oauth_credentials from tonearm_directory');
    const failed = await requestToken(service, client);
    await service.query('grant select on oauth_credentials to tonearm_directory');
    assertRefused(failed, 500, 'server_error');
    const away = await openTestService({ databasePort: 1 });
    const { id: orgId = '' } = await away.admin(
      'org',
      'create',
      '--name',
      'X',
      '--tier',
      'enterprise',
    );
    const { id = '', secret = '' } = await away.admin('oauth', 'create', '--org', orgId);
    const reply = await requestToken(away, { id, secret });
    assertRefused(reply, 503, 'temporarily_unavailable');
    assert.equal(reply.headers.get('retry-after'), '2');
    await away.close();
  });

  test('another method than POST is 405 in the usual envelope: it is not a token request', async () => {
    const { status, json, headers } = await service.request(undefined, 'GET', '/v1/oauth/token');
    assert.deepEqual([status, json.error.code], [405, 'method_not_allowed']);
    assert.equal(headers.get('allow'), 'POST');
  });
});
