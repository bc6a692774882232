/**
 * Compares the whole way of a store's report to statements with bare DuckDB, which reads the same files and groups their
 * rows by ISRC, territory, use and month, with the same threads and memory. Ours also digests and uploads the files,
 * finds the owner of each row, sorts and stores the rows as Parquet, then calculates a run: line items, royalty records,
 * fees, taxes at source and of payees, the files of each statement, and the review.
 *
 * Elapsed time is from `reports receive` to the review. Processor time is that of this process, which is the operator's
 * command and the worker, of its child processes and of PostgreSQL; the S3 server's is apart. Memory is that of this
 * process and its children. There is no engine: its messages take no time beside the work.
 *
 * growth: seconds per million rows with the most rows against the least. repeated: buckets that were calculated again
 * because the process of one was killed.
 */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runTask } from '../apps/service/src/platform/process/child-task.ts';
import { processorTimeWithEnded } from '../scripts/costs/processor-time.ts';
import type { Experiment, Lab } from '../scripts/experiments/experiment.ts';
import { median } from './blocks.ts';
import type { BareInput, BareResult } from './ingest-bare.ts';
import type { ReportSize, WrittenReport } from './ingest-report.ts';
import { type IngestService, openIngest } from './ingest-service.ts';
import { watchProcesses } from './process-watch.ts';
import { openPostgresTime, processorTimeOfServer } from './processor-time.ts';

type IngestSize = {
  readonly rounds: number;
  readonly rows: number;
  readonly organizations: number;
  /** Measured once each, for the growth. */
  readonly otherRows: readonly number[];
};

const sizes: Record<Lab['size'], IngestSize> = {
  start: { rounds: 1, rows: 20_000, organizations: 100, otherRows: [] },
  small: { rounds: 1, rows: 1_000_000, organizations: 2_000, otherRows: [] },
  full: { rounds: 3, rows: 10_000_000, organizations: 2_000, otherRows: [1_000_000, 40_000_000] },
};

/** As a report of a month: a track has fifty rows, of other territories and uses. */
const rowsPerTrack = 50;
const limits = { threads: 2, memoryMb: 2_048 };
const million = 1_000_000;

export const experiment: Experiment = {
  compares: 'a report of rows to statements in review, against bare DuckDB reading and grouping it',
  bar: (size) => ({
    amount_difference: { equals: 0 },
    repeated: { atMost: 1 },
    peak_mb: { atMost: 4_096 },
    ...(size === 'full' && {
      rows_per_second: { atLeast: 200_000 },
      processor_seconds_per_million: { atMost: 10 },
      elapsed_share: { atLeast: 0.6 },
      processor_share: { atLeast: 0.6 },
      buckets_max: { atLeast: 8 },
      growth: { atMost: 1.3 },
    }),
  }),
  run: async (lab) => {
    const size = sizes[lab.size];
    const results: Measured[] = [];
    for (let round = 1; round <= size.rounds; round++) {
      const isLast = round === size.rounds;
      results.push(await measureRows(lab, size, size.rows, isLast));
    }
    const others: Measured[] = [];
    for (const rows of size.otherRows) others.push(await measureRows(lab, size, rows, false));
    return figuresOf(size, results, others);
  },
};

type Measured = Awaited<ReturnType<typeof measureRows>>;

async function measureRows(lab: Lab, size: IngestSize, rows: number, isKilled: boolean) {
  const folder = join(lab.fleet.folder, 'ingest');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tracks = Math.ceil(rows / rowsPerTrack);
  const written: ReportSize = { folder, rows, tracks };
  const report = await task<WrittenReport>(reportTask, written);
  const ingest = await openIngest(folder, { tracks, organizations: size.organizations });
  lab.say(`${rows} rows are written`);
  const bare = await measureBare(folder, report);
  const own = await measureOwn(lab, ingest, report);
  lab.say(
    `${rows} rows: ${seconds(own.ms)} s (processors ${seconds(own.cpuMs)} s), bare ${seconds(bare.ms)} s (${seconds(bare.cpuMs)} s)`,
  );
  const repeated = isKilled ? await countRepeated(ingest, own.runId) : undefined;
  await ingest.close();
  rmSync(folder, { recursive: true, force: true });
  if (bare.rows !== rows) throw new Error(`bare DuckDB has read ${bare.rows} of ${rows} rows`);
  return { rows, own, bare, repeated, difference: Number(bare.amount) - own.matched };
}

const signal = new AbortController().signal;
const reportTask = new URL('./ingest-report.ts', import.meta.url);
const bareTask = new URL('./ingest-bare.ts', import.meta.url);
const task = <Result>(module: URL, input: unknown): Promise<Result> =>
  runTask(module, input, { signal, timeoutMs: 3_600_000 });

async function measureBare(folder: string, report: WrittenReport) {
  const input: BareInput = { ...limits, folder, report };
  const [begun, usedBefore] = [performance.now(), processorTimeWithEnded(process.pid)];
  const result = await task<BareResult>(bareTask, input);
  const ms = performance.now() - begun;
  return { ...result, ms, cpuMs: processorTimeWithEnded(process.pid) - usedBefore };
}

const storageServers = ['gateway', 'storage', 'monitor'];

async function measureOwn({ fleet }: Lab, ingest: IngestService, report: WrittenReport) {
  const postgres = await openPostgresTime(ingest.service);
  const storage = () =>
    storageServers.reduce(
      (sum, name) => sum + processorTimeOfServer(join(fleet.folder, 's3', name)),
      0,
    );
  const watch = watchProcesses();
  const [begun, ownBefore, postgresBefore, storageBefore] = [
    performance.now(),
    processorTimeWithEnded(process.pid),
    postgres(),
    storage(),
  ];
  const reportId = await ingest.receive(report);
  const received = performance.now();
  const matched = await ingest.read(reportId);
  const read = performance.now();
  await ingest.pay(reportId, report.amount);
  const runId = await ingest.createRun();
  await ingest.calculate(runId);
  const ended = performance.now();
  watch.stop();
  const postgresMs = postgres() - postgresBefore;
  return {
    runId,
    matched,
    counts: await ingest.countsOf(runId),
    ms: ended - begun,
    cpuMs: processorTimeWithEnded(process.pid) - ownBefore + postgresMs,
    stages: {
      receive: seconds(received - begun),
      read: seconds(read - received),
      run: seconds(ended - read),
    },
    postgres_seconds: seconds(postgresMs),
    storage_seconds: seconds(storage() - storageBefore),
    tasks: watch.tasks(),
    peaks: watch.peaks(),
  };
}

/** The run is calculated again from the beginning; the process of its first bucket is killed once. */
async function countRepeated(ingest: IngestService, runId: string): Promise<number> {
  await ingest.discard(runId);
  let isKilled = false;
  const watch = watchProcesses((name, pid) => {
    if (isKilled || name !== 'calculate-bucket-task') return;
    isKilled = true;
    process.kill(pid, 'SIGKILL');
  });
  const again = await ingest.createRun();
  await ingest.calculate(again);
  watch.stop();
  if (!isKilled) throw new Error('no process was killed');
  const { buckets } = await ingest.countsOf(again);
  const tasks = watch.tasks();
  const countOf = (name: string) => tasks[name]?.count ?? 0;
  return countOf('calculate-bucket-task') + countOf('finish-bucket-task') - 2 * buckets;
}

const seconds = (ms: number) => Math.round(ms) / 1_000;
const rounded = (value: number) => Math.round(value * 1_000) / 1_000;

function figuresOf(size: IngestSize, results: readonly Measured[], others: readonly Measured[]) {
  const all = [...results, ...others];
  const of = (each: (result: Measured) => number) => rounded(median(results.map(each)));
  const perMillion = ({ rows, own }: Measured) => own.ms / 1_000 / (rows / million);
  const bySize = Map.groupBy(all, ({ rows }) => rows);
  const growing = [...bySize]
    .toSorted(([a], [b]) => a - b)
    .map(([, same]) => median(same.map(perMillion)));
  return {
    ...size,
    ...limits,
    rows_per_second: Math.round(of(({ rows, own }) => rows / (own.ms / 1_000))),
    processor_seconds_per_million: of(({ rows, own }) => own.cpuMs / 1_000 / (rows / million)),
    bare_processor_seconds_per_million: of(
      ({ rows, bare }) => bare.cpuMs / 1_000 / (rows / million),
    ),
    elapsed_share: of(({ own, bare }) => bare.ms / own.ms),
    processor_share: of(({ own, bare }) => bare.cpuMs / own.cpuMs),
    peak_mb: Math.max(...all.map(({ own }) => own.peaks.together_mb)),
    buckets_max: Math.max(...all.map(({ own }) => own.counts.buckets)),
    repeated: results.at(-1)?.repeated,
    amount_difference: rounded(all.reduce((sum, each) => sum + Math.abs(each.difference), 0)),
    growth: rounded((growing.at(-1) ?? Number.NaN) / (growing[0] ?? Number.NaN)),
    seconds_per_million: Object.fromEntries(
      all.map((each) => [each.rows, rounded(perMillion(each))]),
    ),
    runs: all.map(({ rows, own, bare }) => ({ rows, bare, ...own })),
  };
}
