/**
 * `npm test`: a PostgreSQL of its own with a migrated template, then every test in one process
 * against it. `npm test -- FILE…` runs only those files.
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

const fleet = fleetOf('test');
const database = fleet.servers.find(({ name }) => name === 'PostgreSQL');
if (database === undefined) throw new Error('there is no PostgreSQL to test with');

// A template left by an earlier run may be of another schema: start from nothing.
await database.stop();
database.wipe();
await database.start();
try {
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
      '--test-reporter=spec',
      `--test-timeout=${testTimeoutMs}`,
      ...(files.length > 0 ? files : everything),
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, TONEARM_TEST_POSTGRES: owner } },
  );
  process.exitCode = status ?? 1;
} finally {
  await database.stop();
}
