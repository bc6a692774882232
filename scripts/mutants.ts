/**
 * `npm run mutants [-- FILE…]`: changes the sources of the delivery machine (`apps/service/src/delivery/domain`) one small
 * change at a time, in a copy, and runs the unit tests against each. A mutant that no test finds must be listed in
 * mutants/equivalent.ts with the reason; otherwise the command exits with 1. Takes about five minutes on two idle cores.
 */

import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { equivalentMutants } from './mutants/equivalent.ts';
import { applyMutant, type Mutant, mutantsOf } from './mutants/operators.ts';
import { root } from './servers/server.ts';

const run = promisify(execFile);
const domain = 'apps/service/src/delivery/domain';
const copied = [domain, 'apps/service/src/kernel', 'apps/service/test/machine', 'package.json'];
const timeoutMs = 180_000;

/** The test that most likely finds a mutant of the file runs first, alone. */
const firstTests: Readonly<Record<string, string>> = {
  'deadlines.ts': 'deadlines.test.ts',
  'holdings.ts': 'holdings.test.ts',
  'live-date.ts': 'live-date.test.ts',
  'resend-rules.ts': 'resend-rules.test.ts',
};
const enumeration = 'store-delivery-transitions.test.ts';

const machineFiles = [
  'answer-steps.ts',
  'apply-answer.ts',
  'apply-to-live.ts',
  'apply-to-takedown.ts',
  'deadlines.ts',
  'holdings.ts',
  'infer.ts',
  'live-date.ts',
  'message.ts',
  'resend-rules.ts',
  'send-again.ts',
  'store-delivery.ts',
  'takedown.ts',
];

type Task = { readonly file: string; readonly source: string; readonly mutant: Mutant };
const nameOf = ({ file, mutant }: Task): string =>
  `${file}:${mutant.line}\n    ${mutant.before.trim()}\n    ${mutant.after.trim() || '(removed)'}`;

async function makeCopy(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mutants-'));
  for (const path of copied) await cp(join(root, path), join(folder, path), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function passes(folder: string, tests: readonly string[]): Promise<boolean> {
  const files = tests.map((test) => join(folder, domain, test));
  try {
    await run(process.execPath, ['--test', '--test-isolation=none', ...files], {
      timeout: timeoutMs,
      // A mutant may loop for ever, and then no handler of SIGTERM runs.
      killSignal: 'SIGKILL',
      maxBuffer: 1e9,
    });
    return true;
  } catch {
    return false;
  }
}

/** Whether no test of the copy finds the mutant. */
async function survives(folder: string, { file, source, mutant }: Task): Promise<boolean> {
  const path = join(folder, domain, file);
  await writeFile(path, applyMutant(source, mutant));
  const first = firstTests[file] ?? enumeration;
  const all = (await readdir(join(folder, domain))).filter((name) => name.endsWith('.test.ts'));
  const survived =
    (await passes(folder, [first])) &&
    (await passes(
      folder,
      all.filter((name) => name !== first),
    ));
  await writeFile(path, source);
  return survived;
}

async function findSurvivors(tasks: readonly Task[]): Promise<readonly Task[]> {
  const survivors: Task[] = [];
  let done = 0;
  const queue = tasks.values();
  const work = async (): Promise<void> => {
    const folder = await makeCopy();
    for (const task of queue) {
      if (await survives(folder, task)) {
        survivors.push(task);
        console.log(`survived: ${nameOf(task)}\n    ${reasonFor(task) ?? 'NOT EXPLAINED'}`);
      }
      done++;
      if (done % 50 === 0) console.log(`${done} of ${tasks.length}, ${survivors.length} survived`);
    }
    await rm(folder, { recursive: true });
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return survivors;
}

const reasonFor = ({ file, mutant }: Task): string | undefined =>
  equivalentMutants.find((each) => each.file === file && each.after === mutant.after.trim())?.why;

const chosen = process.argv.slice(2).map((name) => `${basename(name, '.ts')}.ts`);
const files = machineFiles.filter((file) => chosen.length === 0 || chosen.includes(file));
const tasks: Task[] = [];
for (const file of files) {
  const source = await readFile(join(root, domain, file), 'utf8');
  tasks.push(...mutantsOf(source).map((mutant) => ({ file, source, mutant })));
}
if (tasks.length === 0) throw new Error(`No mutants. The files are: ${machineFiles.join(', ')}`);

const survivors = await findSurvivors(tasks);
const unexplained = survivors.filter((task) => reasonFor(task) === undefined);
console.log(
  `${tasks.length} mutants, ${tasks.length - survivors.length} killed, ${survivors.length - unexplained.length} equivalent, ${unexplained.length} survived`,
);
process.exitCode = unexplained.length === 0 ? 0 : 1;
