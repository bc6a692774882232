/**
 * An S3 server: Ceph's RADOS gateway from the machine's packages, with one monitor and one storage daemon that keeps
 * objects in memory, or in a file if `TONEARM_S3_STORE` is `disk`: a bench with more objects than fit into memory
 * needs that. All objects are lost when it stops.
 */

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
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

export type S3Server = LocalServer & { readonly access: S3Access };

type S3Access = {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

const credentials = {
  accessKeyId: 'test-access-key',
  secretAccessKey: 'test-secret-key-0123456789',
};
const region = 'us-east-1';
const bucket = 'tonearm-test';
/** In the order in which they are stopped: the gateway does not end once its storage is gone. */
const daemons = ['gateway', 'storage', 'monitor'] as const;
type Daemon = (typeof daemons)[number];

/** Undefined if Ceph is not installed. */
export function s3({ folder, port }: Options): S3Server | undefined {
  if (!isInstalled()) return undefined;
  const config = join(folder, 'ceph.conf');
  const folderOf = (name: Daemon) => join(folder, name);
  const endpoint = `http://127.0.0.1:${port}`;
  const access = { endpoint, region, bucket, ...credentials };
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, ['-c', config, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  /** Runs in the foreground (`-f`), as our child process with its folder in its command line. */
  const start = (
    name: Daemon,
    command: string,
    isReady: () => Promise<boolean>,
    ...args: string[]
  ) =>
    startDaemon({
      name: `S3 ${name}`,
      folder: folderOf(name),
      command,
      args: ['-f', '-c', config, '--pid-file', join(folderOf(name), 'ceph.pid'), ...args],
      isReady,
    });
  const stopAll = async (signal: 'SIGTERM' | 'SIGKILL') => {
    for (const name of daemons) await stopDaemon(`S3 ${name}`, folderOf(name), signal);
  };
  const isRunning = async () => daemons.every((name) => daemonIsRunning(folderOf(name)));
  return {
    name: 'S3',
    address: endpoint,
    access,
    isRunning,
    pids: () => daemons.flatMap((name) => daemonPids(folderOf(name))),
    wipe: () => removeFolder(folder),
    // Objects are in memory only, so there is nothing to flush.
    stop: () => stopAll('SIGKILL'),
    kill: () => stopAll('SIGKILL'),
    start: async () => {
      if (await isRunning()) return;
      await stopAll('SIGKILL');
      prepare(folder, config, port);
      await start('monitor', 'ceph-mon', answering(run, 'mon', 'stat'), '-i', 'a');
      const osd = randomUUID();
      run('ceph', '--connect-timeout', '30', 'osd', 'new', osd);
      run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', osd);
      await start('storage', 'ceph-osd', async () => true, '-i', '0');
      await start('gateway', 'radosgw', () => answers(endpoint), '-n', 'client.rgw.a');
      run(
        'radosgw-admin',
        ...'-n client.rgw.a user create --uid=test --display-name=test'.split(' '),
        `--access-key=${credentials.accessKeyId}`,
        `--secret-key=${credentials.secretAccessKey}`,
      );
      createBucket(`${endpoint}/${bucket}`);
    },
  };
}

function isInstalled(): boolean {
  try {
    for (const program of ['ceph-mon', 'ceph-osd', 'radosgw']) {
      execFileSync(program, ['--version'], { stdio: 'ignore' });
    }
    return true;
  } catch {
    return false;
  }
}

const answering =
  (run: (program: string, ...args: string[]) => Buffer, ...question: string[]) =>
  async () => {
    try {
      run('ceph', '--connect-timeout', '2', ...question);
      return true;
    } catch {
      return false;
    }
  };

const answers = async (url: string): Promise<boolean> =>
  (await fetch(url).catch(() => undefined))?.ok === true;

function createBucket(url: string): void {
  execFileSync('curl', [
    ...'-sS --fail -o /dev/null -X PUT --retry 5 --retry-all-errors --retry-delay 1'.split(' '),
    ...`--aws-sigv4 aws:amz:${region}:s3 -H`.split(' '),
    'x-amz-content-sha256: UNSIGNED-PAYLOAD',
    '--user',
    `${credentials.accessKeyId}:${credentials.secretAccessKey}`,
    url,
  ]);
}

function prepare(folder: string, config: string, port: number): void {
  removeFolder(folder);
  for (const name of ['monitor-data', 'storage-data', 'gateway-data', 'run', 'log', 'crash']) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  }
  const fsid = randomUUID();
  writeFileSync(config, settings(folder, port, fsid));
  const map = join(folder, 'monmap');
  const quiet = { stdio: 'ignore' } as const;
  execFileSync(
    'monmaptool',
    ['--create', '--fsid', fsid, '--addv', 'a', `[v2:127.0.0.1:${port + 1}/0]`, map],
    quiet,
  );
  execFileSync('ceph-mon', ['-c', config, '--mkfs', '-i', 'a', '--monmap', map], quiet);
}

const memoryStore = `osd_objectstore = memstore
memstore_device_bytes = 17179869184`;
/** The file is sparse: it takes the disk space of its objects. */
const diskStore = `osd_objectstore = bluestore
bluestore_block_size = 68719476736
bluestore_block_wal_create = false
bluestore_block_db_create = false`;

/** On loopback only, one copy of each object, no authentication between the daemons. */
const settings = (folder: string, port: number, fsid: string) => `
[global]
fsid = ${fsid}
mon_initial_members = a
mon_host = v2:127.0.0.1:${port + 1}/0
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
# The gateway would ask for "secure" connections, which need the authentication that is off, and hang.
ms_mon_client_mode = crc
ms_client_mode = crc
ms_cluster_mode = crc
ms_service_mode = crc
ms_bind_msgr1 = false
ms_bind_port_min = ${port + 2}
ms_bind_port_max = ${port + 40}
run_dir = ${folder}/run
admin_socket = ${folder}/run/$name.$pid.asok
log_file = ${folder}/log/$name.log
mon_cluster_log_file = ${folder}/log/cluster.log
crash_dir = ${folder}/crash
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
[mon]
mon_data = ${folder}/monitor-data
mon_data_avail_crit = 1
mon_data_avail_warn = 2
paxos_propose_interval = 0.05
paxos_min_wait = 0.01
[osd]
osd_data = ${folder}/storage-data
${process.env['TONEARM_S3_STORE'] === 'disk' ? diskStore : memoryStore}
osd_memory_target = 939524096
[client.rgw.a]
rgw_frontends = beast endpoint=127.0.0.1:${port}
rgw_thread_pool_size = 64
rgw_data = ${folder}/gateway-data
rgw_run_sync_thread = false
rgw_gc_obj_min_wait = 5
rgw_gc_processor_period = 5
`;
