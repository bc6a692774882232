/**
 * Runs experiments in their smallest size, several at once, because they wait most of the time. Each lane has ports, a
 * data folder and servers of its own; the experiments of a lane that do not kill servers use them one after the other.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { dropTestDatabases } from '../../apps/service/test/databases.ts';
import { type Fleet, fleetOf } from '../servers/fleet.ts';
import { root } from '../servers/server.ts';
import { killTestServers, withTestServers } from '../servers/test-servers.ts';
import type { Duration } from './full-run.ts';
import { guards } from './guards.ts';
import { sharedServers } from './run.ts';

export type Result = Duration & {
  readonly name: string;
  readonly held: boolean;
  /** The figures that missed their bars, or what the experiment printed last. */
  readonly failure: string;
};

const lanes = [0, 1, 2];
/** With this distance, no port of one lane is a port of another; a smaller one is not enough for every proof. */
const portsOfLane = 1_310;
const limitMs = 920_000;
const failureLengthMax = 2_000;

const isAlone = (name: string): boolean => guards[name]?.runsAlone === true;

/** Those that run now, detached: they would survive this process. */
const runningFleets = new Set<Fleet>();

export async function runExperiments(names: readonly string[]): Promise<Result[]> {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      void Promise.all([...runningFleets].map(killTestServers)).finally(() => process.exit(1));
    });
  }
  const alone = names.filter(isAlone);
  const together = names.filter((name) => !isAlone(name));
  const results: Result[] = [];
  const first = queueOf(alone);
  if (alone.length > 0) results.push(...(await runLane(0, first)));
  const rest = queueOf(together);
  const ofLanes = lanes.slice(0, together.length).map((lane) => runLane(lane, rest));
  return [...results, ...(await Promise.all(ofLanes)).flat()];
}

/** Taken from by all lanes. */
type Queue = { readonly shared: string[]; readonly own: string[] };

const queueOf = (names: readonly string[]): Queue => ({
  shared: names.filter((name) => guards[name]?.hasOwnServers !== true),
  own: names.filter((name) => guards[name]?.hasOwnServers === true),
});

async function runLane(lane: number, { shared, own }: Queue): Promise<Result[]> {
  const env = {
    ...process.env,
    TONEARM_PORT_OFFSET: String(
      Number(process.env['TONEARM_PORT_OFFSET'] ?? 0) + lane * portsOfLane,
    ),
    TONEARM_DATA: join(root, '.data', `lane-${lane}`),
  };
  const results: Result[] = [];
  if (shared.length > 0) {
    const fleet = fleetOf('prove', env);
    runningFleets.add(fleet);
    await withTestServers(fleet, async () => {
      for (let name = shared.shift(); name !== undefined; name = shared.shift()) {
        results.push(await runOne(name, { ...env, [sharedServers]: 'yes' }));
        // An experiment that failed leaves its database; autovacuum would work on it during the next one.
        await dropTestDatabases(fleet.postgres.address);
      }
    });
    runningFleets.delete(fleet);
  }
  for (let name = own.shift(); name !== undefined; name = own.shift()) {
    results.push(await runOne(name, env));
  }
  return results;
}

/** Its output is printed when it ends, in one piece. */
async function runOne(name: string, env: NodeJS.ProcessEnv): Promise<Result> {
  const [kind = '', own = ''] = name.split(' ');
  const begun = Date.now();
  const child = spawn(process.execPath, [join(root, 'scripts', `${kind}.ts`), own, '--start'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  console.log(`${name}\n${stderr}${stdout}`);
  const last = stdout.trim().split('\n').at(-1) ?? '';
  const result = parsed(last);
  return {
    name,
    held: status === 0 && result !== undefined,
    seconds: Math.round((Date.now() - begun) / 1_000),
    processor_seconds: result?.processor_seconds ?? 0,
    failure: (result?.failure ?? `ended with ${status}: ${last || stderr}`).slice(
      0,
      failureLengthMax,
    ),
  };
}

type Printed = {
  readonly processor_seconds: number;
  readonly figures: Readonly<Record<string, unknown>>;
  readonly missed?: readonly string[];
};

function parsed(line: string) {
  try {
    const { processor_seconds, figures, missed = [] } = JSON.parse(line) as Printed;
    const wrong = Object.fromEntries(missed.map((each) => [each, figures[each]]));
    const { error, samples } = figures;
    return { processor_seconds, failure: JSON.stringify({ ...wrong, error, samples }) };
  } catch {
    return undefined;
  }
}
