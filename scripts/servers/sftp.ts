/**
 * An SFTP server: OpenSSH from the machine's packages, on loopback, with one user (who runs this script), one key, and
 * no shell. Sessions start in `root`.
 */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import {
  daemonIsRunning,
  daemonPids,
  type LocalServer,
  removeFolder,
  startDaemon,
  stopDaemon,
} from './server.ts';

type Options = { readonly folder: string; readonly port: number };

export type SftpServer = LocalServer & {
  readonly access: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    /** Of the server; known once it was started. */
    readonly hostKey: () => string;
    readonly privateKey: () => string;
    /** Where the files are on this machine. */
    readonly root: string;
  };
};

const program = '/usr/sbin/sshd';
const host = '127.0.0.1';

/** Undefined if OpenSSH's server is not installed. */
export function sftp({ folder, port }: Options): SftpServer | undefined {
  if (!existsSync(program)) return undefined;
  const config = join(folder, 'sshd_config');
  const root = join(folder, 'root');
  const keyFile = (name: 'host' | 'user') => join(folder, name);
  const { username: user } = userInfo();
  /** A session is a process of its own, which outlives the server. */
  const endSessions = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const sessions = sessionsOf(folder);
    await stopDaemon('SFTP', folder, signal);
    for (const pid of sessions) killIfThere(pid, signal);
  };
  return {
    name: 'SFTP',
    address: `sftp://${user}@${host}:${port}`,
    access: {
      host,
      port,
      user,
      root,
      hostKey: () => fingerprintOf(`${keyFile('host')}.pub`),
      privateKey: () => readFileSync(keyFile('user'), 'utf8'),
    },
    isRunning: async () => daemonIsRunning(folder),
    pids: () => daemonPids(folder),
    wipe: () => removeFolder(folder),
    stop: () => endSessions('SIGTERM'),
    kill: () => endSessions('SIGKILL'),
    start: async () => {
      mkdirSync(root, { recursive: true });
      for (const name of ['host', 'user'] as const) makeKey(keyFile(name));
      writeFileSync(config, settings({ folder, port, user, root }));
      // Where the server gives up its rights as root. Other users need no such folder.
      if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
      await startDaemon({
        name: 'SFTP',
        folder,
        command: program,
        args: ['-D', '-e', '-f', config],
        isReady: () => greets(port),
      });
    },
  };
}

function makeKey(file: string): void {
  if (existsSync(file)) return;
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'tonearm-test', '-f', file]);
  chmodSync(file, 0o600);
}

const fingerprintOf = (publicKeyFile: string): string =>
  execFileSync('ssh-keygen', ['-l', '-E', 'sha256', '-f', publicKeyFile], {
    encoding: 'utf8',
  }).split(' ')[1] ?? '';

/** Processes whose parent, or whose parent's parent, is the server. */
function sessionsOf(folder: string): readonly number[] {
  const file = join(folder, 'server.pid');
  if (!existsSync(file) || process.platform !== 'linux') return [];
  const listener = Number(readFileSync(file, 'utf8'));
  const parents = new Map(
    readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [parentOf(Number(name))] : [])),
  );
  const isSession = (pid: number | undefined): boolean =>
    pid !== undefined && (parents.get(pid) === listener || isSession(parents.get(pid)));
  return [...parents.keys()].filter(isSession);
}

function parentOf(pid: number): [number, number | undefined] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return [pid, parent > 0 ? parent : undefined];
  } catch {
    return [pid, undefined];
  }
}

function killIfThere(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended with the server.
  }
}

/** The server speaks first. */
async function greets(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port });
  socket.once('data', (bytes) => resolve(bytes.toString().startsWith('SSH-')));
  socket.once('error', () => resolve(false)).once('close', () => resolve(false));
  const answer = await promise;
  socket.destroy();
  return answer;
}

type Settings = Options & { readonly user: string; readonly root: string };

/** No strict modes: a temporary folder belongs to everybody, and the key is only for this server. */
const settings = ({ folder, port, user, root }: Settings) => `
Port ${port}
ListenAddress ${host}
HostKey ${join(folder, 'host')}
PidFile none
AuthorizedKeysFile ${join(folder, 'user.pub')}
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PubkeyAuthentication yes
PermitRootLogin prohibit-password
AllowUsers ${user}
Subsystem sftp internal-sftp
ForceCommand internal-sftp -d ${root}
DisableForwarding yes
PermitTTY no
UseDNS no
MaxStartups 100:30:200
`;
