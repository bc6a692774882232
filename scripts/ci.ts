/**
 * What `.ci/run` and `.ci/full` run after they have installed everything: the static checks, every test, code generation,
 * and the experiments that guard what changed (`--full`: all of them). It ends with what each step cost, the failures
 * once more, and the line `N passed, N failed`.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { processorSecondsNow, processorSecondsOfMachine } from './costs/processor-time.ts';
import { recordRun } from './costs/trend.ts';
import { root } from './servers/server.ts';

type StepResult = {
  readonly passed: number;
  readonly failed: number;
  /** What the last lines repeat: the output is long, and its beginning is often cut off. */
  readonly failures: readonly string[];
};

type Step = {
  readonly name: string;
  readonly command: readonly string[];
  readonly limitMs: number;
  readonly resultOf: (output: string, hasSucceeded: boolean) => StepResult;
};

/** The sum of what the summaries of the test processes say. */
const sumOf = (output: string, pattern: RegExp): number =>
  [...output.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);

const asOne =
  (name: string) =>
  (_output: string, hasSucceeded: boolean): StepResult =>
    hasSucceeded
      ? { passed: 1, failed: 0, failures: [] }
      : { passed: 0, failed: 1, failures: [name] };

/** A failure outside a test (a server that did not start, a process that died, an exceeded budget) counts as one. */
const atLeastOne = (failed: number, hasSucceeded: boolean): number =>
  hasSucceeded ? failed : Math.max(1, failed);

function testsOf(output: string, hasSucceeded: boolean): StepResult {
  const passed = sumOf(output, /^ℹ pass (\d+)$/gm);
  const failed = sumOf(output, /^ℹ (?:fail|cancelled) (\d+)$/gm);
  const summaries = [...output.matchAll(/^ℹ pass \d+$/gm)].length;
  const processes = Number(/^tests run in (\d+) processes$/m.exec(output)?.[1] ?? Number.NaN);
  const isComplete = summaries === processes && passed > 0;
  return {
    passed,
    failed: atLeastOne(failed, hasSucceeded && isComplete),
    failures: [
      ...output.matchAll(/^test at .*\n.*/gm),
      ...output.matchAll(/^.*; its budget is .*/gm),
    ].map(([line]) => line),
  };
}

function experimentsOf(output: string, hasSucceeded: boolean): StepResult {
  const summary = /^(\d+) experiments held, (\d+) failed$/m.exec(output);
  const [, held = '0', failed = '0'] = summary ?? [];
  return {
    passed: Number(held),
    failed: atLeastOne(Number(failed), hasSucceeded && summary !== null),
    failures: [...output.matchAll(/^(?:prove|bench) [a-z-]+ failed: .*/gm)].map(([line]) => line),
  };
}

const isFull = process.argv.includes('--full');
const minuteMs = 60_000;

const steps: readonly Step[] = [
  {
    name: 'check',
    command: ['npm', 'run', 'check'],
    limitMs: 15 * minuteMs,
    resultOf: asOne('npm run check'),
  },
  { name: 'tests', command: ['npm', 'test'], limitMs: 61 * minuteMs, resultOf: testsOf },
  {
    name: 'code generation',
    command: ['npm', 'run', '-s', 'codegen'],
    limitMs: 15 * minuteMs,
    resultOf: asOne('npm run codegen'),
  },
  {
    name: 'experiments',
    command: ['npm', 'run', '-s', 'experiments', ...(isFull ? ['--', '--all'] : [])],
    limitMs: (isFull ? 240 : 60) * minuteMs,
    resultOf: experimentsOf,
  },
];

/** Runs the command, prints what it prints, and returns that too. */
async function run({ command: [program = '', ...args], limitMs }: Step) {
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: limitMs,
    env: { ...process.env, ...(isFull && { TONEARM_FULL_TESTS: '1' }) },
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    process.stdout.write(chunk);
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { output: Buffer.concat(chunks).toString(), hasSucceeded: status === 0 };
}

type Reading = { readonly seconds: number; readonly processorSeconds: number };

const now = (): Reading => ({
  seconds: Date.now() / 1_000,
  processorSeconds: processorSecondsNow(),
});

/** `.ci/run` set it before it installed anything: the seconds by the clock, and the first line of /proc/stat. */
function readBegun(): Reading {
  const [seconds = '', ...stat] = (process.env['TONEARM_CI_BEGUN'] ?? '').split(' ');
  return stat.length === 0
    ? now()
    : { seconds: Number(seconds), processorSeconds: processorSecondsOfMachine(stat.join(' ')) };
}

const begun = readBegun();
let last = begun;
const costs: string[] = [];
function account(name: string, since: Reading, until: Reading): void {
  const [seconds, processor] = [
    until.seconds - since.seconds,
    until.processorSeconds - since.processorSeconds,
  ].map((each) => `${each.toFixed(0)} s`.padStart(8));
  costs.push(`${processor} ${seconds}  ${name}`);
}
function endStep(name: string): void {
  const reading = now();
  account(name, last, reading);
  last = reading;
}

endStep('installing');
const results: StepResult[] = [];
for (const step of steps) {
  const { output, hasSucceeded } = await run(step);
  results.push(step.resultOf(output, hasSucceeded));
  endStep(step.name);
}
account('all', begun, last);

console.log('\nProcessor time of the machine, and time by the clock:');
for (const line of costs) console.log(line);
recordRun(
  {
    seconds: Math.round(last.seconds - begun.seconds),
    processorSeconds: Math.round(last.processorSeconds - begun.processorSeconds),
  },
  costs,
  process.env,
);
for (const { failures } of results) for (const line of failures) console.log(line);
const passed = results.reduce((sum, each) => sum + each.passed, 0);
const failed = results.reduce((sum, each) => sum + each.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
