/**
 * For almost every test: starts one api in this process, listening on a real socket, with its own database (copied from
 * the migrated template), a storage and a manual clock. There is no engine: see `worker-driver.ts`,
 * `service-with-engine.ts` and `full-stack.ts`.
 */

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { runAdminCommand } from '../src/app/admin.ts';
import { composeApi } from '../src/app/compose.ts';
import { createKeyUses } from '../src/identity/commands/record-key-uses.ts';
import { createRequestLog } from '../src/identity/http/request-log.ts';
import type { Clock } from '../src/kernel/clock.ts';
import type { Environment } from '../src/kernel/environment.ts';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import type { RateLimiter } from '../src/kernel/rate.ts';
import type { Tier } from '../src/kernel/tier.ts';
import { fictionalStores } from '../src/network/domain/fictional-stores.ts';
import { createKeyring } from '../src/platform/crypto/keyring.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import { type Database, openDatabase } from '../src/platform/db/database.ts';
import { createSequencer } from '../src/platform/db/sequencer.ts';
import type { Storage } from '../src/platform/storage/storage.ts';
import { createLogger } from '../src/platform/telemetry/logger.ts';
import { createResponseCheck } from './openapi-check.ts';
import { openTestStorage, s3Environment, s3OptionsOf } from './test-storage.ts';

const server = process.env['TONEARM_TEST_POSTGRES'] ?? '';
if (server === '') throw new Error('run tests with `npm test`, which starts PostgreSQL for them');

export const databaseUrl = (name: string, role = 'postgres', port?: number) => {
  const url = new URL(server);
  url.username = role;
  url.pathname = `/${name}`;
  if (port !== undefined) url.port = String(port);
  return url.href;
};

/** Set by `npm test`: a copy of the template with few partitions (`databases.ts`). */
const smallTemplate = process.env['TONEARM_TEST_SMALL_TEMPLATE'];

async function asOwner<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(databaseUrl(database));
  // Proofs kill PostgreSQL: the statement rejects, and without a listener the event would end this process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The template is marked as a sandbox, because it has the fictional stores. */
export async function createTestDatabase(
  environment: Environment = 'sandbox',
  template = 'tonearm_template',
): Promise<string> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  await asOwner('postgres', (client) =>
    client.query(`create database ${name} template ${template}`),
  );
  if (environment === 'live') {
    await asOwner(name, (client) => client.query(`update environment set name = 'live'`));
  }
  return name;
}

export const dropTestDatabase = (name: string) =>
  asOwner('postgres', (client) => client.query(`drop database ${name} with (force)`));

/** Real time of a test service. With `now`, and once a test calls `set`, it is frozen. */
export type ManualClock = Clock & { readonly set: (iso: string) => Promise<void> };

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads the fields it expects
  readonly json: any;
};

export type OrgClient = {
  readonly orgId: string;
  readonly key: string;
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Reply>;
};

export type TestServiceOptions = {
  readonly now?: string;
  readonly environment?: Environment;
  readonly databasePort?: number;
  /** For each role; one organization can have all of them. Omitted: ten, which organizations share as in the api. */
  readonly connections?: number;
  readonly log?: (line: string) => void;
  readonly limiter?: RateLimiter;
  readonly storage?: Storage;
  /** Of a bucket of its own (`createTestBucket`). Omitted: the shared one. */
  readonly storageSettings?: Record<string, string>;
  readonly publicUrl?: string;
  readonly guidesFolder?: string;
  readonly handlerTimeoutMs?: number;
  /**
   * Whether the clock runs with the real one, and the database has the partitions of two weeks, as `migrate` makes them.
   * For services with a worker, which makes the partitions that are missing; proofs and benches have it always.
   */
  readonly hasRealTime?: boolean;
};

/** Allows every request: most tests are not about rate limits, and some send more than any tier allows. */
export const unlimited: RateLimiter = {
  consume: async (_rateKey, { perMinute }) => ({
    isAllowed: true,
    remaining: perMinute - 1,
    resetSeconds: 60,
    retryAfterSeconds: 0,
  }),
  close: async () => undefined,
};

/** No two organizations share a GS1 company prefix. */
let nextGs1Prefix = 10_000;
let nextIsrcDesignation = 1;

/** Passes every rule of preflight. */
const validAssetFacts = {
  audio: {
    format: 'wav',
    codec: 'pcm_s16le',
    bitDepth: 16,
    sampleRateHz: 44_100,
    channels: 2,
    durationMs: 180_000,
    formatTag: 1,
  },
  artwork: {
    format: 'jpeg',
    width: 3_000,
    height: 3_000,
    colourSpace: 'rgb',
    bitDepth: 8,
    channels: 3,
  },
};

const sha256OfText = (text: string) => createHash('sha256').update(text).digest('hex');

export type TestService = Awaited<ReturnType<typeof openTestService>>;

/** Of one service: a statement may wait for a lock while a test looks on. */
const ownerConnectionsMax = 4;

const testKey = { id: 'test', secret: Buffer.alloc(32, 7) };

/**
 * The clock of a test service without an engine starts at this time on every date, so the release dates in tests are always
 * in the future, and no test starts just before midnight. A service with an engine has real time, as its worker and relay do.
 */
const usualBegin = Date.parse('2026-11-16T12:00:00Z');

/** For services with an engine: a Friday, two months ahead of the real date. */
export function fridayAhead(): string {
  const date = new Date(Date.now() + 60 * 86_400_000);
  date.setUTCDate(date.getUTCDate() + ((5 - date.getUTCDay() + 7) % 7));
  return date.toISOString().slice(0, 10);
}

/** A busy machine stands still for seconds: only a database that hangs reaches these. */
const hangTimeouts = { connectMs: 60_000, lockMs: 60_000, statementMs: 60_000 };

export async function openTestService(options: TestServiceOptions = {}) {
  const { environment = 'sandbox', databasePort } = options;
  const hasRealTime = options.hasRealTime === true || smallTemplate === undefined;
  const template = hasRealTime ? undefined : smallTemplate;
  const database = await createTestDatabase(environment, template);
  let manualNow = options.now === undefined ? undefined : new Date(options.now);
  const aheadMs = hasRealTime ? 0 : usualBegin - Date.now();
  const realNow = () => manualNow ?? new Date(Date.now() + aheadMs);
  const owner = new pg.Pool({
    connectionString: databaseUrl(database),
    max: ownerConnectionsMax,
    idleTimeoutMillis: 0,
  });
  owner.on('error', () => undefined);
  /** A setting of one call would stay for the next: use `set local`. */
  const query = async (text: string, values: unknown[] = []) =>
    (await owner.query(text, values)).rows;
  const clock: ManualClock = {
    now: realNow,
    set: async (iso) => {
      manualNow = new Date(iso);
      if (template === undefined) await query('select make_partitions($1)', [manualNow]);
    },
  };
  if (options.now !== undefined) await clock.set(options.now);

  const newId = createIds(clock);
  const open = (role: string) =>
    openDatabase({
      url: databaseUrl(database, role, role === 'tonearm_app' ? databasePort : undefined),
      connectionsMax: options.connections ?? 10,
      isShared: role === 'tonearm_app' && options.connections === undefined,
      clock,
      newId,
      onIdleError: () => undefined,
      timeouts: databasePort === undefined ? hangTimeouts : undefined,
    });
  const db = open('tonearm_app');
  const directory = open('tonearm_directory');
  const operator = open('tonearm_operator');
  const relayDb = open('tonearm_relay');
  const workerDb = open('tonearm_worker');
  const storageSettings = options.storageSettings ?? s3Environment();
  const storage = options.storage ?? openTestStorage(storageSettings);
  const state = { isDraining: false };
  const { log } = options;
  const keyUses = createKeyUses({ db, clock });
  const keyring = createKeyring([testKey]);
  const requestLog = createRequestLog({
    db,
    everyMs: undefined,
    onFailure: (cause) => {
      throw cause;
    },
  });
  const api = await composeApi({
    environment,
    clock,
    newId,
    db,
    directory,
    keyUses,
    keyring,
    logger: createLogger('info', { write: (line) => log?.(line) }),
    isDraining: () => state.isDraining,
    limiter: options.limiter ?? unlimited,
    storage,
    proxyHops: 0,
    outbound: { allowHttp: environment === 'sandbox', allowLoopback: environment === 'sandbox' },
    publicUrl: options.publicUrl,
    guidesFolder: options.guidesFolder,
    handlerTimeoutMs: options.handlerTimeoutMs ?? hangTimeouts.statementMs,
    requestLog,
  });
  const checkResponse = createResponseCheck(api.operations);
  const url = await api.listen({ host: '127.0.0.1', port: 0 });

  const request = async (
    key: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /^application\/json(;|$)/.test(response.headers.get('content-type') ?? '');
    const json = isJson && text !== '' ? JSON.parse(text) : undefined;
    assert.match(
      response.headers.get('x-request-id') ?? '',
      /^req_/,
      'contract §1: every response has a request id',
    );
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /^default-src '(none|self)'/,
    );
    if (method !== 'HEAD') checkResponse({ method, path, status: response.status }, json);
    return { status: response.status, headers: response.headers, text, json };
  };
  const admin = (...argv: string[]) =>
    runAdminCommand(
      operator,
      {
        environment,
        operatorDatabaseUrl: '',
        publicUrl: url,
        storage: { kind: 's3', ...s3OptionsOf(storageSettings) },
        keys: [testKey],
      },
      argv,
    ) as Promise<Record<string, string>>;

  /** An organization with an API key and, unless `prefix` is null, a UPC pool. */
  const givenOrganization = async (
    flags: {
      tier?: Tier;
      territories?: string;
      label?: string;
      scopes?: string;
      prefix?: string | null;
    } = {},
  ): Promise<OrgClient> => {
    const { id: orgId = '' } = await admin(
      'org',
      'create',
      '--name',
      'Test Records',
      '--tier',
      flags.tier ?? 'growth',
      ...(flags.territories === undefined ? [] : ['--territories', flags.territories]),
      ...(flags.label === undefined ? [] : ['--label', flags.label]),
    );
    if (flags.prefix !== null) {
      const prefix = flags.prefix ?? `4${nextGs1Prefix++}`;
      await admin('upc', 'add-range', '--org', orgId, '--prefix', prefix);
    }
    const scopes = flags.scopes === undefined ? [] : ['--scopes', flags.scopes];
    const { secret: key = '' } = await admin('key', 'create', '--org', orgId, ...scopes);
    return { orgId, key, call: (...args) => request(key, ...args) };
  };

  /** An asset in the given status, inserted without a file, for tests that are not about files. */
  const givenAsset = async (
    { orgId }: Pick<OrgClient, 'orgId'>,
    type: 'audio' | 'artwork',
    status: 'pending_upload' | 'processing' | 'ready' | 'failed' = 'ready',
    facts: object = {},
  ): Promise<Id<'ast'>> => {
    const id = newId('ast');
    await query(
      `insert into assets (org_id, id, type, status, file_name, content_type, size_bytes, sha256, facts,
                           failure_code, failure_reason, object_key, created_at,
                           updated_at, actor_type, actor_id)
       values ($1, $2, $3, $4, 'file', $5, 100, $6, $7, $8, $8, $10, $9, $9, 'workflow', 'test')`,
      [
        toUuid(orgId as Id<'org'>),
        toUuid(id),
        type,
        status,
        type === 'audio' ? 'audio/wav' : 'image/jpeg',
        sha256OfText(id),
        status === 'ready' ? JSON.stringify({ ...validAssetFacts[type], ...facts }) : null,
        status === 'failed' ? 'damaged' : null,
        realNow(),
        status === 'ready' ? 'nowhere' : null,
      ],
    );
    return id;
  };
  /** Adds what a submission requires (spec §4.1): ready artwork and a track with ready audio. */
  const makeSubmittable = async (
    caller: OrgClient,
    releaseId: string,
    isrc = `QZTST26${String(nextIsrcDesignation++).padStart(5, '0')}`,
  ): Promise<void> => {
    const [artwork, audio] = await Promise.all([
      givenAsset(caller, 'artwork'),
      givenAsset(caller, 'audio'),
    ]);
    const release = await caller.call('PATCH', `/v1/releases/${releaseId}`, {
      artwork_asset_id: artwork,
    });
    assert.equal(release.status, 200, release.text);
    const track = await caller.call('POST', '/v1/tracks', {
      release_id: releaseId,
      title: release.json.title,
      isrc,
      audio_asset_id: audio,
      ...trackCredits,
    });
    assert.equal(track.status, 201, track.text);
  };

  /** A submitted release; its review waits for the worker. `isrc`: of its track. */
  const givenSubmittedRelease = async (
    caller: OrgClient,
    given: object = {},
  ): Promise<Id<'rel'>> => {
    const { isrc, ...fields }: { readonly isrc?: string } = given;
    const { json } = await caller.call(
      'POST',
      '/v1/releases',
      completeDraft({ ...(hasRealTime && { release_date: fridayAhead() }), ...fields }),
    );
    await makeSubmittable(caller, json.id, isrc);
    const submitted = await caller.call('POST', `/v1/releases/${json.id}/submit`);
    assert.equal(submitted.status, 200, submitted.text);
    return json.id;
  };

  return {
    givenAsset,
    makeSubmittable,
    givenSubmittedRelease,
    url,
    api,
    db,
    clock,
    state,
    database,
    query,
    request,
    admin,
    givenOrganization,
    givenOrganizations: async (count: number): Promise<OrgClient[]> => {
      const callers: OrgClient[] = [];
      while (callers.length < count) callers.push(await givenOrganization());
      return callers;
    },
    relayDb,
    workerDb,
    keyring,
    environment,
    storage,
    keyUses,
    /** Writes the request log, as the api process does every 500 ms. */
    flushRequests: () => requestLog.flush(),
    /** Gives every committed event its sequence number, as the relay does. */
    sequenceEvents: () => sequenceAll(relayDb),
    /** Sets the status of a release directly, without the submission or delivery that leads to it. */
    setReleaseStatus: (id: Id<'rel'>, status: string) =>
      query('update releases set status = $2 where id = $1', [toUuid(id), status]),
    close: async () => {
      await api.close();
      const closeables = [db, directory, operator, relayDb, workerDb, storage];
      await Promise.all([...closeables.map((each) => each.close()), owner.end()]);
      await dropTestDatabase(database);
    },
  };
}

async function sequenceAll(relayDb: Database): Promise<void> {
  const sequence = createSequencer(relayDb.withoutTenant);
  let numbered: number;
  do {
    numbered = 0;
    for (let isLast = false; !isLast;) {
      const round = await sequence({ isFull: true });
      numbered += round.rowsNumbered;
      isLast = round.isLast;
    }
  } while (numbered > 0);
}

/** The smallest valid draft (spec §4.1). */
export const draft = (fields: object = {}) => ({
  title: 'Night Drive',
  artists: [{ name: 'Aurora Díaz', role: 'main' }],
  release_date: '2027-01-15',
  ...fields,
});

/** At every store whose rules ask for the page of an artist. */
const newProfiles = Object.fromEntries(
  fictionalStores
    .filter(({ rulePack }) => rulePack !== 'base')
    .map(({ storeId }) => [storeId, 'new']),
);

/** A draft that passes every rule of preflight. */
export const completeDraft = (fields: object = {}) =>
  draft({
    artists: [{ name: 'Aurora Díaz', role: 'main', store_profiles: newProfiles }],
    type: 'single',
    genre: 'Electronic',
    language: 'en',
    p_line: '2026 Test Records',
    c_line: '2026 Test Records',
    explicit: 'none',
    ai_use: { artwork: 'none' },
    ...fields,
  });

/** What every store asks of a track besides its title and audio (catalogue §3, §4). */
export const trackCredits = {
  contributors: [
    { name: 'Aurora Díaz', roles: ['vocalist', 'composer', 'lyricist'] },
    { name: 'Mette Krogh', roles: ['producer', 'mixing_engineer'] },
  ],
  ai_use: { recording: 'none', composition: 'none' },
};
