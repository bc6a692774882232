/**
 * `npm test`: a PostgreSQL of its own with a migrated template, and a Redis; then every test in one
 * process against them. `npm test -- FILE…` runs only those files.
 */
import { spawnSync } from 'node:child_process';
import { fleetOf } from './servers/fleet.ts';
import { root } from './servers/server.ts';
import { addressesOf, withTestServers } from './servers/test-servers.ts';

const everything = [
  'apps/service/src/**/*.test.ts',
  'apps/service/test/**/*.test.ts',
  'scripts/**/*.test.ts',
];
const testTimeoutMs = 180_000;
const runTimeoutMs = 900_000;

const fleet = fleetOf('test');
await withTestServers(fleet, async () => {
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
      env: { ...process.env, ...addressesOf(fleet) },
    },
  );
  process.exitCode = status ?? 1;
});
