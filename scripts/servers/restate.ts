import { join } from 'node:path';
import {
  daemonIsRunning,
  daemonPids,
  type LocalServer,
  removeFolder,
  root,
  startDaemon,
  stopDaemon,
} from './server.ts';

type Options = {
  readonly folder: string;
  readonly ingressPort: number;
  readonly adminPort: number;
  readonly nodePort: number;
  /** Restate signs its calls to handlers with this Ed25519 key, so that workers can refuse all other calls. */
  readonly identityKeyFile?: string;
};

const binary = join(
  root,
  'node_modules',
  '@restatedev',
  `restate-server-${process.platform}-${process.arch}`,
  'bin',
  'restate-server',
);

/** One Restate node, on loopback only, with telemetry off. */
export function restate(options: Options): LocalServer {
  const { folder, ingressPort, adminPort, nodePort, identityKeyFile } = options;
  return {
    name: 'Restate',
    address: `http://127.0.0.1:${ingressPort} (admin ${adminPort})`,
    isRunning: async () => daemonIsRunning(folder),
    pids: () => daemonPids(folder),
    wipe: () => removeFolder(folder),
    stop: () => stopDaemon('Restate', folder),
    kill: () => stopDaemon('Restate', folder, 'SIGKILL'),
    start: () =>
      startDaemon({
        name: 'Restate',
        folder,
        command: binary,
        args: ['--node-name', 'local', '--base-dir', join(folder, 'data'), '--no-logo'],
        env: {
          RESTATE_LISTEN_MODE: 'tcp',
          RESTATE_BIND_IP: '127.0.0.1',
          RESTATE_BIND_PORT: String(nodePort),
          RESTATE_INGRESS__BIND_PORT: String(ingressPort),
          RESTATE_ADMIN__BIND_PORT: String(adminPort),
          RESTATE_DEFAULT_NUM_PARTITIONS: '4',
          RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256MB',
          RESTATE_DISABLE_TELEMETRY: 'true',
          DO_NOT_TRACK: '1',
          ...(identityKeyFile !== undefined && {
            RESTATE_WORKER__INVOKER__REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: identityKeyFile,
          }),
          RESTATE_LOG_FILTER: 'warn',
        },
        isReady: async () => {
          const urls = [
            `http://127.0.0.1:${adminPort}/health`,
            `http://127.0.0.1:${ingressPort}/restate/health`,
          ];
          const answers = await Promise.all(urls.map((url) => fetch(url).catch(() => undefined)));
          return answers.every((answer) => answer?.ok === true);
        },
      }),
  };
}
