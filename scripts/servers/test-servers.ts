/** The servers of tests and experiments: an empty PostgreSQL with a migrated template database, Redis, an S3 server. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Fleet } from './fleet.ts';
import { type LocalServer, root } from './server.ts';

/** The environment variables from which tests read the addresses of the servers. */
export const addressesOf = ({ postgres, ports, s3 }: Fleet) => ({
  TONEARM_TEST_POSTGRES: postgres.address,
  TONEARM_TEST_REDIS: `redis://127.0.0.1:${ports.redis}`,
  ...(s3 !== undefined && {
    TONEARM_TEST_S3: `s3://${s3.access.bucket}?region=${s3.access.region}&endpoint=${s3.access.endpoint}`,
    TONEARM_TEST_S3_KEY_ID: s3.access.accessKeyId,
    TONEARM_TEST_S3_SECRET: s3.access.secretAccessKey,
  }),
});

/**
 * Called on SIGINT and SIGTERM. PostgreSQL is last: without it this process may fail and exit before the others are
 * killed.
 */
export async function killTestServers({ postgres, redis, s3 }: Fleet): Promise<void> {
  for (const server of [s3, redis, postgres]) await server?.kill();
}

/** With several PostgreSQL servers, each has its own template. They are instead of the fleet's own. */
export async function withTestServers<T>(
  fleet: Fleet,
  work: () => Promise<T>,
  databases: readonly LocalServer[] = [fleet.postgres],
): Promise<T> {
  const { redis, s3 } = fleet;
  if (redis === undefined) throw new Error('Redis is needed: apt-get install redis-server');
  if (s3 === undefined) {
    throw new Error(
      'An S3 server is needed: apt-get install radosgw ceph-mon ceph-osd ceph-common',
    );
  }
  const servers = [...databases, redis, s3];
  // The template of an earlier run may have another schema.
  for (const server of servers) {
    await server.stop();
    server.wipe();
  }
  try {
    await Promise.all(servers.map((server) => server.start()));
    await Promise.all(databases.map(({ address }) => createTemplate(templateOf(address))));
    return await work();
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** The database that each test service copies. */
export const templateOf = (postgresAddress: string): string =>
  `${postgresAddress}/tonearm_template`;

async function createTemplate(url: string): Promise<void> {
  for (const argv of [['migrate'], ['admin', 'stores', 'seed']]) {
    await promisify(execFile)(process.execPath, [join(root, 'apps/service/src/main.ts'), ...argv], {
      env: {
        ...process.env,
        TONEARM_ENVIRONMENT: 'sandbox',
        TONEARM_OWNER_DATABASE_URL: url,
        TONEARM_OPERATOR_DATABASE_URL: url,
      },
    });
  }
}
