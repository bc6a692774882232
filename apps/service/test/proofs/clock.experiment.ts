/**
 * Compares the sandbox clock with a model in which time jumps. Random sequences of scenarios, requests and advances
 * run twelve at a time, each in its own organization, while the worker, Restate and the relay are killed in turn and
 * Restate once loses its disk.
 *
 * The bar: every sequence ends, and no mismatch of any kind. After every advance the states equal the model's, each
 * event is announced once and not before its time, the clock reaches its target, leaves no due timer behind and never
 * goes back; stores were overdue, inferred to have a release, and removed it later. It fails on one lost, early, doubled
 * or misordered timer or event, and when a clock gets stuck.
 *
 * In four sequences of five the clock is frozen and all times are compared to the millisecond. In the fifth it runs at
 * times: only sequences whose outcome does not depend on real time are used, times may be later than the model's, and
 * there are no outages.
 */

import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Experiment, Lab, Size } from '../../../../scripts/experiments/experiment.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import { databaseUrl } from '../test-service.ts';
import { runConcurrently } from './client.ts';
import { type Forecast, forecastSequence } from './clock-forecast.ts';
import {
  type MismatchCounts,
  judgeEvents,
  noMismatches,
  type RecordMismatch,
} from './clock-judge.ts';
import { runSequence, type RunContext } from './clock-runner.ts';
import { drawSequence, type Sequence } from './clock-script.ts';
import { type KillableProcesses, startKillableProcesses } from './killable-processes.ts';
import type { Query } from './lasting-queries.ts';
import { type Random, seededRandom } from './random.ts';

type Plan = {
  readonly sequences: number;
  readonly kills: number;
  readonly losesDisk: boolean;
  /** Sequences that fire more timers are not used: thousands of retries in a long outage prove nothing more. */
  readonly firedMax: number;
};

const sizes: Readonly<Record<Size, Plan>> = {
  start: { sequences: 24, kills: 4, losesDisk: false, firedMax: 60 },
  small: { sequences: 500, kills: 24, losesDisk: true, firedMax: 400 },
  full: { sequences: 2_000, kills: 100, losesDisk: true, firedMax: 1_000 },
};
const sequencesAtOnce = 12;
const firstPort = 27_480;
/** The share of the sequences over which the kills are spread. */
const killsEndAt = 0.9;
const diskLostAt = 0.5;
const dayMs = 86_400_000;
/** Per kind of mismatch. */
const samplesMax = 4;

type DrawnSequence = { readonly sequence: Sequence; readonly forecast: Forecast };

/** How many sequences have ended. */
type Progress = { ended: number; readonly total: number };

export const experiment: Experiment = {
  compares:
    'store states, events and their times after random scenarios and advances under kill -9, against a model that jumps time',
  bar: (size) => ({
    sequences: { equals: sizes[size].sequences },
    advances: { atLeast: sizes[size].sequences * 4 },
    timers_fired: { atLeast: sizes[size].sequences * 12 },
    inferred: { atLeast: sizes[size].sequences / 8 },
    // Rare: one sequence in twenty has a removal, so 24 of them may have none.
    overdue: { atLeast: Math.floor(sizes[size].sequences / 100) },
    removed_by_store: { atLeast: Math.floor(sizes[size].sequences / 100) },
    kills: { atLeast: sizes[size].kills },
    disk_lost: { equals: sizes[size].losesDisk ? 1 : 0 },
    stuck: { equals: 0 },
    ...Object.fromEntries(
      Object.keys(noMismatches()).map((kind) => [kind, { equals: 0 }] as const),
    ),
  }),
  run: async (lab) => {
    const { sequences } = sizes[lab.size];
    const { seed } = seededRandom();
    const serviceWithEngine = await openServiceWithEngine(firstPort);
    await serviceWithEngine.service.admin('stores', 'seed');
    const processes = await startKillableProcesses(serviceWithEngine, lab.fleet, firstPort);
    const { query, close } = openQueries(serviceWithEngine.service.database);
    const counts = { advances: 0, requests: 0, longest_wait_ms: 0 };
    const context: RunContext = {
      service: serviceWithEngine.service,
      processes: processes,
      query,
      counts,
    };
    const progress: Progress = { ended: 0, total: sequences };
    const injecting = injectFaults(lab, processes, progress);
    const outcome = await runAll(lab, context, seed, progress);
    const injected = await injecting;
    await processes.close();
    await close();
    await serviceWithEngine.close();
    return { ...outcome, ...counts, ...injected, seed };
  },
};

/** A Monday at least a week from now, so that a seed draws the same sequence in every week. */
function baseTime(): number {
  const monday = 4 * dayMs;
  const week = 7 * dayMs;
  return Math.ceil((Date.now() + week - monday) / week) * week + monday;
}

function drawOne(random: Random, base: number, firedMax: number): DrawnSequence {
  const timing = random.below(5) === 0 ? 'loose' : 'exact';
  for (;;) {
    const sequence = drawSequence(random, base, timing);
    const forecast = forecastSequence(sequence);
    if (forecast !== undefined && forecast.fired <= firedMax) return { sequence, forecast };
  }
}

async function runAll({ say, size }: Lab, context: RunContext, seed: number, progress: Progress) {
  const base = baseTime();
  const found: MismatchCounts = noMismatches();
  const samples: string[] = [];
  const figures = {
    sequences: 0,
    loose: 0,
    timers_fired: 0,
    events: 0,
    inferred: 0,
    overdue: 0,
    removed_by_store: 0,
    stuck: 0,
  };
  let begun = 0;
  await runConcurrently(sequencesAtOnce, async () => {
    if (begun === progress.total) return false;
    const { sequence, forecast } = drawOne(
      seededRandom(seed + begun++),
      base,
      sizes[size].firedMax,
    );
    const sample = (kind: string, what: string) => {
      const text = `seed ${sequence.seed} (${sequence.timing}): ${kind}: ${what}`;
      const alike = samples.filter((each) => each.includes(`: ${kind}: `));
      if (alike.length >= samplesMax) return;
      say(text);
      samples.push(text);
    };
    const recordMismatch: RecordMismatch = (kind, what) => {
      found[kind]++;
      sample(kind, what);
    };
    try {
      const result = await runSequence(context, sequence, forecast, recordMismatch);
      figures.events += judgeEvents(recordMismatch, sequence, forecast, result);
      figures.sequences++;
    } catch (error) {
      figures.stuck++;
      sample('stuck', String(error));
    }
    if (sequence.timing === 'loose') figures.loose++;
    figures.timers_fired += forecast.fired;
    figures.inferred += countEvents(forecast, /^\S+ \S+ delivered (\S+ ){4}inferred /);
    figures.overdue += countEvents(forecast, /^delivery\.store\.overdue/);
    figures.removed_by_store += countEvents(forecast, /^\S+ \S+ taken_down (\S+ ){5}store /);
    progress.ended++;
    if (progress.ended % 50 === 0)
      say(`${progress.ended} sequences, ${context.counts.advances} advances`);
    return true;
  });
  return { ...figures, ...found, samples };
}

const countEvents = ({ events }: Forecast, pattern: RegExp): number =>
  events.filter(({ text }) => pattern.test(text)).length;

/** Injects each fault when its share of the sequences has ended, or as soon as the fault before it is done. */
async function injectFaults(
  { say, size }: Lab,
  { killAndRestart, loseDisk }: KillableProcesses,
  progress: Progress,
) {
  const { kills, losesDisk } = sizes[size];
  const killed: Record<string, number> = {};
  const order = ['worker', 'engine', 'worker', 'engine', 'relay'];
  let hasLost = false;
  for (let i = 0; i < kills; i++) {
    await untilEnded(progress, (killsEndAt * progress.total * i) / kills);
    if (losesDisk && !hasLost && i >= diskLostAt * kills) {
      say('Restate loses its disk');
      await loseDisk();
      hasLost = true;
    }
    await wait(300 + Math.random() * 1_500);
    const name = order[i % order.length]!;
    await killAndRestart[name]?.();
    killed[name] = (killed[name] ?? 0) + 1;
  }
  return { kills, killed, disk_lost: hasLost ? 1 : 0 };
}

async function untilEnded(progress: Progress, ended: number): Promise<void> {
  while (progress.ended < Math.floor(ended)) await wait(100);
}

function openQueries(database: string): { query: Query; close: () => Promise<void> } {
  const pool = new pg.Pool({ connectionString: databaseUrl(database), max: 4 });
  pool.on('error', () => undefined);
  const query: Query = async <Row>(text: string, values: readonly unknown[]) =>
    (await pool.query(text, [...values])).rows as Row[];
  return { query, close: () => pool.end() };
}
