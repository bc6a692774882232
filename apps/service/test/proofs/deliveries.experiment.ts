/**
 * Compares deliveries with a sequential model of contract §3. Each delivery goes to 150 fake stores that answer at
 * random, repeatedly and in any order, while the api, the relay, the worker, Restate and PostgreSQL are killed in turn;
 * then Restate loses its disk.
 *
 * The bar: every store delivery ends in the model's state with a complete timeline, counts and release status are
 * right, each event exists exactly once, no request is refused, all five kinds of process were killed, and no work is
 * left. It fails when a message, an answer or an event is lost, doubled or applied to the wrong message.
 */

import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { scriptStores } from '../scripted-stores.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import { type OrgClient, databaseUrl, type TestService } from '../test-service.ts';
import { runConcurrently } from './client.ts';
import { openIntake } from './deliveries-intake.ts';
import { judge } from './deliveries-judge.ts';
import { readPending, sumOf, untilSettled } from './deliveries-pending.ts';
import {
  type DeliveryScenario,
  runScenario,
  createScenario,
  type Query,
  type ScenarioContext,
} from './deliveries-scenario.ts';
import { drawPlan } from './deliveries-script.ts';
import { type KillableProcesses, startKillableProcesses } from './killable-processes.ts';
import { type Random, seededRandom } from './random.ts';

const sizes = {
  start: { deliveries: 12, kills: 10 },
  small: { deliveries: 200, kills: 40 },
  full: { deliveries: 2_000, kills: 400 },
};
const storesPerDelivery = 150;
const organizations = 10;
const submitters = 8;
/** A delivery waits until the stores of all but this many earlier ones have begun, or none begins for `idleMs`. */
const deliveriesAhead = 16;
const idleMs = 1_500;
const settleLimitMs = 180_000;
const firstPort = 28_080;
/** Shares of all stores. Processes are killed until the first share has begun; the disk is lost at the second. */
const killsEndAt = 0.72;
const diskLostAt = 0.8;
const stallMs = 20_000;

/** `begun` counts the stores that have their first message or will never get one. */
type Progress = { begun: number; readonly total: number; isDone: boolean };

export const experiment: Experiment = {
  compares:
    'store states, timelines and events of deliveries under kill -9, against a sequential model of contract §3',
  bar: (size) => ({
    deliveries: { equals: sizes[size].deliveries },
    store_parts: { equals: sizes[size].deliveries * storesPerDelivery },
    kills: { atLeast: sizes[size].kills },
    kinds_killed: { equals: 5 },
    disk_lost: { equals: 1 },
    pending_when_disk_was_lost: { atLeast: 1 },
    unfinished: { equals: 0 },
    refused_requests: { equals: 0 },
    strays_not_returned: { equals: 0 },
    wrong_states: { equals: 0 },
    wrong_counts: { equals: 0 },
    wrong_releases: { equals: 0 },
    broken_timelines: { equals: 0 },
    wrong_events: { equals: 0 },
    stuck: { equals: 0 },
  }),
  run: async (lab) => {
    const { deliveries, kills } = sizes[lab.size];
    const random = seededRandom();
    const serviceWithEngine = await openServiceWithEngine(firstPort);
    const { service } = serviceWithEngine;
    const storeIds = await givenStores(service);
    const scenarios = await givenScenarios(lab, service, random, storeIds, deliveries);
    const processes = await startKillableProcesses(serviceWithEngine, lab.fleet, firstPort);
    const intake = openIntake(service, random);
    const { query, close } = openQueries(service);
    const progress: Progress = { begun: 0, total: deliveries * storesPerDelivery, isDone: false };
    const context: ScenarioContext = {
      processes,
      intake,
      query,
      onFirstMessage: () => void progress.begun++,
    };

    const injecting = injectFaults(lab, processes, query, progress, kills);
    await runAll(lab, context, scenarios, progress);
    const injected = await injecting;
    await intake.close();
    lab.say('all scenarios ended; waiting until no work is left');
    const pending = await untilSettled(query, settleLimitMs);
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
      stuck: sumOf(pending),
      pending,
      unfinished: unfinished.length,
      failures: unfinished.map(({ id, failure }) => `${id}: ${failure}`).slice(0, 5),
      refused_requests: processes.refusals.length,
      refusals: processes.refusals.slice(0, 5),
      strays_not_returned: intake.counts.stray - intake.counts.returned,
      answers: intake.counts,
      requests: processes.counts,
      seed: random.seed,
    };
  },
};

/** Inserts identical stores. A sandbox scenario keeps them silent, and the proof answers in their place. */
async function givenStores(service: TestService): Promise<readonly string[]> {
  const ids = Array.from(
    { length: storesPerDelivery },
    (_, i) => `p${String(i + 1).padStart(3, '0')}`,
  );
  await service.query(
    `insert into stores (store_id, name, territory_codes, audio_formats, use_types, pre_order, takedown, updates,
                         ern_version, lead_time_business_days, rule_pack, status, updated_at, actor_type, actor_id,
                         max_concurrent_sends, connector)
     select id, 'Store ' || id, '{DE,GB,US}', '{wav,flac}', '{ad_supported_stream}', false, true, true,
            '4.3.2', 5, 'base', 'active', now(), 'operator', 'proof', 4, 'simulated' from unnest($1::text[]) id`,
    [ids],
  );
  return ids;
}

/** Submits a release for each delivery, before a worker runs that could review it. */
async function givenScenarios(
  { say }: Lab,
  service: TestService,
  random: Random,
  storeIds: readonly string[],
  deliveries: number,
): Promise<readonly DeliveryScenario[]> {
  const callers = await service.givenOrganizations(organizations);
  for (const caller of callers) await scriptStores(caller, '*=silent');
  const plans = Array.from({ length: deliveries }, () => drawPlan(random, storeIds));
  const scenarios: DeliveryScenario[] = [];
  const left = plans.entries();
  await runConcurrently(submitters, async () => {
    const { value } = left.next();
    if (value === undefined) return false;
    const [i, plan] = value;
    const caller: OrgClient = callers[i % organizations]!;
    const releaseId = await service.givenSubmittedRelease(caller);
    scenarios.push(createScenario(plan, caller, releaseId));
    return true;
  });
  say(`${scenarios.length} releases submitted`);
  return scenarios;
}

/** A connection of the proof that repeats a query after PostgreSQL was killed. */
function openQueries(service: TestService): { query: Query; close: () => Promise<void> } {
  const pool = new pg.Pool({ connectionString: databaseUrl(service.database), max: 6 });
  pool.on('error', () => undefined);
  const query: Query = async <Row>(text: string, values: readonly unknown[]) => {
    for (;;) {
      try {
        return (await pool.query(text, [...values])).rows as Row[];
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        await wait(200);
      }
    }
  };
  return { query, close: () => pool.end() };
}

/** A lost connection has no SQLSTATE, or one of class 57 (the server is stopping or starting). */
const isConnectionLost = (error: unknown): boolean => {
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  return code === undefined || code.startsWith('57');
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
    await untilBegun(progress, (i - deliveriesAhead) * storesPerDelivery, idleMs);
    const runOne = async () => {
      await runScenario(context, scenario);
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
  const pending = await readPending(query);
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
