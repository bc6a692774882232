/**
 * Compares the time of GET /healthz with 50 ms, while the same api process handles the largest legal request of each
 * route, one at a time and ten at once.
 *
 * The bar: all routes measured, no 5xx, and p99 of /healthz at most 50 ms (small: 150, start: 3,000) in the worst case.
 * It fails when a handler blocks the event loop.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Experiment } from '../../../../scripts/experiments/experiment.ts';
import { kill, startApi } from '../processes.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';
import type { ClientResponse, ClientRequest } from './client.ts';
import { type Prober, startProber } from './health-prober.ts';
import { largestBulk, largestRelease, longestFields } from './largest-content.ts';

const durationMsOf = { start: 300, small: 1_000, full: 2_000 };
/** In a short run p99 is nearly the slowest probe, which other load of the machine can delay. */
const p99MsMax = { start: 3_000, small: 150, full: 50 };
const requestsAtOnce = 10;
const longReleases = 40;
const jobItems = 1_000;
/** Keeps the rate below the burst limit of a sandbox key. */
const pauseMs = 40;

type Request = Omit<ClientRequest, 'key'>;

type RouteFixture = {
  readonly partner: OrgClient;
  /** Large drafts, one for each concurrent request that changes one. */
  readonly drafts: string[];
  readonly submitted: string;
  readonly audio: string;
  readonly findingIds: readonly string[];
};

type Route = {
  readonly name: string;
  readonly next: (fixture: RouteFixture, i: number) => Request;
};

const post = (path: string, body?: unknown): Request => ({
  method: 'POST',
  path,
  ...(body !== undefined && { body }),
});
const routes: readonly Route[] = [
  { name: 'nothing', next: () => ({ method: 'GET', path: '/v1/stores?limit=1' }) },
  { name: 'create a release', next: () => post('/v1/releases', draft(longestFields)) },
  {
    name: 'create 90 tracks',
    // The release already has 500 tracks: the request is parsed and checked, then refused.
    next: ({ submitted, audio }, i) =>
      post('/v1/tracks/bulk', largestBulk(submitted, i, 90, audio)),
  },
  {
    name: 'change a release',
    next: ({ drafts }, i) => ({
      method: 'PATCH',
      path: `/v1/releases/${drafts[i % drafts.length]}`,
      body: { artists: longestFields.artists, version: `v${i}` },
    }),
  },
  {
    name: 'validate',
    next: ({ drafts }, i) => post(`/v1/releases/${drafts[i % drafts.length]}/validate`),
  },
  {
    name: 'apply 100 fixes',
    next: ({ drafts, findingIds }, i) =>
      post(`/v1/releases/${drafts[i % drafts.length]}/fixes`, { finding_ids: findingIds }),
  },
  {
    name: 'submit',
    next: ({ drafts }, i) => post(`/v1/releases/${drafts[i % drafts.length]}/submit`),
  },
  {
    name: 'dry run',
    next: ({ submitted }) =>
      post('/v1/deliveries/dry_run', {
        release_id: submitted,
        stores: ['aurora'],
        territory_codes: ['WORLDWIDE'],
      }),
  },
  {
    name: 'deliver',
    next: ({ submitted }) =>
      post('/v1/deliveries', {
        release_id: submitted,
        stores: ['aurora'],
        territory_codes: ['WORLDWIDE'],
      }),
  },
  {
    name: 'a job of 1,000 items',
    next: ({ submitted }) =>
      post('/v1/delivery_jobs', {
        action: 'takedown',
        items: Array.from({ length: jobItems }, () => ({ release_id: submitted })),
      }),
  },
  { name: 'list releases', next: () => ({ method: 'GET', path: '/v1/releases?limit=100' }) },
  { name: 'list tracks', next: () => ({ method: 'GET', path: '/v1/tracks?limit=100' }) },
  { name: 'list events', next: () => ({ method: 'GET', path: '/v1/events?limit=100' }) },
  {
    name: 'a body of 256 KiB that is refused',
    next: () => post('/v1/releases', { title: Array.from({ length: 60_000 }, () => 1) }),
  },
];

export const experiment: Experiment = {
  compares:
    "the time of GET /healthz while each route's largest legal request runs, against 50 milliseconds",
  bar: (size) => ({
    routes: { equals: routes.length },
    server_errors: { equals: 0 },
    worst_p99_ms: { atMost: p99MsMax[size] },
  }),
  run: async ({ size, say }) => {
    const service = await openTestService();
    const fixture = await prepareFixture(service, say);
    const api = await startApi(service.database, {});
    const pool = new Pool(api.url, { connections: requestsAtOnce });
    const prober = startProber(api.url);
    const tally = { requests: 0, serverErrors: 0, samples: [] as string[] };
    const p99s: Record<string, { readonly alone: number; readonly together: number }> = {};
    for (const { name, next } of routes) {
      const measure = (concurrency: number) =>
        p99During(prober, () =>
          sendFor(durationMsOf[size], concurrency, async (i) => {
            count(tally, name, await send(pool, fixture.partner, next(fixture, i)));
          }),
        );
      p99s[name] = { alone: await measure(1), together: await measure(requestsAtOnce) };
      say(`${name}: p99 ${p99s[name].alone} ms alone, ${p99s[name].together} ms ten at once`);
    }
    await prober.close();
    await pool.destroy();
    await kill(api);
    await service.close();
    const all = Object.values(p99s).flatMap((each) => [each.alone, each.together]);
    return {
      routes: Object.keys(p99s).length,
      requests: tally.requests,
      server_errors: tally.serverErrors,
      samples: [...tally.samples, ...failuresIn(api.log())],
      worst_p99_ms: Math.max(...all),
      p99_ms: p99s,
    };
  },
};

const failureLinesMax = 5;
const failureLineLength = 600;

/** What the api logged about its 5xx answers: the answer itself does not name the cause. */
const failuresIn = (log: string): string[] =>
  log
    .split('\n')
    .filter((line) => /"msg":"(?:service_unavailable|internal_error)"/.test(line))
    .slice(0, failureLinesMax)
    .map((line) => line.slice(0, failureLineLength));

async function prepareFixture(
  service: TestService,
  say: (line: string) => void,
): Promise<RouteFixture> {
  const partner = await service.givenOrganization();
  const drafts: string[] = [];
  for (let i = 0; i < requestsAtOnce; i++) drafts.push(await largestRelease(service, partner));
  const submitted = await largestRelease(service, partner);
  const audio = await service.givenAsset(partner, 'audio');
  await partner.call('POST', `/v1/releases/${submitted}/submit`);
  for (let i = 0; i < longReleases; i++) {
    await partner.call('POST', '/v1/releases', draft(longestFields));
  }
  await service.sequenceEvents();
  const report = await partner.call('POST', `/v1/releases/${drafts[0]}/validate`);
  const findings = report.json.findings as { id: string; rule: string; patch: unknown }[];
  // Findings about the release have the same ids in all drafts; findings about tracks are of the first draft only.
  const findingIds = findings
    .flatMap(({ id, patch }) => (patch === null ? [] : [id]))
    .slice(0, 100);
  say(`${drafts.length + 1} releases of 500 tracks, a report of ${report.text.length} characters`);
  return { partner, drafts, submitted, audio, findingIds };
}

/** Does not read large responses as text, because that would take processor time from the api. */
async function send(
  pool: Pool,
  { key }: OrgClient,
  { method, path, body }: Request,
): Promise<Pick<ClientResponse, 'status' | 'text'>> {
  const response = await pool.request({
    method,
    path,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { statusCode: status } = response;
  if (status >= 500) return { status, text: await response.body.text() };
  await response.body.dump({ limit: Infinity });
  return { status, text: '' };
}

function count(
  tally: { requests: number; serverErrors: number; readonly samples: string[] },
  name: string,
  { status, text }: Pick<ClientResponse, 'status' | 'text'>,
): void {
  tally.requests++;
  if (status < 500) return;
  tally.serverErrors++;
  if (tally.samples.length < 5) tally.samples.push(`${name}: ${status} ${text.slice(0, 200)}`);
}

async function sendFor(
  ms: number,
  concurrency: number,
  work: (i: number) => Promise<void>,
): Promise<void> {
  const end = Date.now() + ms;
  let i = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      do {
        await work(i++);
        await wait(pauseMs);
      } while (Date.now() < end);
    }),
  );
}

async function p99During(prober: Prober, work: () => Promise<void>): Promise<number> {
  await prober.drainTimes();
  await work();
  const times = (await prober.drainTimes()).toSorted((a, b) => a - b);
  return Math.round(times[Math.floor(times.length * 0.99)] ?? Infinity);
}
