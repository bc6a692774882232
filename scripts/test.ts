/**
 * `npm test`: a PostgreSQL of its own with a migrated template, and a Redis; then every test in one
 * process against them. `npm test -- FILE…` runs only those files.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
  const run = spawn(
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
  // So that the servers are stopped when the tests are told to end.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => run.kill(signal));
  const [status] = (await once(run, 'exit')) as [number | null];
  process.exitCode = status ?? 1;
});
