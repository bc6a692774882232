/** Random requests to every route, with ids of both organizations. */

import { randomUUID } from 'node:crypto';
import type { AnyOperation } from '../../src/platform/http/operation.ts';
import { draft } from '../test-service.ts';
import type { Random } from './random.ts';
import type { Tenant } from './tenants-known.ts';

export function randomRequest(
  { id, path, method, query, body }: AnyOperation,
  tenant: Tenant,
  other: Tenant,
  random: Random,
) {
  const eitherTenant = () => random.pick([tenant, other]);
  const unknown = 'rel_01h455vb4pex5vsknk084sn02q';
  const known = (ids: readonly string[]) => (ids.length === 0 ? unknown : random.pick(ids));
  const values: Readonly<Record<string, () => string>> = {
    release_id: () => known(eitherTenant().releases),
    track_id: () => known(eitherTenant().tracks),
    artist_id: () => known(eitherTenant().artists),
    label_id: () => known(eitherTenant().labels),
    asset_id: () => known(eitherTenant().assets),
    delivery_id: () => known(eitherTenant().deliveries),
    job_id: () => known(eitherTenant().jobs),
    scenario_id: () => known(eitherTenant().scenarios),
    report_id: () => known(eitherTenant().reports),
    webhook_id: () => known(eitherTenant().webhooks),
    event_id: () => known(eitherTenant().events),
    api_key_id: () => known(eitherTenant().apiKeys),
    oauth_client_id: () => known(eitherTenant().oauthClients),
    secret_id: () => known(eitherTenant().oauthSecrets),
    request_id: () => known(eitherTenant().requests),
    key: () => known(eitherTenant().keys),
    delivery_status: () => 'pending',
    store_id: () => 'aurora',
    // Not the other's token: anyone who knows an inbox's URL may post to it, and its owner reads the message.
    token: () => tenant.token,
    territory_code: () => 'DE',
    isrc: () => 'GBTEN2600001',
    revision: () => String(1 + random.below(3)),
    upc: () => random.pick([...eitherTenant().upcs, '860001000009']),
    cursor: () => random.pick([...eitherTenant().cursors, 'none']),
    limit: () => String(1 + random.below(100)),
    status: () => 'draft',
    type: () => 'release.created',
    after: () => String(random.below(50)),
    reference: () => 'shared',
    label: () => 'Test Records',
    updated_since: () => '2026-01-01T00:00:00Z',
    resource: () => known(eitherTenant().releases),
    since: () => '2026-01-01T00:00:00Z',
    until: () => '2030-01-01T00:00:00Z',
  };
  const valueOf = (name: string): string => values[name]?.() ?? 'x';
  const names = Object.keys(query?.properties ?? {}).filter(() => random.below(4) === 0);
  const search = names.map((name) => `${name}=${encodeURIComponent(valueOf(name))}`).join('&');
  const reference = random.below(10) === 0 ? 'shared' : `r${random.below(1e9)}`;
  const text = { title: `Title ${tenant.canary}`, reference, metadata: { note: tenant.canary } };
  const ownName = { name: `${tenant.canary} ${random.below(1e9)}` };
  /** An artist and a label, of either organization. */
  const named = () => ({
    artists: [{ artist_id: known(eitherTenant().artists), role: 'main' }],
    ...(random.below(2) === 0 && { label_id: known(eitherTenant().labels) }),
  });
  const track = () => ({
    ...text,
    reference: `t${random.below(1e9)}`,
    release_id: known(eitherTenant().releases),
    isrc: 'GBTEN2600001',
    audio_asset_id: known(eitherTenant().assets),
  });
  const plan = () => ({
    release_id: known(eitherTenant().releases),
    stores: ['aurora'],
    territory_codes: ['DE'],
  });
  const contents: Readonly<Record<string, () => object>> = {
    createRelease: () => (random.below(2) === 0 ? draft(text) : draft({ ...text, ...named() })),
    updateRelease: () => ({
      genre: tenant.canary,
      ...(random.below(2) === 0 ? named() : { artwork_asset_id: known(eitherTenant().assets) }),
    }),
    createArtist: () => ({ ...ownName, metadata: { note: tenant.canary } }),
    updateArtist: () => ({ ...ownName, store_profiles: { aurora: tenant.canary } }),
    mergeArtist: () => ({ into: known(eitherTenant().artists) }),
    createLabel: () => ({ ...ownName, p_line_owner: tenant.canary }),
    updateLabel: () => ownName,
    createTrack: track,
    createTracks: () => ({ tracks: [track(), track()] }),
    updateTrack: () => ({ genre: tenant.canary, audio_asset_id: known(eitherTenant().assets) }),
    updateTracks: () => ({
      tracks: [
        { id: known(eitherTenant().tracks), genre: tenant.canary },
        {
          id: known(eitherTenant().tracks),
          reference: `t${random.below(1e9)}`,
          audio_asset_id: known(eitherTenant().assets),
        },
      ],
    }),
    createAsset: () => ({
      type: 'audio',
      file_name: `${tenant.canary}.wav`,
      content_type: 'audio/wav',
      size_bytes: 100,
    }),
    createDelivery: () => ({ ...plan(), reference, metadata: { note: tenant.canary } }),
    dryRunDelivery: plan,
    createScenario: () => ({
      name: tenant.canary,
      release_id: known(eitherTenant().releases),
      steps: [{ action: 'reject', code: tenant.canary }],
    }),
    answerForStore: () => ({ answer: 'rejected', code: tenant.canary }),
    advanceSandboxClock: () => ({ by: '0s' }),
    setSandboxClockMode: () => ({ mode: random.pick(['manual', 'running']) }),
    createDeliveryJob: () => ({ action: 'deliver', items: [plan()] }),
    tellInbox: () => ({ status: 200 }),
    // No server listens at this port, so the ping fails at once.
    createWebhook: () => ({ url: `http://127.0.0.1:9999/${tenant.canary}`, event_type: '*' }),
    createApiKey: () => ({ ...ownName, scopes: ['releases:read'] }),
    createOAuthClient: () => ({ ...ownName, scopes: ['releases:read'] }),
    updateWebhook: () => ({ description: tenant.canary }),
    redeliverToWebhook: () => ({ since: '2026-01-01T00:00:00Z' }),
    redeliverEvent: () =>
      random.below(2) === 0 ? {} : { webhook_id: known(eitherTenant().webhooks) },
    applyFixes: () => ({ finding_ids: [`line_missing:release:p_line`] }),
  };
  return {
    path: `${path.replaceAll(/:(\w+)/g, (_, name: string) => valueOf(name))}${search === '' ? '' : `?${search}`}`,
    body: body === undefined ? undefined : (contents[id]?.() ?? {}),
    // An inbox shows the headers of its messages, and the idempotency key may be the other's.
    headers: id === 'receiveInInbox' ? {} : keyHeader(random, eitherTenant(), method),
  };
}

/** An idempotency key that `tenant` has used, or a new one. */
function keyHeader(random: Random, tenant: Tenant, method: string): Record<string, string> {
  if (method === 'GET' || random.below(2) === 0) return {};
  const reused = random.below(2) === 0 && tenant.keys.length > 0;
  return { 'idempotency-key': reused ? random.pick(tenant.keys) : randomUUID() };
}
