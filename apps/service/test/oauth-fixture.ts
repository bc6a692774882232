/** OAuth clients and raw requests to the token endpoint, for tests. */

import assert from 'node:assert/strict';
import type { OrgClient, Reply, TestService } from './test-service.ts';

export type TestOAuthClient = {
  readonly id: string;
  readonly secret: string;
  readonly secretId: string;
};

export async function givenOAuthClient(
  { call }: OrgClient,
  scopes: readonly string[] = ['releases:read', 'releases:write'],
): Promise<TestOAuthClient> {
  const { status, json, text } = await call('POST', '/v1/oauth_clients', { name: 'Sync', scopes });
  assert.equal(status, 201, text);
  return { id: json.id, secret: json.secret, secretId: json.secrets[0].id };
}

export const formType = { 'content-type': 'application/x-www-form-urlencoded' };

export const basicOf = ({ id, secret }: Pick<TestOAuthClient, 'id' | 'secret'>) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

/** Sends the text as it is, so that a test can repeat parameters. */
export const postToken = (
  service: TestService,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  service.request(undefined, 'POST', '/v1/oauth/token', body, { ...formType, ...headers });

export const requestToken = (
  service: TestService,
  client: Pick<TestOAuthClient, 'id' | 'secret'>,
  scope?: string,
): Promise<Reply> => {
  const parameters = { grant_type: 'client_credentials', ...(scope !== undefined && { scope }) };
  return postToken(service, new URLSearchParams(parameters).toString(), basicOf(client));
};

export async function givenToken(
  service: TestService,
  client: Pick<TestOAuthClient, 'id' | 'secret'>,
  scope?: string,
): Promise<string> {
  const { status, json, text } = await requestToken(service, client, scope);
  assert.equal(status, 200, text);
  return json.access_token;
}
