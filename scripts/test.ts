/**
 * `npm test`: a PostgreSQL of its own with a migrated template, and a Redis; then every test in one
 * process against them. `npm test -- FILE…` runs only those files.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fleetOf } from './servers/fleet.ts';
import { root } from './servers/server.ts';

const everything = [
  'apps/service/src/**/*.test.ts',
  'apps/service/test/**/*.test.ts',
  'scripts/**/*.test.ts',
];
const testTimeoutMs = 180_000;
const runTimeoutMs = 900_000;

const fleet = fleetOf('test');
const servers = fleet.servers.filter(({ name }) => ['PostgreSQL', 'Redis'].includes(name));
if (servers.length !== 2) throw new Error('the tests need Redis: apt-get install redis-server');

// A template left by an earlier run may be of another schema: start from nothing.
for (const server of servers) {
  await server.stop();
  server.wipe();
}
try {
  await Promise.all(servers.map((server) => server.start()));
  const owner = `postgres://postgres@127.0.0.1:${fleet.ports.postgres}`;
  execFileSync(process.execPath, [join(root, 'apps/service/src/main.ts'), 'migrate'], {
    env: { ...process.env, TONEARM_OWNER_DATABASE_URL: `${owner}/tonearm_template` },
    stdio: 'inherit',
  });
  const files = process.argv.slice(2).filter((argument) => argument !== '--');
  const { status } = spawnSync(
    process.execPath,
    [
      '--test',
      '--test-isolation=none',
      // What a failed test left open must not keep the run from ending.
      '--test-force-exit',
      '--test-reporter=spec',
      `--test-timeout=${testTimeoutMs}`,
      ...(files.length > 0 ? files : everything),
    ],
    {
      cwd: root,
      stdio: 'inherit',
      timeout: runTimeoutMs,
      env: {
        ...process.env,
        TONEARM_TEST_POSTGRES: owner,
        TONEARM_TEST_REDIS: `redis://127.0.0.1:${fleet.ports.redis}`,
      },
    },
  );
  process.exitCode = status ?? 1;
} finally {
  await Promise.all(servers.map((server) => server.stop()));
}
