/**
 * A folder for temporary files of one process: only its user can enter it, and its name cannot be predicted. A starting
 * process removes the folders of processes that have died. The name identifies the process:
 *
 *   tonearm-worker-<pid namespace>-<pid>-<start of the process>-<random>
 *
 * A process of the same namespace can be looked up. A process of another container cannot, so its folder is removed by
 * age, and every living process renews the time of its own folder.
 */

import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { hourMs } from '../../kernel/duration.ts';

export type Scratch = {
  readonly folder: string;
  /** Marks the folder as in use: must be called more often than every `abandonedAfterMs`. */
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
  // Every user can write to a temporary folder: symbolic links and files of other users are left alone.
  if (info?.isDirectory() !== true || info.uid !== process.getuid?.()) return false;
  if (namespace !== unknown && namespace === (await ownNamespace())) {
    return (await startOf(Number(pid))) !== start;
  }
  return info.mtimeMs < Date.now() - abandonedAfterMs;
}

/** Process ids are valid only within a namespace; `0` if the system has none. */
async function ownNamespace(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '');
  return /\d+/.exec(link)?.[0] ?? unknown;
}

/** In ticks since the machine started: it differs for a later process with the same id. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  // The second field, the program's name in parentheses, may contain anything; the third field follows it.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[22 - 3];
}
