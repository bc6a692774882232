/** Two organizations with credentials of every kind, some of them revoked or expired, for `access.experiment.ts`. */

import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { givenOAuthClient, givenToken } from '../oauth-fixture.ts';
import { draft, type OrgClient, type TestService } from '../test-service.ts';
import type { Loot } from './access-attacks.ts';

export type Victim = { readonly owner: OrgClient; readonly loot: Loot };

/** The rows are made old: the api processes run by the real clock. */
const expireKey = (service: TestService, id: string) =>
  service.query(`update api_keys set expires_at = now() - interval '1 minute' where id = $1`, [
    toUuid(id as Id<'key'>),
  ]);
const expireTokens = (service: TestService, clientId: string) =>
  service.query(
    `update oauth_tokens set created_at = created_at - interval '61 minutes', expires_at = expires_at - interval '61 minutes'
      where client_id = $1`,
    [toUuid(clientId as Id<'oac'>)],
  );
const expireSecret = (service: TestService, id: string) =>
  service.query(
    `update oauth_client_secrets set expires_at = now() - interval '1 minute' where id = $1`,
    [toUuid(id as Id<'ocs'>)],
  );

export async function openVictim(service: TestService): Promise<Victim> {
  const owner = await service.givenOrganization({ tier: 'enterprise' });
  const { orgId } = owner;
  const newKey = () => service.admin('key', 'create', '--org', orgId);
  const [expiredKey, revokedKey] = [await newKey(), await newKey()];
  await expireKey(service, expiredKey['id'] ?? '');
  await service.admin('key', 'revoke', '--org', orgId, '--key', revokedKey['id'] ?? '');
  const aged = await givenOAuthClient(owner);
  const expiredToken = await givenToken(service, aged);
  await expireTokens(service, aged.id);
  const revokedClient = await givenOAuthClient(owner);
  const revokedToken = await givenToken(service, revokedClient);
  await owner.call('DELETE', `/v1/oauth_clients/${revokedClient.id}`);
  const client = await givenOAuthClient(owner);
  const path = `/v1/oauth_clients/${client.id}/secrets`;
  const revoked = await owner.call('POST', path, {});
  await owner.call('DELETE', `${path}/${revoked.json.secrets.at(-1).id}`);
  const expiring = await owner.call('POST', path, {});
  await expireSecret(service, expiring.json.secrets.at(-1).id);
  const { json: release } = await owner.call('POST', '/v1/releases', draft());
  const loot: Loot = {
    orgId,
    releaseId: release.id,
    keyId: revokedKey['id'] ?? '',
    key: owner.key,
    expiredKey: expiredKey['secret'] ?? '',
    revokedKey: revokedKey['secret'] ?? '',
    client,
    token: await givenToken(service, client),
    expiredToken,
    revokedToken,
    revokedClient,
    revokedSecret: revoked.json.secret,
    expiredSecret: expiring.json.secret,
  };
  return { owner, loot };
}
