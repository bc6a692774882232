/**
 * `npm test`: a PostgreSQL of its own with a migrated template, a Redis and an S3 server; then every test against
 * them, in two processes of half the files each, because many tests wait for something most of the time.
 * `npm test -- FILE…` runs only those files, in one.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
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

/** The first shows its progress; what another says is told when it has ended. Returns its exit status. */
async function run(
  files: readonly string[],
  shard?: { index: number; of: number },
): Promise<number> {
  const isShown = shard === undefined || shard.index === 1;
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-isolation=none',
      // What a failed test left open must not keep the run from ending.
      '--test-force-exit',
      '--test-reporter=spec',
      `--test-timeout=${testTimeoutMs}`,
      ...(shard === undefined ? [] : [`--test-shard=${shard.index}/${shard.of}`]),
      ...files,
    ],
    {
      cwd: root,
      stdio: ['ignore', isShown ? 'inherit' : 'pipe', 'inherit'],
      timeout: runTimeoutMs,
      env: { ...process.env, ...addressesOf(fleet) },
    },
  );
  // So that the servers are stopped when the tests are told to end.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => child.kill(signal));
  }
  const said = child.stdout === null ? '' : text(child.stdout);
  const [status] = (await once(child, 'exit')) as [number | null];
  process.stdout.write(await said);
  return status ?? 1;
}

await withTestServers(fleet, async () => {
  const files = process.argv.slice(2).filter((argument) => argument !== '--');
  const statuses =
    files.length > 0
      ? [await run(files)]
      : await Promise.all([1, 2, 3].map((index) => run(everything, { index, of: 3 })));
  process.exitCode = Math.max(...statuses);
});
