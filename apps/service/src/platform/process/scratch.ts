/**
 * A folder for temporary files that belongs to one process: only its user can enter it, and its name cannot be
 * foreseen. What processes that died left behind is removed when another one starts. The name says whose it is:
 *
 *   tonearm-worker-<pid namespace>-<pid>-<start of the process>-<random>
 *
 * A process of the same namespace can be looked up; one of another container cannot, so its folder goes by age, and
 * every living process renews the time of its own.
 */

import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { hourMs } from '../../kernel/duration.ts';

export type Scratch = {
  readonly folder: string;
  /** Says that its process lives: to be called more often than every `abandonedAfterMs`. */
  readonly renew: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

const prefix = 'tonearm-worker';
const abandonedAfterMs = 3 * hourMs;
const unknown = '0';

export async function openScratch(parent: string): Promise<Scratch> {
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  const owner = [await ownNamespace(), process.pid, (await startOf(process.pid)) ?? unknown];
  // Made with mode 0700.
  const folder = await mkdtemp(join(parent, `${prefix}-${owner.join('-')}-`));
  return {
    folder,
    renew: () => utimes(folder, new Date(), new Date()),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (await isAbandoned(path, name)) await rm(path, { recursive: true, force: true });
  }
}

async function isAbandoned(path: string, name: string): Promise<boolean> {
  const [, namespace, pid, start] =
    new RegExp(`^${prefix}-(\\d+)-(\\d+)-(\\d+)-[^-]+$`).exec(name) ?? [];
  if (namespace === undefined) return false;
  const info = await lstat(path).catch(() => undefined);
  // Temporary folders are open to everybody: a symbolic link, or what another user has put there, is left alone.
  if (info?.isDirectory() !== true || info.uid !== process.getuid?.()) return false;
  if (namespace !== unknown && namespace === (await ownNamespace())) {
    return (await startOf(Number(pid))) !== start;
  }
  return info.mtimeMs < Date.now() - abandonedAfterMs;
}

/** Process ids mean nothing in another container; `0` where the system has no namespaces. */
async function ownNamespace(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '');
  return /\d+/.exec(link)?.[0] ?? unknown;
}

/** In ticks since the machine started: a process id that is used again has another. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  // The name of the program is in parentheses and may hold anything; the fields after it begin with the third.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[22 - 3];
}
