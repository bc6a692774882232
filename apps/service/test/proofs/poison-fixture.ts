/** The processes of the proof `poison`: api, relay, workers and a real Prometheus that scrapes them. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Lab } from '../../../../scripts/experiments/experiment.ts';
import { kill, type RoleProcess, startApi, startRelay, startWorker } from '../processes.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import { s3Environment } from '../test-storage.ts';
import { openBlockableProxy } from './blockable-proxy.ts';
import { startPrometheus } from './poison-alerts.ts';
import { startPulse } from './poison-pulse.ts';

const usualPort = 27_080;
const diskMib = 64;

export type PoisonFixture = Awaited<ReturnType<typeof openPoisonFixture>>;

export async function openPoisonFixture({ fleet, say }: Lab) {
  const firstPort = usualPort + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);
  const metricsPorts = { api: firstPort + 10, relay: firstPort + 11, worker: firstPort + 12 };
  const aheadMetricsPort = firstPort + 13;
  const workerPorts = [firstPort + 5, firstPort + 6];
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-poison-'));
  const disk = mountDisk(join(folder, 'disk'));
  const serviceWithEngine = await openServiceWithEngine(usualPort);
  const { service, urls, identityKey } = serviceWithEngine;
  const s3Proxy = await openBlockableProxy(fleet.ports.s3);
  const metricsAt = (port: number) => ({ TONEARM_METRICS_PORT: String(port) });
  const workers: RoleProcess[] = [];
  const workerEnv = (version: number) => ({
    ...s3Through(s3Proxy.port),
    ...metricsAt(metricsPorts.worker),
    TONEARM_ENGINE_IDENTITY_KEYS: identityKey,
    TONEARM_VERSION: `v${version}`,
    TMPDIR: disk.folder,
  });
  const workerVersionAndPort = { version: 1, port: 0 };
  const startUsualWorker = async () => {
    const port = String(workerPorts[workerVersionAndPort.port % workerPorts.length]);
    const env = { ...workerEnv(workerVersionAndPort.version), TONEARM_WORKER_PORT: port };
    workers.push(await startWorker(service.database, urls, env));
  };
  const jobs = {
    api: [metricsPorts.api],
    relay: [metricsPorts.relay],
    worker: [metricsPorts.worker],
  };
  const [api, relay, prometheus, partner, healthy] = await Promise.all([
    startApi(service.database, {
      ...metricsAt(metricsPorts.api),
      TONEARM_REDIS_URL: process.env['TONEARM_TEST_REDIS'] ?? '',
    }),
    startRelay(service.database, urls, metricsAt(metricsPorts.relay)),
    startPrometheus(join(folder, 'prometheus'), firstPort + 14, jobs),
    service.givenOrganization(),
    service.givenOrganization(),
    startUsualWorker(),
  ]);
  const pulse = startPulse(service, healthy);
  say('all processes run');

  return {
    serviceWithEngine,
    partner,
    api: { ...api, key: partner.key },
    s3Proxy,
    disk,
    prometheus,
    pulse,
    log: () => workers.map(({ log }) => log()).join(''),
    killWorker: async () => {
      const worker = workers.at(-1);
      if (worker !== undefined) await kill(worker);
    },
    /** Starts the same version at another port. */
    startAtOtherPort: () => {
      workerVersionAndPort.port++;
      return startUsualWorker();
    },
    /** Starts the next version at the same port. */
    startNextVersion: () => {
      workerVersionAndPort.version++;
      return startUsualWorker();
    },
    /** Starts a second worker with a wrong clock. Returns a function that stops it. */
    startWithClockAhead: async () => {
      const clock = pathToFileURL(join(import.meta.dirname, 'clock-ahead.ts')).href;
      const env = {
        ...workerEnv(workerVersionAndPort.version),
        ...metricsAt(aheadMetricsPort),
        TONEARM_VERSION: `ahead-${workerVersionAndPort.version}`,
        TONEARM_WORKER_PORT: '0',
        NODE_OPTIONS: `--import ${clock}`,
      };
      const ahead = await startWorker(service.database, urls, env, /the clock of|"working"/);
      prometheus.scrape('worker', [metricsPorts.worker, aheadMetricsPort]);
      return async () => {
        await kill(ahead);
        prometheus.scrape('worker', jobs.worker);
      };
    },
    /** Sums up the log lines in which workers report invocations killed because their deployment is gone. */
    countFreedInvocations: () =>
      workers
        .flatMap(({ log }) => [...log().matchAll(/"endpoint":"[^"]+","killed":(\d+)/g)])
        .reduce((sum, [, killed]) => sum + Number(killed), 0),
    close: async () => {
      await Promise.all([...workers, api, relay].map(kill));
      await prometheus.stop();
      await s3Proxy.close();
      await serviceWithEngine.close();
      disk.unmount();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Settings with which the worker reaches S3 through the blockable proxy. */
function s3Through(port: number): Record<string, string> {
  const env = s3Environment();
  const url = new URL(env['TONEARM_STORAGE_URL'] ?? '');
  url.searchParams.set('endpoint', `http://127.0.0.1:${port}`);
  return { ...env, TONEARM_STORAGE_URL: url.href };
}

/** Mounts a disk that is small enough to be filled. */
function mountDisk(folder: string) {
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMib}m`, 'tmpfs', folder]);
  const unmount = () => execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
  const unmountAtExit = () => void unmount();
  process.once('exit', unmountAtExit);
  return {
    folder,
    unmount: () => {
      process.off('exit', unmountAtExit);
      unmount();
    },
  };
}
