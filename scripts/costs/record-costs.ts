/**
 * Loaded into each process of `npm test` with `--import`. It measures what each test file costs: the processor time of
 * this process, of all processes that it has started and of the PostgreSQL server that only this process uses, and the
 * time by the clock. Time between two tests is set-up; that before the first test is mostly spent on loading all files.
 */

import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterEach, beforeEach } from 'node:test';
import { root } from '../servers/server.ts';
import { type Cost, type FileCosts, noCost } from './cost.ts';
import { processorTimeOfTree } from './processor-time.ts';

const output = process.env['TONEARM_TEST_COSTS'];
const postgresPid = Number(process.env['TONEARM_TEST_POSTGRES_PID']);

const used = (): Cost => ({
  processorMs: processorTimeOfTree(process.pid) + processorTimeOfTree(postgresPid),
  wallMs: performance.now(),
});

const files: Record<string, { all: Cost; setUp: Cost }> = {};
let loading: Cost | undefined;
let last = noCost;
let file = '';

const sum = (a: Cost, b: Cost): Cost => ({
  processorMs: a.processorMs + b.processorMs,
  wallMs: a.wallMs + b.wallMs,
});

/**
 * What was used since it was called before. The sum falls when a process ends whose parent has ended before: what it used
 * was counted while it ran.
 */
function spent(): Cost {
  const now = used();
  const before = last;
  last = now;
  return {
    processorMs: Math.max(0, now.processorMs - before.processorMs),
    wallMs: now.wallMs - before.wallMs,
  };
}

function charge(cost: Cost, isSetUp: boolean): void {
  const { all, setUp } = files[file] ?? { all: noCost, setUp: noCost };
  files[file] = { all: sum(all, cost), setUp: isSetUp ? sum(setUp, cost) : setUp };
}

if (output !== undefined) {
  last = { ...used(), wallMs: 0 };
  beforeEach((context) => {
    const cost = spent();
    file = relative(root, context.filePath ?? '');
    if (loading === undefined) loading = cost;
    else charge(cost, true);
  });
  afterEach(() => charge(spent(), false));
  process.once('exit', () => {
    if (file !== '') charge(spent(), true);
    const costs: FileCosts = { loading: loading ?? noCost, files };
    writeFileSync(output, JSON.stringify(costs));
  });
}
