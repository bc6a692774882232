/** Access tokens (spec §5.1, contract §5, RFC 6750), also with oauth4webapi as an independent client. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import {
  givenOAuthClient,
  givenToken,
  requestToken,
  type TestOAuthClient,
} from '../oauth-fixture.ts';
import { draft, openTestService, type OrgClient, type TestService } from '../test-service.ts';

describe('contract §5: access tokens', () => {
  let service: TestService;
  let label: OrgClient;
  before(async () => {
    service = await openTestService({ now: '2026-11-15T12:00:00Z' });
    label = await service.givenOrganization({ tier: 'enterprise' });
  });
  after(() => service.close());

  const read = (token: string) => service.request(token, 'GET', '/v1/releases');
  const codeOf = async (token: string): Promise<string> => (await read(token)).json.error?.code;

  test('RFC 6750 §2.1: a token works as Bearer, and changes name its client', async () => {
    const client = await givenOAuthClient(label);
    const token = await givenToken(service, client);
    assert.equal((await service.request(token, 'POST', '/v1/releases', draft())).status, 201);
    const [row] = await service.query(
      `select actor_type, actor_id from audit where action = 'release.create'`,
    );
    assert.deepEqual(row, { actor_type: 'oauth_client', actor_id: client.id });
  });

  test('it works for 3600 s of real time, then 401 token_expired', async () => {
    const token = await givenToken(service, await givenOAuthClient(label));
    await service.clock.set('2026-11-15T12:59:59.999Z');
    assert.equal((await read(token)).status, 200);
    await service.clock.set('2026-11-15T13:00:00Z');
    const { status, json, headers } = await read(token);
    assert.deepEqual([status, json.error.code], [401, 'token_expired']);
    assert.match(headers.get('www-authenticate') ?? '', /error="invalid_token"/);
    await service.clock.set('2026-11-16T11:59:59Z');
    assert.equal(await codeOf(token), 'token_expired');
    await service.clock.set('2026-11-18T12:00:00Z');
    assert.equal(
      await codeOf(token),
      'invalid_credentials',
      'after a day it is not looked up any more',
    );
  });

  test('a deleted client, or a revoked secret, ends its tokens within 5 s; others keep working', async () => {
    const { id, secret, secretId } = await givenOAuthClient(label);
    const second = await label.call('POST', `/v1/oauth_clients/${id}/secrets`, {});
    const tokens = [
      await givenToken(service, { id, secret }),
      await givenToken(service, { id, secret: second.json.secret }),
    ] as const;
    for (const token of tokens) assert.equal((await read(token)).status, 200);
    await label.call('DELETE', `/v1/oauth_clients/${id}/secrets/${secretId}`);
    await service.clock.set('2026-11-18T12:00:05Z');
    assert.equal(await codeOf(tokens[0]), 'invalid_credentials');
    assert.equal((await read(tokens[1])).status, 200);
    await label.call('DELETE', `/v1/oauth_clients/${id}`);
    await service.clock.set('2026-11-18T12:00:10Z');
    assert.equal(await codeOf(tokens[1]), 'invalid_credentials');
  });

  test('an expired secret gets no token; the tokens it got before live for their hour', async () => {
    const { id, secret } = await givenOAuthClient(label);
    const token = await givenToken(service, { id, secret });
    await label.call('POST', `/v1/oauth_clients/${id}/secrets`, { grace_period_seconds: 60 });
    await service.clock.set('2026-11-18T12:01:09Z');
    assert.equal((await requestToken(service, { id, secret })).status, 200);
    await service.clock.set('2026-11-18T12:01:10Z');
    const { status, json } = await requestToken(service, { id, secret });
    assert.deepEqual([status, json.error], [401, 'invalid_client']);
    assert.equal((await read(token)).status, 200);
  });

  test('a token has the scopes of its issue that the client still has', async () => {
    const { id, secret } = await givenOAuthClient(label);
    const token = await givenToken(service, { id, secret });
    await service.query(`update oauth_clients set scopes = '{releases:write}'`);
    assert.equal(await codeOf(token), 'insufficient_scope');
  });

  test('a token or client of the other environment → invalid_credentials, invalid_client', async () => {
    const client = await givenOAuthClient(label);
    const token = await givenToken(service, client);
    const live = await openTestService({ environment: 'live' });
    const { status, json } = await live.request(token, 'GET', '/v1/releases');
    assert.deepEqual([status, json.error.code], [401, 'invalid_credentials']);
    assert.match(json.error.message, /live environment/);
    assert.equal((await requestToken(live, client)).json.error, 'invalid_client');
    await live.close();
  });

  test('a client secret as Bearer is told where to go; a mistyped token costs no look-up', async () => {
    const { secret, ...client } = await givenOAuthClient(label);
    const refused = await read(secret);
    assert.equal(refused.json.error.code, 'invalid_credentials');
    assert.match(refused.json.error.message, /POST \/v1\/oauth\/token/);
    const token = await givenToken(service, { ...client, secret });
    const mistyped = (await read(token.slice(0, -1))).json.error;
    assert.equal(mistyped.code, 'invalid_credentials');
    assert.match(mistyped.message, /mistyped or cut off/);
  });
});

describe('oauth4webapi, an independent client', () => {
  let service: TestService;
  let client: TestOAuthClient;
  before(async () => {
    service = await openTestService();
    client = await givenOAuthClient(
      await service.givenOrganization({ tier: 'enterprise', prefix: null }),
    );
  });
  after(() => service.close());

  const server = (): oauth.AuthorizationServer => ({
    issuer: service.url,
    token_endpoint: `${service.url}/v1/oauth/token`,
  });
  // The library requires https; the test service listens on loopback without it.
  const plainHttp = { [oauth.allowInsecureRequests]: true };
  const tokenFrom = async (auth: oauth.ClientAuth, parameters: Record<string, string> = {}) => {
    const identity: oauth.Client = { client_id: client.id };
    const response = await oauth.clientCredentialsGrantRequest(
      server(),
      identity,
      auth,
      new URLSearchParams(parameters),
      plainHttp,
    );
    return oauth.processClientCredentialsResponse(server(), identity, response);
  };

  test('gets a token with ClientSecretBasic and with ClientSecretPost, and uses it', async () => {
    for (const method of [oauth.ClientSecretBasic, oauth.ClientSecretPost]) {
      const token = await tokenFrom(method(client.secret), { scope: 'releases:read' });
      assert.deepEqual(
        [token.token_type, token.expires_in, token.scope],
        ['bearer', 3_600, 'releases:read'],
      );
      const response = await oauth.protectedResourceRequest(
        token.access_token,
        'GET',
        new URL(`${service.url}/v1/releases`),
        undefined,
        undefined,
        plainHttp,
      );
      assert.equal(response.status, 200);
    }
  });

  test('reads our errors: the challenge of a refused Basic, the code of a refused body and scope', async () => {
    await assert.rejects(tokenFrom(oauth.ClientSecretBasic('ta_cs_wrong')), (error) => {
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
      assert.equal(error.cause[0]?.scheme, 'basic');
      return true;
    });
    const refusals = [
      [tokenFrom(oauth.ClientSecretPost('ta_cs_wrong')), 401, 'invalid_client'],
      [tokenFrom(oauth.ClientSecretBasic(client.secret), { scope: 'x' }), 400, 'invalid_scope'],
    ] as const;
    for (const [refused, status, code] of refusals) {
      await assert.rejects(refused, (error) => {
        assert.ok(error instanceof oauth.ResponseBodyError);
        assert.deepEqual([error.status, error.error], [status, code]);
        assert.ok((error.error_description ?? '').length > 0);
        return true;
      });
    }
  });

  test('reads the challenge of a refused token at a resource (RFC 6750 §3)', async () => {
    const request = oauth.protectedResourceRequest(
      'ta_at_wrong',
      'GET',
      new URL(`${service.url}/v1/releases`),
      undefined,
      undefined,
      plainHttp,
    );
    await assert.rejects(request, (error) => {
      assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
      assert.equal(error.cause[0]?.parameters.error, 'invalid_token');
      return true;
    });
  });
});
