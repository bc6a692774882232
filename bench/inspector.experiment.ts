/**
 * Compares the processor time per request of two api processes on one database: one writes the request log, the other
 * has TONEARM_REQUEST_LOG=off. Processor time, because it hardly depends on other load of the machine; each block ends
 * after its rows were written, so that their cost belongs to the block.
 *
 * The bar: the api uses at most 1.1 times as much with the log, for GET and for POST; every request is answered, and
 * every one of the first process has its row. The processor time of PostgreSQL is reported beside it, without a bar:
 * one row more is written for each request. It fails when recording a request becomes more expensive.
 */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { apiEnvironment } from '../apps/service/test/processes.ts';
import {
  draft,
  openTestService,
  type OrgClient,
  type TestService,
} from '../apps/service/test/test-service.ts';
import { processorTimeOf } from '../scripts/costs/processor-time.ts';
import type { Experiment, Lab } from '../scripts/experiments/experiment.ts';
import { root } from '../scripts/servers/server.ts';
import { interleave, median, type Rounds, shareOf } from './blocks.ts';
import { type LoadRequest, runLoad } from './load.ts';
import { openPostgresTime } from './processor-time.ts';
import { startProcess, untilAnswering } from './start-process.ts';

const sizes = {
  start: { rounds: 1, blockMs: 300, warmMs: 300 },
  // Short blocks in many rounds: other load of the machine is then the same in both blocks of a round.
  full: { rounds: 31, blockMs: 1_200, warmMs: 6_000 },
};
const organizations = 20;
const connections = 16;
/** Longer than the api lets rows wait for others. */
const rowsWrittenMs = 800;

const routes = ['get', 'create'] as const;
type Route = (typeof routes)[number];
const logs = ['on', 'off'] as const;
type Log = (typeof logs)[number];

export const experiment: Experiment = {
  compares:
    'processor time per request of the api with the request log, against the same without it',
  bar: (size) => ({
    failed: { equals: 0 },
    rows_missing: { equals: 0 },
    ...(size === 'full' && { get_cost: { atMost: 1.1 }, create_cost: { atMost: 1.1 } }),
  }),
  run: async (lab) => {
    const { rounds, blockMs, warmMs } = sizes[lab.size === 'start' ? 'start' : 'full'];
    const service = await openTestService();
    const partners = await service.givenOrganizations(organizations);
    const requests = await requestsOf(partners);
    const apis = {
      on: await startApi(lab, service, 'on'),
      off: await startApi(lab, service, 'off'),
    };
    const readPostgres = await openPostgresTime(service);
    const tally = { failed: 0, logged: 0 };

    /** Milliseconds of the api per thousand requests; those of PostgreSQL are added to `ofPostgres`. */
    const measure = async (route: Route, log: Log, ms: number, ofPostgres: number[] = []) => {
      const { port, pid } = apis[log];
      const before = { api: processorTimeOf(pid), postgres: readPostgres() };
      const expected = route === 'create' ? 201 : 200;
      const load = await runLoad({ port, connections, ms, next: requests[route], expected });
      await wait(rowsWrittenMs);
      tally.failed += load.failed;
      if (log === 'on') tally.logged += load.answered;
      const perThousand = (spent: number) => (spent / load.answered) * 1_000;
      ofPostgres.push(perThousand(readPostgres() - before.postgres));
      return perThousand(processorTimeOf(pid) - before.api);
    };

    const figures: Record<string, unknown> = {};
    for (const route of routes) {
      lab.say(`${route}: warming up`);
      for (const log of logs) await measure(route, log, warmMs);
      const postgres: Record<Log, number[]> = { on: [], off: [] };
      const contenders = logs.map((log) => ({
        name: log,
        measure: () => measure(route, log, blockMs, postgres[log]),
      }));
      const api = await interleave(rounds, contenders, lab.say);
      Object.assign(figures, report(route, api, postgres));
    }
    const rows = await countRows(service, tally.logged);
    for (const log of logs) apis[log].stop();
    await service.close();
    return {
      rounds,
      block_ms: blockMs,
      lanes: connections,
      organizations,
      failed: tally.failed,
      requests_logged: tally.logged,
      rows_missing: tally.logged - rows,
      ...figures,
    };
  },
};

const writtenWithinMs = 10_000;

/** The rows in the log, at the latest when all are written that are expected. */
async function countRows({ query }: TestService, expected: number): Promise<number> {
  const deadline = performance.now() + writtenWithinMs;
  for (;;) {
    const [{ rows }] = await query('select count(*)::int as rows from requests');
    if (rows >= expected || performance.now() > deadline) return rows;
    await wait(rowsWrittenMs);
  }
}

const milliseconds = (perThousand: readonly number[]) => Math.round(median(perThousand)) / 1_000;

function report(route: Route, api: Rounds, postgres: Rounds): Record<string, unknown> {
  const cost = shareOf(api, 'on', 'off');
  const perRequest = (rounds: Rounds) => ({
    on: milliseconds(rounds['on'] ?? []),
    off: milliseconds(rounds['off'] ?? []),
  });
  return {
    [`${route}_cost`]: cost.median,
    [`${route}_spread`]: cost,
    [`${route}_api_cpu_ms_per_request`]: perRequest(api),
    [`${route}_postgres_cost`]: shareOf(postgres, 'on', 'off').median,
    [`${route}_postgres_cpu_ms_per_request`]: perRequest(postgres),
  };
}

async function startApi(lab: Lab, service: TestService, log: Log) {
  const port = lab.fleet.ports.postgres + 31 + logs.indexOf(log);
  const { pid, stop } = startProcess(
    lab,
    `api-log-${log}`,
    [join(root, 'apps/service/src/main.ts'), 'api'],
    {
      ...apiEnvironment(service.database),
      TONEARM_ENVIRONMENT: 'sandbox',
      TONEARM_PORT: String(port),
      TONEARM_REDIS_URL: `redis://127.0.0.1:${lab.fleet.ports.redis}`,
      TONEARM_REQUEST_LOG: log,
    },
  );
  await untilAnswering(port, '/readyz');
  return { port, pid, stop };
}

async function requestsOf(
  partners: readonly OrgClient[],
): Promise<Record<Route, () => LoadRequest>> {
  const releases: string[] = [];
  for (const { call } of partners) {
    releases.push((await call('POST', '/v1/releases', draft())).json.id);
  }
  let count = 0;
  const body = JSON.stringify(draft());
  const next = () => {
    const i = count++ % partners.length;
    return { id: releases[i]!, authorization: `Bearer ${partners[i]!.key}` };
  };
  return {
    get: () => {
      const { id, authorization } = next();
      return { method: 'GET', path: `/v1/releases/${id}`, headers: { authorization } };
    },
    create: () => ({
      method: 'POST',
      path: '/v1/releases',
      headers: {
        authorization: next().authorization,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body,
    }),
  };
}
