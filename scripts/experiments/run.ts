/** Runs one experiment against its own servers: PostgreSQL as in production (fsync on), Redis and S3. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { processorTimeOfTree } from '../costs/processor-time.ts';
import { type Fleet, fleetOf } from '../servers/fleet.ts';
import { root } from '../servers/server.ts';
import { addressesOf, killTestServers, withTestServers } from '../servers/test-servers.ts';
import type { Experiment, Lab, Size } from './experiment.ts';
import { type Kind, namesIn } from './kinds.ts';
import { missed } from './verdict.ts';

/** Set by `npm run experiments`, whose servers run already: the experiments that do not kill them use them in turn. */
export const sharedServers = 'TONEARM_SHARED_SERVERS';
const resultsFolder = join(root, 'docs', 'proofs');
/** An experiment that runs longer than this hangs. On a busy machine it takes several times longer than on an idle one. */
const limitMs: Record<Size, number> = { start: 900_000, small: 3_600_000, full: 14_400_000 };

export async function runCommandLine(kind: Kind): Promise<void> {
  const argv = process.argv.slice(2);
  const name = argv.find((argument) => !argument.startsWith('--')) ?? '';
  const flag = argv.find((argument) => argument.startsWith('--'));
  if (flag === '--list') return console.log(namesIn(kind.folder).join('\n'));
  const size = flag === undefined ? kind.usualSize : kind.sizes[flag];
  if (size === undefined || !namesIn(kind.folder).includes(name)) {
    const flags = Object.keys(kind.sizes).map((each) => ` [${each}]`);
    console.error(
      `Usage: npm run ${kind.name} -- ${namesIn(kind.folder).join('|')}${flags.join('')}`,
    );
    process.exitCode = 2;
    return;
  }
  const fleet = fleetOf('prove');
  const isShared = process.env[sharedServers] !== undefined;
  // The servers run detached: they would survive this process.
  for (const signal of isShared ? [] : ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => void killTestServers(fleet).finally(() => process.exit(1)));
  }
  // Set before the experiment is imported, because the test modules read the addresses when they are loaded.
  Object.assign(process.env, addressesOf(fleet));
  const run = () => runOne(kind, name, size, fleet);
  const result = await (isShared ? run() : withTestServers(fleet, run));
  if (size === 'full') record(kind, name, result);
  console.log(JSON.stringify(result));
  // Sockets and timers that the experiment left open must not keep this process alive.
  process.exit(result.held ? 0 : 1);
}

type Result = Awaited<ReturnType<typeof runOne>>;

async function runOne(kind: Kind, name: string, size: Size, fleet: Fleet) {
  const begun = Date.now();
  const seconds = () => Math.round((Date.now() - begun) / 100) / 10;
  const servers = [fleet.postgres, fleet.redis, fleet.s3];
  const serversMs = () =>
    servers
      .flatMap((server) => server?.pids() ?? [])
      .reduce((sum, pid) => sum + processorTimeOfTree(pid), 0);
  const serversBefore = serversMs();
  const say: Lab['say'] = (line) => console.error(`${seconds().toFixed(1).padStart(7)} s  ${line}`);
  const { experiment } = (await import(join(kind.folder, `${name}.experiment.ts`))) as {
    experiment: Experiment;
  };
  const bar = experiment.bar(size);
  const figures = await withLimit(experiment.run({ size, fleet, say }), limitMs[size]).catch(
    (error: unknown) => ({
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }),
  );
  const misses = missed(bar, figures);
  return {
    name,
    compares: experiment.compares,
    size,
    figures,
    bar,
    held: misses.length === 0,
    ...(misses.length > 0 && { missed: misses }),
    seconds: seconds(),
    processor_seconds: Math.round(
      (processorTimeOfTree(process.pid) + serversMs() - serversBefore) / 1_000,
    ),
  };
}

async function withLimit<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`gave up after ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

function record(kind: Kind, name: string, result: Result): void {
  if (!existsSync(resultsFolder)) mkdirSync(resultsFolder, { recursive: true });
  const [cpu] = cpus();
  const isChanged = git('status', '--porcelain', '--', ':!docs') !== '';
  const circumstances = {
    measured_at: new Date().toISOString(),
    commit: `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ', with changes' : ''}`,
    machine: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, Node ${process.versions.node}`,
    command: `npm run ${kind.name} -- ${name}${kind.usualSize === 'full' ? '' : ' --full'}`,
  };
  const text = JSON.stringify({ ...result, ...circumstances }, undefined, 2);
  writeFileSync(join(resultsFolder, `${kind.name}-${name}.json`), `${text}\n`);
}
