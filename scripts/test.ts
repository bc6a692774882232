/**
 * `npm test`: starts PostgreSQL with a migrated template database, Redis and an S3 server, then runs every test against
 * them, in four processes of a quarter of the files each, because many tests wait for something most of the time.
 * `npm test -- FILE…` runs only those files, in one process.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { requireAuditedEvents } from '../apps/service/test/audited-events.ts';
import { fleetOf } from './servers/fleet.ts';
import { root } from './servers/server.ts';
import { addressesOf, withTestServers } from './servers/test-servers.ts';

const everything = [
  'apps/service/src/**/*.test.ts',
  'apps/service/test/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'bench/*.test.ts',
];
const shards = [1, 2, 3, 4];
/** A busy machine is several times slower than an idle one: only a test that hangs reaches these. */
const testTimeoutMs = 600_000;
const runTimeoutMs = 3_600_000;
/**
 * The priority of the service's own threads for long work (`low-priority.ts`): with a higher one, the tests of the other
 * processes would take all processor time from them, until they exceed their deadline.
 */
const { PRIORITY_BELOW_NORMAL } = constants.priority;

const fleet = fleetOf('test');

/** Returns the exit status. The first shard prints as it runs; the output of the others is printed when they end. */
async function run(
  files: readonly string[],
  shard?: { index: number; of: number },
): Promise<number> {
  const printsAtOnce = shard === undefined || shard.index === 1;
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-isolation=none',
      // Sockets that a failed test left open must not keep the run alive.
      '--test-force-exit',
      '--test-reporter=spec',
      `--test-timeout=${testTimeoutMs}`,
      ...(shard === undefined ? [] : [`--test-shard=${shard.index}/${shard.of}`]),
      ...files,
    ],
    {
      cwd: root,
      stdio: ['ignore', printsAtOnce ? 'inherit' : 'pipe', 'inherit'],
      timeout: runTimeoutMs,
      env: { ...process.env, ...addressesOf(fleet) },
    },
  );
  // Ends the tests only, so that withTestServers stops the servers afterwards.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => child.kill(signal));
  }
  const output = child.stdout === null ? '' : text(child.stdout);
  const [status] = (await once(child, 'exit')) as [number | null];
  process.stdout.write(await output);
  return status ?? 1;
}

async function runEverything(): Promise<number> {
  // `.ci/run` reads this line: it compares the number with that of the summaries.
  console.log(`tests run in ${shards.length} processes`);
  const statuses = shards.map((index) => run(everything, { index, of: shards.length }));
  return Math.max(...(await Promise.all(statuses)));
}

setPriority(PRIORITY_BELOW_NORMAL);
await withTestServers(fleet, async () => {
  await requireAuditedEvents(`${addressesOf(fleet).TONEARM_TEST_POSTGRES}/tonearm_template`);
  const files = process.argv.slice(2).filter((argument) => argument !== '--');
  process.exitCode = files.length > 0 ? await run(files) : await runEverything();
});
