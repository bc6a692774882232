/**
 * `npm run experiments [-- --all]`: runs the proofs and benches, in their smallest size, that guard what changed since the
 * last full run, the cheapest first, as far as the budget reaches. `--all` runs every one, and records the run in
 * `docs/proofs/full-run.json` if all held. Ends with what each cost and the line `N experiments held, N failed`.
 */

import { cpus } from 'node:os';
import { choose } from './experiments/choose.ts';
import {
  currentCommit,
  filesChangedSince,
  readFullRun,
  writeFullRun,
} from './experiments/full-run.ts';
import { everyExperiment } from './experiments/kinds.ts';
import { type Result, runExperiments } from './experiments/lanes.ts';

const isFull = process.argv.includes('--all');
const listedMax = 20;

const lastRun = readFullRun();
const names = everyExperiment();
const { chosen, leftOut } = isFull
  ? { chosen: names, leftOut: [] }
  : choose(names, filesChangedSince(lastRun.commit), lastRun.experiments);

const results = await runExperiments(chosen);
const failed = results.filter(({ held }) => !held);

if (results.length > 0) {
  console.log('The dearest experiments (processor time, by the clock):');
  const dearest = results.toSorted((a, b) => b.processor_seconds - a.processor_seconds);
  for (const { name, seconds, processor_seconds } of dearest.slice(0, listedMax)) {
    console.log(
      `${String(processor_seconds).padStart(7)} s ${String(seconds).padStart(7)} s  ${name}`,
    );
  }
}
if (leftOut.length > 0) {
  console.log(
    `Left out, although they guard what changed (.ci/full runs them): ${leftOut.join(', ')}`,
  );
}
for (const { name, failure } of failed) console.log(`${name} failed: ${failure}`);
if (isFull && failed.length === 0) record(results);
console.log(`${results.length - failed.length} experiments held, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

function record(run: readonly Result[]): void {
  const [cpu] = cpus();
  writeFullRun({
    commit: currentCommit(),
    measured_at: new Date().toISOString(),
    machine: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, Node ${process.versions.node}`,
    experiments: Object.fromEntries(
      run
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, seconds, processor_seconds }) => [name, { seconds, processor_seconds }]),
    ),
  });
}
