/**
 * Compares the responses to two organizations with each other's data. Both send random requests to every route, with
 * ids of both organizations; each response is searched for everything that belongs to the other. This is repeated with
 * one wall removed at a time. A wall is the organization in every statement's condition, or row-level security.
 *
 * The bar: no foreign read or write with both walls or with either one, and every route requested; with both walls
 * removed at least one foreign read and write is found, which shows that the search works. It fails when one statement
 * or one table lacks its wall.
 */

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Experiment } from '../../../../scripts/experiments/experiment.ts';
import { type OrgId, toUuid } from '../../src/kernel/ids.ts';
import { StatementBatch } from '../../src/platform/db/statement-batch.ts';
import type { AnyOperation } from '../../src/platform/http/operation.ts';
import {
  type OrgClient,
  draft,
  openTestService,
  type Reply,
  type TestService,
} from '../test-service.ts';
import { runConcurrently } from './client.ts';
import { type Random, seededRandom } from './random.ts';

const requestsOf = { start: 6_000, small: 20_000, full: 120_000 };
const concurrency = 8;
const roundsWithoutWallsMax = 10;
const idsMax = 60;

export const experiment: Experiment = {
  compares:
    'responses to two organizations, searched for everything of the other, with both walls, each alone, and none',
  bar: (size) => ({
    requests: { atLeast: requestsOf[size] },
    routes_missed: { equals: 0 },
    foreign_writes: { equals: 0 },
    foreign_with_both_walls: { equals: 0 },
    foreign_with_row_level_security_alone: { equals: 0 },
    foreign_with_conditions_alone: { equals: 0 },
    foreign_with_no_wall: { atLeast: 1 },
    foreign_writes_with_no_wall: { atLeast: 1 },
    conditions_removed: { atLeast: 1_000 },
  }),
  run: async ({ size, say }) => {
    const random = seededRandom();
    const total = requestsOf[size];
    const conditions = removableConditions();
    const tally = { requests: 0, foreignWrites: 0, routesMissed: 0 };
    const search = async (
      what: string,
      share: number,
      removeWalls: (service: TestService) => Promise<void>,
    ) => {
      const requests = total * share;
      const service = await openTestService();
      await removeWalls(service);
      const found = await searchForForeign(service, random, requests);
      conditions.restore();
      await service.close();
      tally.requests += found.answered;
      say(`${what}: ${requests} requests, ${found.reads} responses with foreign data`);
      return found;
    };
    /** A search that must find no foreign read and no foreign write. */
    const searchForNothing = async (...args: Parameters<typeof search>) => {
      const found = await search(...args);
      tally.foreignWrites += found.writes;
      tally.routesMissed += found.routesMissed;
      return found.reads;
    };
    const withoutConditions = async () => conditions.remove();
    const figures = {
      foreign_with_both_walls: await searchForNothing('both walls', 1, async () => undefined),
      foreign_with_row_level_security_alone: await searchForNothing(
        'row-level security alone',
        0.25,
        withoutConditions,
      ),
      foreign_with_conditions_alone: await searchForNothing('conditions alone', 0.25, openTables),
    };
    // Random requests rarely write to the other organization: more are sent until one does.
    const withoutWalls = { reads: 0, writes: 0 };
    for (let round = 0; round < roundsWithoutWallsMax && withoutWalls.writes === 0; round++) {
      const { reads, writes } = await search('no wall', 0.2, async (service) => {
        await openTables(service);
        await withoutConditions();
      });
      withoutWalls.reads += reads;
      withoutWalls.writes += writes;
    }
    return {
      seed: random.seed,
      requests: tally.requests,
      routes_missed: tally.routesMissed,
      ...figures,
      foreign_writes: tally.foreignWrites,
      foreign_with_no_wall: withoutWalls.reads,
      foreign_writes_with_no_wall: withoutWalls.writes,
      conditions_removed: conditions.count(),
    };
  },
};

/** Removes the organization from the conditions of all statements before the driver sends them. */
function removableConditions() {
  type Query = typeof pg.Client.prototype.query;
  // `Reflect.apply` below calls it with its client.
  // oxlint-disable-next-line typescript/unbound-method
  const { query } = pg.Client.prototype;
  let count = 0;
  const open = (text: string) =>
    text.replaceAll(
      /\b(?:\w+\.)?org_id = (\$\d+)/g,
      (_, value) => (count++, `(${value}::uuid is not null)`),
    );
  const opened = function (this: pg.Client, ...args: unknown[]) {
    const [config] = args;
    if (config instanceof StatementBatch) {
      for (const statement of config.statements) {
        const text = open(statement.text);
        if (text === statement.text) continue;
        Object.assign(statement, { text, name: `open_${statement.name}` });
      }
    } else if (typeof config === 'object' && config !== null && 'text' in config) {
      const { text, name } = config as { text: string; name: string };
      args[0] = { ...config, text: open(text), name: `open_${name}` };
    }
    return Reflect.apply(query, this, args);
  };
  return {
    count: () => count,
    remove: () => void (pg.Client.prototype.query = opened as Query),
    restore: () => void (pg.Client.prototype.query = query),
  };
}

/** Disables row-level security on every table that has it. */
async function openTables(service: TestService): Promise<void> {
  const tables = await service.query(
    `select oid::regclass::text as name from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace`,
  );
  if (tables.length < 5) throw new Error(`only ${tables.length} tables with row-level security`);
  for (const { name } of tables)
    await service.query(`alter table ${name} disable row level security`);
}

type Tenant = {
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

async function openTenant(service: TestService): Promise<Tenant> {
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

type SearchResult = {
  readonly answered: number;
  readonly reads: number;
  readonly writes: number;
  readonly routesMissed: number;
};

/** Counts responses with data of the other organization that the request itself did not contain. */
async function searchForForeign(
  service: TestService,
  random: Random,
  requests: number,
): Promise<SearchResult> {
  const tenants = [await openTenant(service), await openTenant(service)] as const;
  const { operations } = service.api;
  const routes = new Set<string>();
  let sent = 0;
  let answered = 0;
  let reads = 0;
  await runConcurrently(concurrency, async () => {
    if (sent++ >= requests) return false;
    if (sent % 500 === 0) await service.sequenceEvents();
    if (sent % 100 === 0) await service.flushRequests();
    const [tenant, other] = random.below(2) === 0 ? tenants : [tenants[1], tenants[0]];
    const operation = random.pick(operations);
    routes.add(operation.id);
    const { path, body, headers } = randomRequest(operation, tenant, other, random);
    const reply = await tenant.caller.call(operation.method, path, body, headers);
    answered++;
    recordKnownIds(tenant, operation, reply, headers['idempotency-key']);
    const sentText = JSON.stringify([path, body, headers]);
    if (operation.id === 'createDeliveryJob') tenant.jobRequests.set(reply.json?.id, sentText);
    const jobRequest =
      operation.id === 'getDeliveryJob' ? tenant.jobRequests.get(reply.json?.id) : '';
    const foreign = showsOwnRequests.has(operation.id) ? canariesOf(other) : tokensOf(other);
    if (containsAny(reply, `${sentText}${jobRequest}`, foreign)) reads++;
    return true;
  });
  const writes = await countForeignWrites(service, tenants);
  return { answered, reads, writes, routesMissed: operations.length - routes.size };
}

/** Counts the rows of one organization that contain the other's canary. */
async function countForeignWrites(
  service: TestService,
  tenants: readonly [Tenant, Tenant],
): Promise<number> {
  const [one, two] = tenants;
  const [row] = await service.query(
    `select count(*)::int as n
       from (select org_id, to_jsonb(releases)::text as text from releases
             union all select org_id, to_jsonb(tracks)::text from tracks
             union all select org_id, to_jsonb(artists)::text from artists
             union all select org_id, to_jsonb(labels)::text from labels
             union all select org_id, to_jsonb(assets)::text from assets
             union all select org_id, to_jsonb(webhooks)::text from webhooks
             union all select org_id, to_jsonb(oauth_clients)::text from oauth_clients
             union all select org_id, to_jsonb(sandbox_scenarios)::text from sandbox_scenarios) written
      where (org_id = $1 and text like $4) or (org_id = $3 and text like $2)`,
    [
      toUuid(one.caller.orgId as OrgId),
      `%${one.canary}%`,
      toUuid(two.caller.orgId as OrgId),
      `%${two.canary}%`,
    ],
  );
  return row.n;
}

function randomRequest(
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

function recordKnownIds(
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

/** They show what this organization sent, even ids of the other. */
const showsOwnRequests = new Set(['getRequest', 'listRequests', 'getIdempotencyKey']);

/** In no request of the other organization. */
const canariesOf = ({ canary, caller: { orgId } }: Tenant): string[] => [canary, orgId];

function tokensOf(other: Tenant): string[] {
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

function containsAny(reply: Reply, sent: string, tokens: readonly string[]): boolean {
  const response = `${reply.text}\n${JSON.stringify([...reply.headers])}`;
  return tokens.some((token) => response.includes(token) && !sent.includes(token));
}
