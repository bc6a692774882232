/** Starts the roles (api, relay, worker) as real processes on a test database, for tests that stop or kill them. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { databaseUrl } from './test-service.ts';
import { s3Environment } from './test-storage.ts';

const main = join(import.meta.dirname, '..', 'src', 'main.ts');
const exitTimeoutMs = 30_000;

export type RoleProcess = {
  readonly child: ChildProcess;
  readonly log: () => string;
};

export type ApiProcess = RoleProcess & { readonly url: string };

/** Killed when the test run exits: a test that fails does not stop the processes it started. */
const runningChildren = new Set<ChildProcess>();
process.once('exit', () => runningChildren.forEach((child) => child.kill('SIGKILL')));

/** Resolves once the log of the process matches `readyPattern`. */
async function startRole(
  role: string,
  env: Record<string, string>,
  readyPattern: RegExp,
): Promise<RoleProcess & { readonly ready: RegExpExecArray }> {
  const child = spawn(process.execPath, [main, role], {
    env: { ...process.env, TONEARM_ENVIRONMENT: 'sandbox', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  runningChildren.add(child);
  child.once('exit', () => runningChildren.delete(child));
  let log = '';
  let isWaiting = true;
  const ready = Promise.withResolvers<RegExpExecArray>();
  const read = (chunk: Buffer) => {
    log += chunk.toString();
    // The log is matched only until the process is ready: under load it grows long.
    const match = isWaiting ? readyPattern.exec(log) : null;
    if (match === null) return;
    isWaiting = false;
    ready.resolve(match);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('exit', (code) => ready.reject(new Error(`${role} ended with ${code}\n${log}`)));
  return { ready: await ready.promise, child, log: () => log };
}

const testKeys = `test:${Buffer.alloc(32, 7).toString('base64')}`;

export const apiEnvironment = (database: string): Record<string, string> => ({
  TONEARM_PORT: '0',
  TONEARM_DRAIN_SECONDS: '0',
  TONEARM_KEYS: testKeys,
  TONEARM_DATABASE_URL: databaseUrl(database, 'tonearm_app'),
  TONEARM_DIRECTORY_DATABASE_URL: databaseUrl(database, 'tonearm_directory'),
  ...s3Environment(),
});

export async function startApi(
  database: string,
  env: Record<string, string> = {},
): Promise<ApiProcess> {
  const { ready, ...rest } = await startRole(
    'api',
    { ...apiEnvironment(database), ...env },
    /Server listening at (http:\/\/[\d.:]+)/,
  );
  return { ...rest, url: ready[1] ?? '' };
}

export type EngineUrls = { readonly ingressUrl: string; readonly adminUrl: string };

export const relayEnvironment = (
  database: string,
  { ingressUrl }: EngineUrls,
): Record<string, string> => ({
  TONEARM_RELAY_DATABASE_URL: databaseUrl(database, 'tonearm_relay'),
  TONEARM_ENGINE_INGRESS_URL: ingressUrl,
});

export const startRelay = (
  database: string,
  urls: EngineUrls,
  env: Record<string, string> = {},
): Promise<RoleProcess> =>
  startRole('relay', { ...relayEnvironment(database, urls), ...env }, /"relaying"/);

export const workerEnvironment = (
  database: string,
  { ingressUrl, adminUrl }: EngineUrls,
): Record<string, string> => ({
  TONEARM_WORKER_DATABASE_URL: databaseUrl(database, 'tonearm_worker'),
  TONEARM_ENGINE_INGRESS_URL: ingressUrl,
  TONEARM_ENGINE_ADMIN_URL: adminUrl,
  TONEARM_WORKER_PORT: '0',
  TONEARM_KEYS: testKeys,
  ...s3Environment(),
  TONEARM_VERSION: 'test',
  // Tests of payouts set the address of a rail that they start.
  TONEARM_PAYOUT_RAIL_URL: 'https://rail.invalid',
});

export const startWorker = (
  database: string,
  urls: EngineUrls,
  env: Record<string, string> = {},
  readyPattern = /"working"/,
): Promise<RoleProcess> =>
  startRole('worker', { ...workerEnvironment(database, urls), ...env }, readyPattern);

export type RailProcess = RoleProcess & { readonly url: string };

/** The scripted bank; `port` 0 chooses a free one. */
export async function startRail(
  journalFile: string,
  port = 0,
  env: Record<string, string> = {},
): Promise<RailProcess> {
  const { ready, ...rest } = await startRole(
    'rail',
    { TONEARM_RAIL_PORT: String(port), TONEARM_RAIL_JOURNAL: journalFile, ...env },
    /"url":"(http:\/\/[\d.:]+)".*"paying"/,
  );
  return { ...rest, url: ready[1] ?? '' };
}

/** The fictional store over SFTP, on free ports. */
export async function startSftpStore(
  folder: string,
  env: Record<string, string> = {},
): Promise<RoleProcess & { readonly bookUrl: string }> {
  const { ready, ...rest } = await startRole(
    'sftp-store',
    {
      TONEARM_SFTP_STORE_FOLDER: folder,
      TONEARM_SFTP_STORE_PORT: '0',
      TONEARM_SFTP_STORE_BOOK_PORT: '0',
      ...env,
    },
    /"bookUrl":"(http:\/\/[\d.:]+)".*"taking batches"/,
  );
  return { ...rest, bookUrl: ready[1] ?? '' };
}

export type ExitResult = { readonly code: number | null; readonly stderr: string };

/** Runs a command that ends by itself; returns its exit code and what it wrote to standard error. */
export async function runToExit(
  argv: readonly string[],
  env: Record<string, string>,
): Promise<ExitResult> {
  const child = spawn(process.execPath, [main, ...argv], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: exitTimeoutMs,
  });
  const [stderr, [code]] = await Promise.all([
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, stderr };
}

/** Whether the process runs this task in a process of its own. */
export function hasTask({ child: { pid = 0 } }: RoleProcess, module: string): boolean {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return children.some((each) => readFileSync(`/proc/${each}/cmdline`, 'utf8').includes(module));
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

export async function kill({ child }: RoleProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
