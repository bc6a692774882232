/**
 * Compares payouts with a plan, and the rail with the payouts. Organizations create payouts, cancel some and move their
 * clocks over cut-offs, arrivals and bounces. The rail accepts, refuses, answers slowly, breaks the connection after it
 * has paid, and returns payments weeks later, while api, relay, worker, Restate, PostgreSQL and the rail itself are
 * killed in turn, and the engine's disk is deleted once.
 *
 * The bar: the rail has paid every payout that left once, under its id, and nothing else; every payout ends as its
 * script says; the ledger is zero per transaction and in total, its versions have no gap, and the balances are those of
 * a model computed from the scripts. It fails when a payment is sent twice, under another key or not at all, or when a
 * posting is lost or doubled.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { requireAuditedEvents } from '../audited-events.ts';
import { kill, startRail } from '../processes.ts';
import { givenPayee, listPayments } from '../rail-fixture.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import { databaseUrl, type OrgClient } from '../test-service.ts';
import { type KillableProcesses, startKillableProcesses } from './killable-processes.ts';
import {
  countWrongBalances,
  countWrongStatuses,
  type CreatedPayout,
  judgeHistory,
  judgeLedger,
  judgeRail,
} from './payouts-judge.ts';
import { planPayouts, type PlannedPayout, scenarioSteps } from './payouts-script.ts';
import { seededRandom } from './random.ts';

const sizes = {
  start: { payouts: 40, killsMin: 6, losesDisk: false },
  small: { payouts: 504, killsMin: 60, losesDisk: true },
  full: { payouts: 2_000, killsMin: 200, losesDisk: true },
};
const organizations = 8;
const startBalance = 100_000;
/** How far each clock is moved, one after the other: over the cut-off, the arrival and all bounces. */
const moves = ['3d', '2d', '5d', '10d', '20d'];
const moveLimitMs = 480_000;
const settleLimitMs = 240_000;
const firstPort = 25_480;

export const experiment: Experiment = {
  compares:
    'payouts and the ledger with a plan, and the payments of the rail with payouts, under kill -9',
  bar: (size) => {
    const { payouts, killsMin, losesDisk } = sizes[size];
    return {
      payouts: { equals: payouts },
      refused_requests: { equals: 0 },
      kills: { atLeast: killsMin },
      kinds_killed: { equals: 6 },
      disks_lost: { equals: losesDisk ? 1 : 0 },
      payouts_that_left: { atLeast: payouts / 3 },
      payments_missing: { equals: 0 },
      second_payments: { equals: 0 },
      payments_too_many: { equals: 0 },
      payments_under_other_keys: { equals: 0 },
      wrong_amounts: { equals: 0 },
      wrong_statuses: { equals: 0 },
      wrong_balances: { equals: 0 },
      unbalanced_transactions: { equals: 0 },
      ledger_total: { equals: 0 },
      broken_entries: { equals: 0 },
      empty_transactions: { equals: 0 },
      broken_transitions: { equals: 0 },
      transitions_not_announced: { equals: 0 },
      unsequenced: { equals: 0 },
    };
  },
  run: async (lab) => {
    const { payouts } = sizes[lab.size];
    const random = seededRandom();
    const stack = await openServiceWithEngine(firstPort);
    const { service } = stack;
    await requireAuditedEvents(databaseUrl(service.database));
    const payees = await service.givenOrganizations(organizations);
    for (const payee of payees) {
      await givenPayee(service, payee, { amount: String(startBalance) });
    }
    const rail = await openKillableRail();
    const workerEnv = { TONEARM_PAYOUT_RAIL_URL: rail.url };
    const processes = await startKillableProcesses(stack, lab.fleet, firstPort, workerEnv);
    const plans = new Map<string, readonly PlannedPayout[]>(
      payees.map(({ orgId }) => [orgId, planPayouts(payouts / organizations, random)]),
    );

    // Two thirds of the kills happen while the clocks are moved.
    const moveWeight = payouts / 20;
    const all = payouts + organizations * moves.length * moveWeight;
    const progress = { done: 0, all, isOver: false };
    const killing = killInTurn(lab, { ...processes, rail }, progress);
    const created: CreatedPayout[] = [];
    await Promise.all(
      payees.map(async (payee) => {
        const own = await createPayouts(processes, payee, plans.get(payee.orgId) ?? [], progress);
        created.push(...own);
        for (const by of moves) {
          await moveClock(processes, payee, by);
          progress.done += moveWeight;
        }
      }),
    );
    progress.isOver = true;
    const kills = await killing;
    lab.say(`${created.length} payouts, ${kills.total} kills; waiting until all are settled`);
    await settle(processes, payees, () => countWrongStatuses(service, created));
    const payments = await listPayments(rail.url);
    await processes.close();
    await rail.close();
    await service.sequenceEvents();
    const figures = {
      seed: random.seed,
      payouts: created.length,
      requests: processes.counts.requests,
      lost_answers: processes.counts.broken,
      refused_requests: processes.refusals.length,
      refusals: processes.refusals.slice(0, 3),
      kills: kills.total,
      kinds_killed: Object.keys(kills.byKind).length,
      killed: kills.byKind,
      disks_lost: kills.disksLost,
      ...judgeRail(created, payments),
      wrong_statuses: await countWrongStatuses(service, created),
      wrong_balances: await countWrongBalances(service, plans, startBalance),
      ...(await judgeLedger(service)),
      ...(await judgeHistory(service)),
      exchanges: (await service.query('select count(*)::int as n from payout_attempts'))[0].n,
    };
    await stack.close();
    return figures;
  },
};

/** The worker sends to one URL, so a rail that is started again needs the same port. */
async function openKillableRail() {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-rail-'));
  const port = firstPort + 6 + Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);
  const start = () => startRail(join(folder, 'rail.jsonl'), port);
  let rail = await start();
  return {
    url: rail.url,
    killAndRestart: async () => {
      await kill(rail);
      rail = await start();
    },
    close: async () => {
      await kill(rail);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Progress = { done: number; readonly all: number; isOver: boolean };

/** One after the other: the steps of the scenario are for payouts in the order of their creation. */
async function createPayouts(
  { requestJson }: KillableProcesses,
  { key }: OrgClient,
  plan: readonly PlannedPayout[],
  progress: Progress,
): Promise<readonly CreatedPayout[]> {
  const post = (path: string, body: object) =>
    requestJson({ method: 'POST', path: `/v1${path}`, key, body });
  // A cut-off must not come before the payouts that are canceled are canceled.
  await requestJson({ method: 'PATCH', path: '/v1/sandbox/clock', key, body: { mode: 'manual' } });
  await post('/sandbox/scenarios', { message: 'payout', steps: scenarioSteps, repeats: true });
  const created: CreatedPayout[] = [];
  for (const planned of plan) {
    const payout = await post('/payouts', { amount: `${planned.amount}.00`, currency: 'EUR' });
    progress.done++;
    if (payout === undefined) continue;
    created.push({ ...planned, id: payout['id'] as Id<'pay'> });
    if (planned.isCanceled) await post(`/payouts/${String(payout['id'])}/cancel`, {});
  }
  return created;
}

/** Returns once the clock has arrived. */
async function moveClock(
  { requestJson }: KillableProcesses,
  { key }: OrgClient,
  by: string,
): Promise<void> {
  const path = '/v1/sandbox/clock';
  await requestJson({ method: 'POST', path: `${path}/advance`, key, body: { by } });
  await until(
    'the clock has arrived',
    async () => (await requestJson({ method: 'GET', path, key }))?.['status'] === 'idle',
    moveLimitMs,
    200,
  );
}

/** While the rail was away, exchanges were put off by minutes or hours: the clocks are moved until they have happened. */
async function settle(
  processes: KillableProcesses,
  payees: readonly OrgClient[],
  countWrong: () => Promise<number>,
): Promise<void> {
  const deadline = performance.now() + settleLimitMs;
  while ((await countWrong()) > 0 && performance.now() < deadline) {
    await Promise.all(payees.map((payee) => moveClock(processes, payee, '1d')));
  }
}

/** In step with the progress, so that kills happen during the whole run. */
async function killInTurn(
  { size, say }: Lab,
  {
    killAndRestart,
    loseDisk,
    rail,
  }: Pick<KillableProcesses, 'killAndRestart' | 'loseDisk'> & {
    readonly rail: Pick<Awaited<ReturnType<typeof openKillableRail>>, 'killAndRestart'>;
  },
  progress: Progress,
) {
  const { killsMin, losesDisk } = sizes[size];
  const victims = { ...killAndRestart, rail: rail.killAndRestart };
  const names = Object.keys(victims) as (keyof typeof victims)[];
  const byKind: Record<string, number> = {};
  let total = 0;
  let disksLost = 0;
  while (total < killsMin) {
    const due = (progress.all * total) / killsMin;
    await until(
      'progress for the next kill',
      () => progress.isOver || progress.done >= due,
      900_000,
    );
    await wait(Math.random() * 200);
    const kind = names[total % names.length]!;
    await victims[kind]();
    byKind[kind] = (byKind[kind] ?? 0) + 1;
    if (++total % 6 === 0)
      say(`${total} kills, ${Math.round((100 * progress.done) / progress.all)} %`);
    if (losesDisk && disksLost === 0 && total >= killsMin / 2) {
      await loseDisk();
      disksLost++;
      say('the disk of the engine is lost');
    }
  }
  return { total, byKind, disksLost };
}
