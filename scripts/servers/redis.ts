import { execFileSync } from 'node:child_process';
import { connect } from 'node:net';
import {
  daemonIsRunning,
  daemonPids,
  type LocalServer,
  removeFolder,
  startDaemon,
  stopDaemon,
} from './server.ts';

type Options = { readonly folder: string; readonly port: number };

/** Redis from the machine's packages; undefined if it is not installed (each process then counts limits by itself). */
export function redis({ folder, port }: Options): LocalServer | undefined {
  if (!isInstalled()) return undefined;
  return {
    name: 'Redis',
    address: `redis://127.0.0.1:${port}`,
    isRunning: async () => daemonIsRunning(folder),
    pids: () => daemonPids(folder),
    wipe: () => removeFolder(folder),
    stop: () => stopDaemon('Redis', folder),
    kill: () => stopDaemon('Redis', folder, 'SIGKILL'),
    start: () =>
      startDaemon({
        name: 'Redis',
        folder,
        command: 'redis-server',
        // The folder is in the command line, where `ownPid` looks for it; `--set-proc-title no` keeps it there.
        args: [
          '--bind',
          '127.0.0.1',
          '--port',
          String(port),
          '--dir',
          folder,
          '--save',
          '',
          '--appendonly',
          'no',
          '--set-proc-title',
          'no',
        ],
        isReady: () => accepts(port),
      }),
  };
}

function isInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: '127.0.0.1', port });
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  const answer = await promise;
  socket.destroy();
  return answer;
}
