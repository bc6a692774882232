/** Gives an organization secrets of every kind, and everything that a reading tool needs an id of. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { canaryAccounts, canaryTins } from '../../../../apps/service/test/bank-canaries.ts';
import { openReceiver } from '../../../../apps/service/test/receiver.ts';
import { givenStatement } from '../../../../apps/service/test/statement-fixture.ts';
import {
  draft,
  type OrgClient,
  type TestService,
} from '../../../../apps/service/test/test-service.ts';

const lists: Readonly<Record<string, string>> = {
  release_id: '/v1/releases',
  track_id: '/v1/tracks',
  artist_id: '/v1/artists',
  label_id: '/v1/labels',
  delivery_id: '/v1/deliveries',
  statement_id: '/v1/statements',
  payout_method_id: '/v1/payout_methods',
  payout_id: '/v1/payouts',
  event_id: '/v1/events',
  webhook_id: '/v1/webhooks',
  oauth_client_id: '/v1/oauth_clients',
  api_key_id: '/v1/api_keys',
  request_id: '/v1/requests',
  scenario_id: '/v1/sandbox/scenarios',
  report_id: '/v1/sandbox/reports',
};

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

export async function plantSecrets(service: TestService, partner: OrgClient) {
  const send = async (path: string, body: object, method = 'POST') => {
    const { status, json, text } = await partner.call(method, path, body);
    assert.ok(status < 300, `${method} ${path}: ${text}`);
    return json;
  };
  const receiver = await openReceiver();
  const chosen = newSecret();
  const webhook = await send('/v1/webhooks', {
    url: receiver.url,
    event_type: '*',
    secret: chosen,
  });
  const rotated = await send(`/v1/webhooks/${webhook.id}/rotate_secret`, {});
  const apiKey = await send('/v1/api_keys', { name: 'Second', scopes: ['releases:read'] });
  const client = await send('/v1/oauth_clients', { name: 'Sync', scopes: ['releases:read'] });
  const more = await send(`/v1/oauth_clients/${client.id}/secrets`, {});
  const accounts = canaryAccounts();
  for (const account of accounts.accepted) await send('/v1/payout_methods', account);
  for (const account of accounts.refused) await partner.call('POST', '/v1/payout_methods', account);
  const tins = canaryTins();
  for (const profile of tins.accepted) await send('/v1/tax_profile', profile, 'PATCH');
  const asset = await send('/v1/assets', {
    type: 'audio',
    file_name: 'song.wav',
    content_type: 'audio/wav',
    size_bytes: 1_000,
  });
  const signature = /X-Amz-Signature=(\w+)/.exec(asset.upload.url)?.[1];
  assert.ok(signature !== undefined);
  const { url: inbox } = await partner.call('GET', '/v1/sandbox/inbox').then(({ json }) => json);
  await givenStatement(service, partner);
  await send('/v1/sandbox/scenarios', { steps: [{ action: 'confirm' }] });
  const recognizable: string[] = [
    partner.key,
    chosen,
    rotated.secret,
    apiKey.secret,
    client.secret,
    more.secret,
    accounts.secrets.iban,
  ];
  const marker = `marker ${randomBytes(8).toString('hex')}`;
  // In texts that everyone of the organization can read.
  await send('/v1/releases', {
    ...draft(),
    title: marker,
    metadata: { note: recognizable.join(' ') },
  });
  await service.flushRequests();
  await receiver.close();

  const ids: Record<string, unknown> = { store_id: 'aurora', revision: 1, asset_id: asset.id };
  for (const [name, path] of Object.entries(lists)) {
    ids[name] = (await partner.call('GET', `${path}?limit=1`)).json.data?.[0]?.id;
  }
  return {
    marker,
    /** Those that can be told from other texts. */
    recognizable,
    secrets: [
      ...recognizable,
      ...Object.values(accounts.secrets),
      ...Object.values(tins.secrets),
      signature,
      new URL(inbox).pathname.split('/').at(-1) ?? '',
    ],
    argumentsOf: (names: readonly string[]): Record<string, unknown> =>
      Object.fromEntries(names.map((name) => [name, ids[name] ?? 'nothing'])),
  };
}
