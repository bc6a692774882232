/**
 * `npm test`: starts PostgreSQL with a migrated template database, Redis and an S3 server, then runs every test against
 * them, in four processes, because many tests wait for something most of the time. Each process has its own PostgreSQL
 * server, so that the cost of each file is known. `npm test -- FILE…` runs only those files, in one process;
 * `npm test -- --budget` also writes what the files cost to `costs/budget.json`.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { requireAuditedEvents } from '../apps/service/test/audited-events.ts';
import { createSmallTemplate, smallTemplate } from '../apps/service/test/databases.ts';
import type { FileCosts } from './costs/cost.ts';
import {
  areBudgetsJudged,
  exceededBudgets,
  fileCostsOf,
  readBudget,
  writeBudget,
} from './costs/file-costs.ts';
import { printFileCosts } from './costs/print-costs.ts';
import { measureOthers } from './costs/processor-time.ts';
import { filesByProcess } from './costs/shares.ts';
import { fleetOf } from './servers/fleet.ts';
import { postgres } from './servers/postgres.ts';
import { type LocalServer, root } from './servers/server.ts';
import { addressesOf, templateOf, withTestServers } from './servers/test-servers.ts';

const everything = [
  'apps/service/src/**/*.test.ts',
  'apps/service/test/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'bench/*.test.ts',
];
const processesMax = 4;
/** A busy machine is several times slower than an idle one: only a test that hangs reaches these. */
const testTimeoutMs = 600_000;
const runTimeoutMs = 3_600_000;
/**
 * The priority of the service's own threads for long work (`low-priority.ts`): with a higher one, the tests of the other
 * processes would take all processor time from them, until they exceed their deadline.
 */
const { PRIORITY_BELOW_NORMAL } = constants.priority;

const fleet = fleetOf('test');
const costsFolder = join(fleet.folder, 'costs');
const costsFile = (index: number): string => join(costsFolder, `${index}.json`);

/** Returns the exit status. The first process prints as it runs; the output of the others is printed when they end. */
async function run(
  files: readonly string[],
  server: LocalServer | undefined,
  index: number,
): Promise<number> {
  if (server === undefined) throw new Error(`process ${index} has no PostgreSQL server`);
  const child = spawn(
    process.execPath,
    [
      // A larger young generation: a tenth less processor time for a process that lives for minutes.
      '--max-semi-space-size=64',
      '--test',
      '--test-isolation=none',
      // Sockets that a failed test left open must not keep the run alive.
      '--test-force-exit',
      '--test-reporter=spec',
      `--test-timeout=${testTimeoutMs}`,
      '--import',
      join(root, 'scripts/costs/record-costs.ts'),
      ...files,
    ],
    {
      cwd: root,
      stdio: ['ignore', index === 0 ? 'inherit' : 'pipe', 'inherit'],
      timeout: runTimeoutMs,
      env: {
        ...process.env,
        ...addressesOf({ ...fleet, postgres: server }),
        TONEARM_TEST_SMALL_TEMPLATE: smallTemplate,
        TONEARM_TEST_COSTS: costsFile(index),
        TONEARM_TEST_POSTGRES_PID: String(server.pids()[0]),
      },
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

async function prepareTemplates({ address }: LocalServer): Promise<void> {
  await requireAuditedEvents(templateOf(address));
  await createSmallTemplate(address);
}

async function main(): Promise<number> {
  const [flags, named] = [true, false].map((isFlag) =>
    process.argv.slice(2).filter((argument) => argument.startsWith('--') === isFlag),
  );
  const writesBudget = flags?.includes('--budget') === true;
  if (writesBudget && named !== undefined && named.length > 0) {
    console.error('--budget needs the costs of every file: run it without files.');
    return 2;
  }
  const budget = readBudget();
  const shares =
    named !== undefined && named.length > 0
      ? [named]
      : filesByProcess(globSync(everything, { cwd: root }), budget, processesMax);
  const servers = shares.map((_, index) =>
    postgres({
      folder: join(fleet.folder, `postgres-${index}`),
      port: fleet.ports.postgres + index,
      isDurable: false,
    }),
  );
  const othersShare = measureOthers();
  rmSync(costsFolder, { recursive: true, force: true });
  mkdirSync(costsFolder, { recursive: true });
  return withTestServers(
    fleet,
    async () => {
      await Promise.all(servers.map(prepareTemplates));
      // `.ci/run` reads this line: it compares the number with that of the summaries.
      console.log(`tests run in ${shares.length} processes`);
      const statuses = await Promise.all(
        shares.map((files, index) => run(files, servers[index], index)),
      );
      const processes = shares.map(
        (_, index) => JSON.parse(readFileSync(costsFile(index), 'utf8')) as FileCosts,
      );
      printFileCosts(processes);
      const costs = fileCostsOf(processes);
      if (writesBudget) writeBudget(costs);
      // A few files do not show how fast the machine is, and the larger sizes of `.ci/full` have no budget.
      const hasBudget = shares.length > 1 && process.env['TONEARM_FULL_TESTS'] !== '1';
      const all = [...servers, fleet.redis, fleet.s3];
      const others = othersShare(all.flatMap((server) => server?.pids() ?? []));
      const isJudged = hasBudget && areBudgetsJudged(others);
      console.log(
        `Other programs used ${Math.round(100 * others)} % of the processor time of the machine: budgets are ${isJudged ? '' : 'not '}judged`,
      );
      const exceeded = isJudged ? exceededBudgets(costs, budget) : [];
      for (const sentence of exceeded) console.log(sentence);
      return Math.max(...statuses, exceeded.length > 0 ? 1 : 0);
    },
    servers,
  );
}

setPriority(PRIORITY_BELOW_NORMAL);
// Tests start hundreds of processes, which take twice as long if they compile everything again.
process.env['NODE_COMPILE_CACHE'] ??= join(root, '.data', 'compile-cache');
process.exitCode = await main();
