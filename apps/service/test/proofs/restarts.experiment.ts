/**
 * Compares the requests during rolling restarts with none failing. Two api processes are under load behind a balancer
 * that polls /readyz; each in turn gets SIGTERM, drains, exits and is replaced.
 *
 * The bar: every process exits with 0, no request fails, and every created release exists. It fails when a process
 * closes a connection with a request on it, is still sent requests after it has stopped listening, or has to be killed.
 */

import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Experiment } from '../../../../scripts/experiments/experiment.ts';
import { type ApiProcess, startApi } from '../processes.ts';
import { draft, openTestService } from '../test-service.ts';
import { type Client, runConcurrently, openClient } from './client.ts';

const restartsOf = { start: 8, small: 20, full: 200 };
const concurrency = 8;
const organizations = 8;
const probeEveryMs = 100;
/** The default of the service. On a busy machine a probe takes longer than a second, and the balancer would learn too late. */
const drainSeconds = 5;

type Instance = { process: ApiProcess; client: Client; isReady: boolean };

export const experiment: Experiment = {
  compares: 'requests during rolling SIGTERM restarts of 2 api processes, against none failing',
  bar: (size) => ({
    restarts: { equals: restartsOf[size] },
    clean_exits: { equals: restartsOf[size] },
    requests: { atLeast: restartsOf[size] * 50 },
    failed_requests: { equals: 0 },
    releases_missing: { equals: 0 },
  }),
  run: async ({ size, say }) => {
    const restarts = restartsOf[size];
    const service = await openTestService();
    const partners = await service.givenOrganizations(organizations);
    const start = async (): Promise<Instance> => {
      const process = await startApi(service.database, {
        TONEARM_DRAIN_SECONDS: String(drainSeconds),
      });
      return { process, client: openClient(process.url), isReady: true };
    };
    const instances = await Promise.all([start(), start()]);
    const run = {
      requests: 0,
      created: 0,
      failures: [] as string[],
      restarts: 0,
      cleanExits: 0,
      isDone: false,
    };

    const probing = async () => {
      while (!run.isDone) {
        await wait(probeEveryMs);
        await Promise.all(
          instances.map(async (instance) => {
            const { url } = instance.process;
            const status = await fetch(`${url}/readyz`).then(
              (r) => r.status,
              () => 0,
            );
            // If the process was replaced meanwhile, the response was of the previous one.
            if (instance.process.url === url) instance.isReady = status === 200;
          }),
        );
      }
    };
    const load = runConcurrently(concurrency, async (loop) => {
      const ready = instances.filter(({ isReady }) => isReady);
      const target = ready[run.requests % ready.length];
      const { key } = partners[loop % organizations]!;
      const isWrite = run.requests++ % 4 === 0;
      const outcome = await (target ?? instances[0]).client
        .send(
          isWrite
            ? { method: 'POST', path: '/v1/releases', key, body: draft() }
            : { method: 'GET', path: '/v1/releases?limit=5', key },
        )
        .then(({ status }) => status, String);
      if (outcome === 201) run.created++;
      else if (outcome !== 200) run.failures.push(String(outcome));
      await wait(5);
      return !run.isDone;
    });
    const restarting = async () => {
      for (let i = 0; i < restarts; i++) {
        const leaving = instances[i % 2]!;
        const ended = once(leaving.process.child, 'exit');
        leaving.process.child.kill('SIGTERM');
        const [code] = await ended;
        run.restarts++;
        if (code === 0) run.cleanExits++;
        await leaving.client.close();
        Object.assign(leaving, await start());
        if (i % 5 === 4) say(`${i + 1} restarts, ${run.requests} requests`);
      }
    };
    const background = Promise.all([probing(), load]);
    try {
      await restarting();
    } finally {
      run.isDone = true;
      await background;
    }
    const [{ releases }] = (await service.query(
      'select count(*)::int as releases from releases',
    )) as [{ releases: number }];
    for (const { process } of instances) process.child.kill('SIGKILL');
    await service.close();
    return {
      restarts: run.restarts,
      clean_exits: run.cleanExits,
      requests: run.requests,
      created: run.created,
      failed_requests: run.failures.length,
      failures: run.failures.slice(0, 5),
      releases_missing: run.created - releases,
    };
  },
};
