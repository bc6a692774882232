/** The servers of one purpose (development, tests, proofs), with their data under one folder. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { postgres } from './postgres.ts';
import { redis } from './redis.ts';
import { restate } from './restate.ts';
import { s3, type S3Server } from './s3.ts';
import { type LocalServer, removeFolder, root } from './server.ts';

type Ports = {
  /** Of `npm run dev`. The next port is for files, the third after it for the worker. */
  readonly api: number;
  readonly postgres: number;
  readonly restateIngress: number;
  readonly restateAdmin: number;
  readonly restateNode: number;
  readonly redis: number;
  readonly s3: number;
};

type Purpose = 'dev' | 'test' | 'prove';

const portOffsets: Record<Purpose, number> = { dev: 0, test: 100, prove: 200 };

export type Fleet = {
  readonly folder: string;
  readonly ports: Ports;
  readonly postgres: LocalServer;
  readonly redis: LocalServer | undefined;
  /** Used by tests and proofs; development stores files on disk. */
  readonly s3: S3Server | undefined;
  /** PostgreSQL, Restate and, where it is installed, Redis. */
  readonly servers: readonly LocalServer[];
  /** Programs that are not installed on this machine, each with the effect. */
  readonly missing: readonly string[];
};

/**
 * TONEARM_POSTGRES_PORT and the like set one port, TONEARM_PORT that of the api; TONEARM_PORT_OFFSET moves all others.
 * TONEARM_DATA sets the data folder, which is otherwise .data.
 */
export function fleetOf(purpose: Purpose, env: NodeJS.ProcessEnv = process.env): Fleet {
  const offset = Number(env['TONEARM_PORT_OFFSET'] ?? 0) + portOffsets[purpose];
  const port = (name: string, usual: number) =>
    Number(env[`TONEARM_${name}_PORT`] ?? usual + offset);
  const ports: Ports = {
    api: Number(env['TONEARM_PORT'] ?? 8420 + offset),
    postgres: port('POSTGRES', 15_432),
    restateIngress: port('RESTATE_INGRESS', 18_080),
    restateAdmin: port('RESTATE_ADMIN', 19_070),
    restateNode: port('RESTATE_NODE', 15_122),
    redis: port('REDIS', 16_379),
    s3: port('S3', 14_000),
  };
  const folder = join(env['TONEARM_DATA'] ?? join(root, '.data'), purpose);
  const database = postgres({
    folder: join(folder, 'postgres'),
    port: ports.postgres,
    // Tests trade durability for speed. Proofs kill the server, so it must keep what it committed.
    isDurable: purpose !== 'test',
  });
  const engine = restate({
    folder: join(folder, 'restate'),
    ingressPort: ports.restateIngress,
    adminPort: ports.restateAdmin,
    nodePort: ports.restateNode,
  });
  const cache = redis({ folder: join(folder, 'redis'), port: ports.redis });
  return {
    folder,
    ports,
    postgres: database,
    redis: cache,
    s3: s3({ folder: join(folder, 's3'), port: ports.s3 }),
    servers: [database, engine, cache].filter((server) => server !== undefined),
    missing: [
      ...(cache === undefined ? ['Redis: limits are counted in the process'] : []),
      ...(hasFfmpeg() ? [] : ['ffmpeg: audio waits in processing until it is installed']),
    ],
  };
}

function hasFfmpeg(): boolean {
  try {
    execFileSync('ffprobe', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export async function startFleet(fleet: Fleet): Promise<void> {
  await Promise.all(fleet.servers.map((server) => server.start()));
}

export async function stopFleet(fleet: Fleet): Promise<void> {
  await Promise.all(fleet.servers.map((server) => server.stop()));
}

export async function wipeFleet(fleet: Fleet): Promise<void> {
  await stopFleet(fleet);
  for (const server of fleet.servers) server.wipe();
  removeFolder(fleet.folder);
}
