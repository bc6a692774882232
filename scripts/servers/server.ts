/** What all local servers share: a folder, a detached process, and a stop that ends only the process started there. */

import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export const root = join(import.meta.dirname, '..', '..');

export type LocalServer = {
  readonly name: string;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** SIGKILL: what the server had not made durable is lost. */
  readonly kill: () => Promise<void>;
  readonly isRunning: () => Promise<boolean>;
  /** Of the processes that were started; the server's other processes are their descendants. Empty if it is stopped. */
  readonly pids: () => readonly number[];
  /** Removes the data. The server must be stopped. */
  readonly wipe: () => void;
  readonly address: string;
};

/** A busy machine is several times slower than an idle one: only what hangs reaches these. */
const hangTimeoutMs = 180_000;
const stopTimeoutMs = 60_000;
const usualPollMs = 25;

export async function until(
  what: string,
  isDone: () => boolean | Promise<boolean>,
  limitMs = hangTimeoutMs,
  pollMs = usualPollMs,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`gave up waiting until ${what}`);
    await wait(pollMs);
  }
}

type Daemon = {
  readonly name: string;
  readonly folder: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly isReady: () => Promise<boolean>;
};

const pidFile = (folder: string) => join(folder, 'server.pid');

/** The pid of the process started in this folder. Its command line is checked, because the system reuses pids. */
function ownPid(folder: string): number | undefined {
  if (!existsSync(pidFile(folder))) return undefined;
  const pid = Number(readFileSync(pidFile(folder), 'utf8'));
  return commandLineOf(pid).includes(folder) ? pid : undefined;
}

function commandLineOf(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/**
 * An ending process loses its command line before it closes its sockets: its port is free only when the process is a
 * zombie or gone. Its first thread may be a zombie while another thread still has the port open.
 */
export function hasEnded(pid: number): boolean {
  if (process.platform !== 'linux') return commandLineOf(pid) === '';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const isZombie = /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
    return isZombie && readdirSync(`/proc/${pid}/task`).length === 1;
  } catch {
    return true;
  }
}

export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true });

export const daemonPids = (folder: string): number[] =>
  [ownPid(folder)].filter((pid) => pid !== undefined);

export const daemonIsRunning = (folder: string): boolean => ownPid(folder) !== undefined;

export async function startDaemon(daemon: Daemon): Promise<void> {
  const { name, folder, command, args, env, isReady } = daemon;
  if (daemonIsRunning(folder)) return;
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, 'server.log');
  const log = openSync(logFile, 'w');
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', log, log],
  });
  let failure: string | undefined;
  child.once('error', (error) => (failure = error.message));
  child.once('exit', (code) => (failure = `it ended with code ${code}`));
  child.unref();
  if (child.pid !== undefined) writeFileSync(pidFile(folder), String(child.pid));
  await until(
    `${name} answers`,
    async () => {
      if (failure !== undefined) {
        throw new Error(
          `${name} did not start: ${failure}\n${readFileSync(logFile, 'utf8').slice(-2_000)}`,
        );
      }
      return isReady();
    },
    hangTimeoutMs,
  );
}

/** Sends SIGKILL and does not wait: called in an exit handler, which cannot wait. */
export function killDaemon(folder: string): void {
  const pid = ownPid(folder);
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

export async function stopDaemon(
  name: string,
  folder: string,
  signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM',
): Promise<void> {
  const pid = ownPid(folder);
  if (pid === undefined) return;
  process.kill(pid, signal);
  await until(`${name} has stopped`, () => hasEnded(pid), stopTimeoutMs).catch(async () => {
    process.kill(pid, 'SIGKILL');
    await until(`${name} has ended`, () => hasEnded(pid), stopTimeoutMs);
  });
  rmSync(pidFile(folder), { force: true });
}
