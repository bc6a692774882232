/**
 * Compares the requests per second of the api with those of a bare Fastify route that sends the same statements in the
 * same transaction shape through the same driver, without authentication, rate limits, validation, mapping and logs. It
 * also measures the cost of row-level security, the same api on 10 thousand and on 2 million releases, and a single request
 * after a pause.
 *
 * The bar: a share of 0.75 for GET, list and POST; the larger table costs at most 1.2 times as much; no request fails.
 * It fails when the request path or a query becomes slower. What the bare route reaches of the driver alone is the cost
 * of HTTP and not ours: it is reported and not judged. So is the processor time of the two processes, which depends less
 * on other load of the machine than requests per second do.
 */

import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { toUuid, toWire, type OrgId } from '../apps/service/src/kernel/ids.ts';
import { apiEnvironment } from '../apps/service/test/processes.ts';
import {
  type OrgClient,
  databaseUrl,
  draft,
  openTestService,
  type TestService,
} from '../apps/service/test/test-service.ts';
import { processorTimeOf } from '../scripts/costs/processor-time.ts';
import type { Experiment, Lab } from '../scripts/experiments/experiment.ts';
import type { Bar } from '../scripts/experiments/verdict.ts';
import { root } from '../scripts/servers/server.ts';
import type { BareApiInput, SampledOrganization } from './bare-api.ts';
import { type Contender, interleave, median, type Rounds, shareOf } from './blocks.ts';
import { runLoad, type LoadRequest } from './load.ts';
import { record } from './recording.ts';
import { startProcess, untilAnswering } from './start-process.ts';

const sizes = {
  start: {
    rounds: 1,
    blockMs: 300,
    warmMs: 300,
    few: 500,
    many: 1_000,
    organizations: 10,
    pauses: 1,
    pauseMs: 100,
  },
  full: {
    rounds: 5,
    blockMs: 2_500,
    warmMs: 3_000,
    few: 10_000,
    many: 2_000_000,
    organizations: 60,
    pauses: 7,
    pauseMs: 15_000,
  },
};
type Plan = (typeof sizes)['full'];
const connections = 32;
const databaseConnections = 10;
const knownIds = 300;

const routes = ['get', 'list', 'create'] as const;
type Route = (typeof routes)[number];

const shareBar: Bar = {
  get_share: { atLeast: 0.75 },
  list_share: { atLeast: 0.75 },
  create_share: { atLeast: 0.75 },
  get_growth: { atMost: 1.2 },
  list_growth: { atMost: 1.2 },
  create_growth: { atMost: 1.2 },
};

export const experiment: Experiment = {
  compares:
    'requests per second of the api, against a bare Fastify route with the same statements, and against itself on a larger table',
  bar: (size) => ({
    failed: { equals: 0 },
    ...(size === 'full' && shareBar),
  }),
  run: async (lab) => {
    const plan: Plan = lab.size === 'start' ? sizes.start : sizes.full;
    const few = await openTable(lab, plan, plan.few, 0);
    const many = await openTable(lab, plan, plan.many, 1);
    const barePort = lab.fleet.ports.postgres + 30;
    const bare = await startBare(lab, few, barePort);
    const tally = { failed: 0 };
    const processorUs = { service: [] as number[], bare: [] as number[] };
    const measureApi = (table: Table, route: Route, ms: number, us: number[] = []) =>
      measure({ ...table, us }, requestsOf(table)[route], route, ms, tally);
    const measured = { port: barePort, pid: bare.pid, us: processorUs.bare };
    const measureBare = (route: Route, ms: number) =>
      measure(measured, requestsOf(few)[route], route, ms, tally);
    const driver = async (name: string, ms: number) => {
      const response = await fetch(
        `http://127.0.0.1:${barePort}/loop/${name}?ms=${ms}&concurrency=${connections}`,
      );
      return ((await response.json()) as { perSecond: number }).perSecond;
    };
    const figures: Record<string, unknown> = {};
    for (const route of routes) {
      const unguarded = `${route}-unguarded`;
      const contenders = (ms: number): Contender[] => [
        { name: 'service', measure: () => measureApi(few, route, ms, processorUs.service) },
        { name: 'bare', measure: () => measureBare(route, ms) },
        { name: 'driver', measure: () => driver(route, ms) },
        { name: 'grown', measure: () => measureApi(many, route, ms) },
        ...(route === 'create'
          ? []
          : [{ name: 'unguarded', measure: () => driver(unguarded, ms) }]),
      ];
      lab.say(`${route}: warming up`);
      for (const { measure: warm } of contenders(plan.warmMs)) await warm();
      for (const times of Object.values(processorUs)) times.length = 0;
      const rounds = await interleave(plan.rounds, contenders(plan.blockMs), lab.say);
      Object.assign(figures, report(route, rounds), {
        [`${route}_processor_us`]: {
          service: Math.round(median(processorUs.service)),
          bare: Math.round(median(processorUs.bare)),
        },
      });
    }
    lab.say('single requests, after pauses');
    const afterPause = await measurePauses(few, plan);
    for (const stop of [few.stop, many.stop, bare.stop]) await stop();
    return {
      releases: [plan.few, plan.many],
      rounds: plan.rounds,
      block_ms: plan.blockMs,
      lanes: connections,
      failed: tally.failed,
      ...figures,
      get_after_pause_ms: afterPause,
    };
  },
};

/** One GET at a time: milliseconds of the first after each pause, and of the one that follows it at once. */
async function measurePauses(table: Table, { pauses, pauseMs }: Plan) {
  const next = requestsOf(table).get;
  const timed = async () => {
    const { path, headers } = next();
    const begun = performance.now();
    await (await fetch(`http://127.0.0.1:${table.port}${path}`, { headers })).text();
    return performance.now() - begun;
  };
  const first: number[] = [];
  const following: number[] = [];
  for (let i = 0; i < pauses; i++) {
    await sleep(pauseMs);
    first.push(await timed());
    following.push(await timed());
  }
  const rounded = (values: number[]) => Math.round(median(values) * 10) / 10;
  return { pause_ms: pauseMs, first: rounded(first), following: rounded(following) };
}

function report(route: Route, rounds: Rounds): Record<string, unknown> {
  const perSecond = Object.fromEntries(
    Object.entries(rounds).map(([name, values]) => [name, Math.round(median(values))]),
  );
  const share = shareOf(rounds, 'service', 'bare');
  const baseline = shareOf(rounds, 'bare', 'driver');
  const growth = shareOf(rounds, 'service', 'grown');
  return {
    [`${route}_share`]: share.median,
    [`${route}_baseline_of_driver`]: baseline.median,
    [`${route}_growth`]: growth.median,
    ...(rounds['unguarded'] !== undefined && {
      [`${route}_row_level_security`]: shareOf(rounds, 'driver', 'unguarded'),
    }),
    [`${route}_spread`]: { share, baseline, growth },
    [`${route}_per_second`]: perSecond,
  };
}

type Measured = {
  readonly port: number;
  readonly pid: number | undefined;
  /** Gets the processor time that the process used for one request of the block. */
  readonly us: number[];
};

async function measure(
  { port, pid, us }: Measured,
  next: () => LoadRequest,
  route: Route,
  ms: number,
  tally: { failed: number },
) {
  const expected = route === 'create' ? 201 : 200;
  const before = processorTimeOf(pid);
  const { perSecond, answered, failed } = await runLoad({ port, connections, ms, next, expected });
  us.push(((processorTimeOf(pid) - before) * 1_000) / answered);
  tally.failed += failed;
  return perSecond;
}

type Table = {
  readonly service: TestService;
  readonly partners: readonly OrgClient[];
  readonly organizations: readonly SampledOrganization[];
  readonly port: number;
  readonly pid: number | undefined;
  readonly stop: () => Promise<void>;
};

/** A database with `releases` releases, of which the first organization has 30 %, and an api that uses it. */
async function openTable(lab: Lab, plan: Plan, releases: number, index: number): Promise<Table> {
  const service = await openTestService();
  const partners = await service.givenOrganizations(plan.organizations);
  lab.say(`filling a table with ${releases} releases`);
  const organizations: SampledOrganization[] = [];
  for (const [i, { orgId }] of partners.entries()) {
    const count = Math.ceil(i === 0 ? releases * 0.3 : (releases * 0.7) / (partners.length - 1));
    await fill(service, orgId as OrgId, count);
    const [label] = await service.query('select id from labels where org_id = $1 and is_default', [
      toUuid(orgId as OrgId),
    ]);
    organizations.push({
      orgId: toUuid(orgId as OrgId),
      defaultLabelId: label.id,
      releaseIds: await someIds(service, orgId as OrgId),
    });
  }
  await service.query('vacuum analyze releases');
  await service.query('checkpoint');
  const port = lab.fleet.ports.postgres + 31 + index;
  const { stop: stopApi, pid } = startProcess(
    lab,
    `api-${index}`,
    [join(root, 'apps/service/src/main.ts'), 'api'],
    {
      ...apiEnvironment(service.database),
      TONEARM_ENVIRONMENT: 'sandbox',
      TONEARM_PORT: String(port),
      TONEARM_DATABASE_CONNECTIONS: String(databaseConnections),
      TONEARM_REDIS_URL: `redis://127.0.0.1:${lab.fleet.ports.redis}`,
    },
  );
  await untilAnswering(port, '/readyz');
  const stop = async () => {
    stopApi();
    await service.close();
  };
  return { service, partners, organizations, port, pid, stop };
}

const fill = (service: TestService, orgId: OrgId, count: number) =>
  service.query(
    `insert into releases (org_id, id, title, artists, release_date, label, upc, territories, status, track_count,
                           revision, created_at, updated_at, content_bytes, actor_type, actor_id)
     select $1, uuidv7((n - $2::int) * interval '1 second'), 'Release ' || n, '[{"name":"Aurora Díaz","role":"main"}]',
            date '2027-01-15' + (n % 300), 'Label ' || n % 20, lpad((n % 100000000)::text, 12, '0'), '{WORLD}', 'draft', 0, 1,
            now() + (n - $2::int) * interval '1 second', now() + (n - $2::int) * interval '1 second', 600, 'api_key', 'key'
       from generate_series(1, $2::int) n`,
    [toUuid(orgId), count],
  );

const someIds = async (service: TestService, orgId: OrgId): Promise<string[]> => {
  const rows = await service.query(
    `select id from releases where org_id = $1 order by md5(id::text) limit $2`,
    [toUuid(orgId), knownIds],
  );
  return rows.map(({ id }) => id as string);
};

/** Records the statements of each request once and starts a bare server that replays them. */
async function startBare(lab: Lab, { service, partners, organizations }: Table, port: number) {
  const partner = partners[1]!;
  const organization = organizations[1]!;
  const id = toWire('rel', organization.releaseIds[0]!);
  const create = () =>
    partner.call('POST', '/v1/releases', draft(), { 'idempotency-key': randomUUID() });
  // Before recording: now authentication is cached and connections are open.
  const { text: createdBody } = await create();
  const input: BareApiInput = {
    databaseUrl: databaseUrl(service.database, 'tonearm_app'),
    ownerUrl: databaseUrl(service.database),
    connections: databaseConnections,
    recordings: {
      get: await record(() => partner.call('GET', `/v1/releases/${id}`)),
      list: await record(() => partner.call('GET', '/v1/releases?limit=20')),
      create: await record(create),
    },
    recorded: { ...organization, releaseId: toUuid(id) },
    organizations,
    createdBody,
  };
  lab.say(
    `statements recorded, by round trip: ${routes.map((route) => `${route} ${input.recordings[route]!.map((round) => round.length).join('+')}`).join(', ')}`,
  );
  const file = join(lab.fleet.folder, 'bare-api-input.bin');
  writeFileSync(file, serialize(input));
  const { stop, pid } = startProcess(
    lab,
    'bare',
    [join(import.meta.dirname, 'bare-api.ts'), file, String(port)],
    {},
  );
  await untilAnswering(port, '/loop/get?ms=1&concurrency=1');
  return { pid, stop: async () => stop() };
}

function requestsOf({ partners, organizations }: Table): Record<Route, () => LoadRequest> {
  let count = 0;
  const next = () => count++;
  const authorization = (i: number) => ({
    authorization: `Bearer ${partners[i % partners.length]!.key}`,
  });
  const body = JSON.stringify(draft());
  return {
    get: () => {
      const i = next();
      const { releaseIds } = organizations[i % organizations.length]!;
      const id = toWire('rel', releaseIds[i % releaseIds.length]!);
      return { method: 'GET', path: `/v1/releases/${id}`, headers: authorization(i) };
    },
    list: () => ({ method: 'GET', path: '/v1/releases?limit=20', headers: authorization(next()) }),
    create: () => ({
      method: 'POST',
      path: '/v1/releases',
      headers: {
        ...authorization(next()),
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body,
    }),
  };
}
