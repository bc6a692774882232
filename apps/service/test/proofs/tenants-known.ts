/** An organization of the proof `tenants`, and what is known of it: ids, keys, cursors. */

import { randomUUID } from 'node:crypto';
import type { AnyOperation } from '../../src/platform/http/operation.ts';
import type { OrgClient, Reply, TestService } from '../test-service.ts';

const idsMax = 60;

export type Tenant = {
  readonly caller: OrgClient;
  /** Contained in every text that this organization stores, and in no request of the other. */
  readonly canary: string;
  readonly releases: string[];
  readonly tracks: string[];
  readonly artists: string[];
  readonly labels: string[];
  readonly assets: string[];
  readonly deliveries: string[];
  readonly jobs: string[];
  readonly scenarios: string[];
  readonly reports: string[];
  readonly webhooks: string[];
  readonly events: string[];
  readonly apiKeys: string[];
  readonly oauthClients: string[];
  readonly oauthSecrets: string[];
  readonly requests: string[];
  /** The request of each of its jobs, by the job's id: a job shows its request, even with ids of the other. */
  readonly jobRequests: Map<string, string>;
  readonly upcs: string[];
  readonly keys: string[];
  readonly cursors: string[];
  /** The token in the inbox's URL. */
  readonly token: string;
};

export async function openTenant(service: TestService): Promise<Tenant> {
  const canary = `canary${randomUUID().replaceAll('-', '')}`;
  const caller = await service.givenOrganization({ label: `Label ${canary}`, tier: 'enterprise' });
  // Releases and tracks can only refer to ready assets; the random requests create others.
  const assets: string[] = [];
  while (assets.length < 6) {
    assets.push(await service.givenAsset(caller, assets.length % 2 === 0 ? 'audio' : 'artwork'));
  }
  const tenant: Tenant = {
    caller,
    canary,
    releases: [],
    tracks: [],
    artists: [],
    labels: [],
    assets,
    deliveries: [],
    jobs: [],
    scenarios: [],
    reports: [],
    webhooks: [],
    events: [],
    apiKeys: [],
    oauthClients: [],
    oauthSecrets: [],
    requests: [],
    jobRequests: new Map(),
    upcs: [],
    keys: [],
    cursors: [],
    token: await fillInbox(caller, canary),
  };
  await deliverSome(service, tenant);
  return tenant;
}

/** Returns the inbox's token. With no wall the inbox may be the other's, whose sealed URL cannot be opened. */
async function fillInbox(caller: OrgClient, canary: string): Promise<string> {
  const { status, json } = await caller.call('GET', '/v1/sandbox/inbox');
  if (status !== 200) return canary;
  await fetch(json.url, { method: 'POST', body: canary });
  return json.url.split('/').at(-1);
}

/** Creates deliveries and jobs at the start, because random requests hardly ever get that far. */
async function deliverSome(
  service: TestService,
  { caller, canary, deliveries, jobs }: Tenant,
): Promise<void> {
  for (let i = 0; i < 3; i++) {
    // Its label is named: with no wall, the default label may be the other's, which no release can have.
    const fields = { title: `Title ${canary}`, label: `Label ${canary}` };
    const release_id = await service.givenSubmittedRelease(caller, fields);
    const body = {
      release_id,
      stores: ['aurora'],
      territory_codes: ['DE'],
      metadata: { note: canary },
    };
    deliveries.push((await caller.call('POST', '/v1/deliveries', body)).json.id);
    const job = { action: 'takedown', items: [{ release_id, reason: canary }] };
    jobs.push((await caller.call('POST', '/v1/delivery_jobs', job)).json.id);
  }
}

export function recordKnownIds(
  tenant: Tenant,
  operation: AnyOperation,
  reply: Reply,
  key: string | undefined,
): void {
  const add = (list: string[], value: string) => {
    list.push(value);
    if (list.length > idsMax) list.shift();
  };
  if (reply.status === 201) {
    if (operation.id === 'createRelease') {
      add(tenant.releases, reply.json.id);
      add(tenant.upcs, reply.json.upc);
    }
    if (operation.id === 'createTrack') add(tenant.tracks, reply.json.id);
    if (operation.id === 'createArtist') add(tenant.artists, reply.json.id);
    if (operation.id === 'createLabel') add(tenant.labels, reply.json.id);
    if (operation.id === 'createAsset') add(tenant.assets, reply.json.id);
    if (operation.id === 'createDelivery') add(tenant.deliveries, reply.json.id);
    if (operation.id === 'createScenario') add(tenant.scenarios, reply.json.id);
    if (operation.id === 'createSandboxReport') add(tenant.reports, reply.json.id);
    if (operation.id === 'createWebhook') add(tenant.webhooks, reply.json.id);
    if (operation.id === 'createApiKey') add(tenant.apiKeys, reply.json.id);
    if (operation.id === 'createOAuthClient') {
      add(tenant.oauthClients, reply.json.id);
      add(tenant.oauthSecrets, reply.json.secrets[0].id);
    }
  }
  if (reply.status === 200 && operation.id === 'listEvents') {
    for (const { id } of reply.json.data) add(tenant.events, id);
  }
  if (reply.status === 202 && operation.id === 'createDeliveryJob') add(tenant.jobs, reply.json.id);
  if (key !== undefined) add(tenant.keys, key);
  add(tenant.requests, reply.headers.get('x-request-id') ?? '');
  if (typeof reply.json?.next_cursor === 'string') add(tenant.cursors, reply.json.next_cursor);
}

/** In no request of the other organization. */
export const canariesOf = ({ canary, caller: { orgId } }: Tenant): string[] => [canary, orgId];

export function tokensOf(other: Tenant): string[] {
  return [
    ...canariesOf(other),
    ...other.releases,
    ...other.tracks,
    ...other.artists,
    ...other.labels,
    ...other.assets,
    ...other.deliveries,
    ...other.jobs,
    ...other.scenarios,
    ...other.reports,
    ...other.webhooks,
    ...other.events,
    ...other.apiKeys,
    ...other.oauthClients,
    ...other.oauthSecrets,
    ...other.upcs,
    ...other.keys,
    other.token,
  ];
}
