/**
 * Compares deliveries with a sequential model of contract §3 and catalogue §1.2, §1.3. Each delivery goes to 150 fake
 * stores of every kind of confirmation. They answer at random, repeatedly, months late and in any order, and name a
 * message or only the release, while the api, the relay, the worker, Restate and PostgreSQL are killed in turn; then
 * Restate loses its disk. Every second delivery has an organization for itself, whose clock passes all deadlines.
 *
 * The bar: every store delivery ends in the model's state with a complete timeline, counts, release status and the
 * directory of what stores have are right, each event exists exactly once, no request is refused, all five kinds of
 * process were killed, every kind of step occurred, and no work is left. It fails when a message, an answer or an event
 * is lost, doubled or applied to the wrong message.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import { givenScenarios, givenStores } from './deliveries-given.ts';
import { openIntake } from './deliveries-intake.ts';
import { judge } from './deliveries-judge.ts';
import { type Pending, readPending, sumOf, untilSettled } from './deliveries-pending.ts';
import { type DeliveryScenario, runScenario, type ScenarioContext } from './deliveries-scenario.ts';
import { hangMs, openHangLimit } from './hang-limit.ts';
import { type KillableProcesses, startKillableProcesses } from './killable-processes.ts';
import type { Query } from './lasting-queries.ts';
import { openQueries } from './lasting-queries.ts';
import { seededRandom } from './random.ts';

const sizes = {
  start: { deliveries: 8, stores: 60, kills: 10 },
  small: { deliveries: 80, stores: 150, kills: 40 },
  full: { deliveries: 300, stores: 150, kills: 150 },
};
/** A delivery waits until the stores of all but this many earlier ones have begun, or none begins for `idleMs`. */
const deliveriesAhead = 16;
const idleMs = 1_500;
const firstPort = 28_080;
/** Shares of all stores. Processes are killed until the first share has begun; the disk is lost at the second. */
const killsEndAt = 0.72;
const diskLostAt = 0.8;
const stallMs = 20_000;
/** All but `waiting`, which only a paused store or a review causes. */
const stepTypes = 21;

/** `begun` counts the stores that have their first message or will never get one. */
type Progress = { begun: number; readonly total: number; isDone: boolean };

export const experiment: Experiment = {
  compares:
    'store states, timelines and events of deliveries under kill -9, against a sequential model of contract §3',
  bar: (size) => ({
    deliveries: { atLeast: sizes[size].deliveries },
    store_parts: { atLeast: sizes[size].deliveries * sizes[size].stores },
    step_types: { equals: stepTypes },
    answers_by_release: { atLeast: sizes[size].deliveries },
    kills: { atLeast: sizes[size].kills },
    kinds_killed: { equals: 5 },
    disk_lost: { equals: 1 },
    pending_when_disk_was_lost: { atLeast: 1 },
    unfinished: { equals: 0 },
    refused_requests: { equals: 0 },
    wrongly_returned: { equals: 0 },
    wrong_states: { equals: 0 },
    wrong_counts: { equals: 0 },
    wrong_releases: { equals: 0 },
    broken_timelines: { equals: 0 },
    wrong_events: { equals: 0 },
    wrong_holdings: { equals: 0 },
    wrong_skips: { equals: 0 },
    stuck: { equals: 0 },
  }),
  run: async (lab) => {
    const { deliveries, stores: storesPerDelivery, kills } = sizes[lab.size];
    const random = seededRandom();
    const serviceWithEngine = await openServiceWithEngine(firstPort);
    const { service } = serviceWithEngine;
    const stores = await givenStores(service, storesPerDelivery);
    const scenarios = await givenScenarios(lab, service, random, stores, deliveries);
    const processes = await startKillableProcesses(serviceWithEngine, lab.fleet, firstPort);
    const intake = openIntake(service, random);
    const { query, close } = openQueries(service);
    // No kill can delay its takedown, so every run cancels messages that were not sent.
    const afterFaults = scenarios.find(({ plan }) => plan.kind === 'hasty')!;
    const underFaults = scenarios.filter((scenario) => scenario !== afterFaults);
    const total = underFaults.length * storesPerDelivery;
    const progress: Progress = { begun: 0, total, isDone: false };
    const hangLimit = openHangLimit();
    const context: ScenarioContext = {
      processes,
      intake,
      query,
      stores,
      hangLimit,
      onFirstMessage: () => void progress.begun++,
    };

    const injecting = injectFaults(lab, processes, query, progress, kills).finally(
      hangLimit.endFaults,
    );
    await runAll(lab, context, underFaults, progress);
    const injected = await injecting;
    await runScenario(context, afterFaults);
    await intake.close();
    lab.say('all scenarios ended; waiting until no work is left');
    const pending = await untilSettled(query, hangMs);
    lab.say(`settled: ${JSON.stringify(pending)}`);
    // An unfinished scenario misses the bar by itself; its states are not comparable.
    const unfinished = scenarios.filter(({ failure }) => failure !== undefined);
    const verdict = await judge(
      query,
      scenarios.filter(({ failure }) => failure === undefined),
    );
    const figures = await countAll(query);
    await processes.close();
    await close();
    await serviceWithEngine.close();
    return {
      ...figures,
      ...injected,
      ...verdict,
      step_types: Object.keys(verdict.steps).length,
      stuck: sumOf(pending),
      pending,
      unfinished: unfinished.length,
      failures: unfinished.map(({ id, failure }) => `${id}: ${failure}`).slice(0, 5),
      refused_requests: processes.refusals.length,
      refusals: processes.refusals.slice(0, 5),
      wrongly_returned: intake.counts.wrongly_returned,
      wrongly_returned_answers: intake.wrongs.slice(0, 5),
      answers_by_release: intake.counts.by_release,
      answers: intake.counts,
      requests: processes.counts,
      seed: random.seed,
    };
  },
};

async function runAll(
  { say }: Lab,
  context: ScenarioContext,
  scenarios: readonly DeliveryScenario[],
  progress: Progress,
): Promise<void> {
  let ended = 0;
  const running: Promise<void>[] = [];
  for (const [i, scenario] of scenarios.entries()) {
    await untilBegun(progress, (i - deliveriesAhead) * context.stores.size, idleMs);
    const runOne = async () => {
      await runScenario(context, scenario);
      if (scenario.failure !== undefined) say(`unfinished: ${scenario.id}: ${scenario.failure}`);
      ended++;
      if (ended % 20 === 0) say(`${ended} deliveries ended, ${progress.begun} stores begun`);
    };
    running.push(runOne());
  }
  await Promise.all(running);
  progress.isDone = true;
}

/** Kills each process when its share of the stores has begun; then Restate loses its disk. */
async function injectFaults(
  { say }: Lab,
  { killAndRestart, loseDisk }: KillableProcesses,
  query: Query,
  progress: Progress,
  kills: number,
) {
  const killed: Record<string, number> = {};
  const names = Object.keys(killAndRestart);
  for (let i = 0; i < kills; i++) {
    await untilBegun(progress, (killsEndAt * progress.total * i) / kills, stallMs);
    await wait(300 + Math.random() * 700);
    const name = names[i % names.length]!;
    await killAndRestart[name]?.();
    killed[name] = (killed[name] ?? 0) + 1;
    if (i % 5 === 4) say(`${i + 1} kills, ${progress.begun} of ${progress.total} stores begun`);
  }
  await untilBegun(progress, diskLostAt * progress.total, stallMs);
  const pending = await untilUnsent(query, progress);
  say(`Restate loses its disk, with this pending: ${JSON.stringify(pending)}`);
  await loseDisk();
  return {
    kills,
    kinds_killed: Object.keys(killed).length,
    killed,
    disk_lost: 1,
    pending_when_disk_was_lost: pending['unsent'],
  };
}

/** Waits until messages are queued or being sent, which the engine must not lose. */
async function untilUnsent(query: Query, progress: Progress): Promise<Pending> {
  for (;;) {
    const pending = await readPending(query);
    if (pending['unsent'] !== 0 || progress.isDone) return pending;
    await wait(20);
  }
}

/** Waits until `begun` stores have begun, or none has for `stallLimitMs`. */
async function untilBegun(progress: Progress, begun: number, stallLimitMs: number): Promise<void> {
  let lastBegun = progress.begun;
  let movedAt = Date.now();
  while (progress.begun < begun && !progress.isDone && Date.now() - movedAt < stallLimitMs) {
    await wait(50);
    if (progress.begun !== lastBegun) movedAt = Date.now();
    lastBegun = progress.begun;
  }
}

async function countAll(query: Query) {
  const [row] = await query<Record<string, number>>(
    `select (select count(*)::int from deliveries) as deliveries,
            (select count(*)::int from delivery_stores) as store_parts,
            (select count(*)::int from store_messages) as messages`,
    [],
  );
  return row;
}
