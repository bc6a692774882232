/**
 * Starts a real Prometheus that scrapes the processes of a proof and evaluates ops/alerts.yml: the same expressions,
 * with seconds instead of minutes, and 1 MiB instead of 4 GiB as the limit of free disk space.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, until } from '../../../../scripts/servers/server.ts';

type Job = 'api' | 'relay' | 'worker';
export type Jobs = Readonly<Record<Job, readonly number[]>>;

/** The rules with seconds instead of minutes, and with a limit for a small disk. */
const withoutWaits = (rules: string): string =>
  rules
    .replaceAll(/for: \d+m/g, 'for: 1s')
    .replaceAll(/\[\d+m\]/g, '[30s]')
    .replaceAll('4294967296', '1048576');

export async function startPrometheus(folder: string, port: number, jobs: Jobs) {
  mkdirSync(folder, { recursive: true });
  const rules = readFileSync(join(root, 'ops/alerts.yml'), 'utf8');
  writeFileSync(join(folder, 'alerts.yml'), withoutWaits(rules));
  /** Writes the targets of a job. Prometheus rereads the file when it changes. */
  const scrape = (job: Job, ports: readonly number[]) => {
    const targets = ports.map((each) => `127.0.0.1:${each}`);
    writeFileSync(join(folder, `${job}.json`), JSON.stringify([{ targets }]));
  };
  const scrapes = (Object.keys(jobs) as Job[]).map((job) => {
    scrape(job, jobs[job]);
    return `  - job_name: tonearm-${job}\n    file_sd_configs: [{ files: [${job}.json] }]`;
  });
  writeFileSync(
    join(folder, 'prometheus.yml'),
    [
      'global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }',
      'rule_files: [alerts.yml]',
      'scrape_configs:',
      ...scrapes,
    ].join('\n'),
  );
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  process.once('exit', () => server.kill('SIGKILL'));
  await until('Prometheus is ready', () => isReady(url), 20_000, 100);
  return { ...watchAlerts(url, server), scrape };
}

const isReady = async (url: string): Promise<boolean> =>
  (await fetch(`${url}/-/ready`).catch(() => undefined))?.ok === true;

type Alert = { readonly state: string; readonly labels: { readonly alertname: string } };

function watchAlerts(url: string, server: ChildProcess) {
  const firing = async (): Promise<ReadonlySet<string>> => {
    const response = await fetch(`${url}/api/v1/alerts`);
    const { data } = (await response.json()) as { data: { alerts: readonly Alert[] } };
    const alerts = data.alerts.filter(({ state }) => state === 'firing');
    return new Set(alerts.map(({ labels }) => labels.alertname));
  };
  const secondsToFire: Record<string, number> = {};
  return {
    firing,
    /** By alert, the seconds from the call of `awaitAlert` until it fired. */
    secondsToFire,
    /** Returns whether the alert fires within `limitMs`. */
    awaitAlert: async (name: string, limitMs: number): Promise<boolean> => {
      const begun = performance.now();
      try {
        await until(`${name} fires`, async () => (await firing()).has(name), limitMs, 200);
      } catch {
        return false;
      }
      secondsToFire[name] = Math.round((performance.now() - begun) / 100) / 10;
      return true;
    },
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
  };
}
