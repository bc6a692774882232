/**
 * Compares what arrives at webhook endpoints with the answer plan, which determines every attempt beforehand. Each of
 * four organizations has five subscribed endpoints and one that is not; one answer in ten is bad; secrets are rotated
 * and clocks advanced under load, while the worker, the relay, Restate, PostgreSQL and the api are killed in turn and
 * Restate once loses its disk.
 *
 * The bar: every event reaches every subscribed endpoint, or is given up after six attempts, exactly as planned, and
 * reaches no other endpoint; three verifiers accept every signature; every wait before a retry is within the bounds of
 * contract §6; a repeated attempt keeps its id and follows a kill; redelivery delivers what was given up. It fails when
 * an attempt is lost, made too early or too late, sent to another tenant, or signed with the wrong secret.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Experiment, Size } from '../../../../scripts/experiments/experiment.ts';
import { openServiceWithEngine } from '../service-with-engine.ts';
import { type KillableProcesses, startKillableProcesses } from './killable-processes.ts';
import { seededRandom } from './random.ts';
import { createAnswerPlan } from './webhooks-answer-plan.ts';
import {
  explainDuplicates,
  injectFaults,
  type Progress,
  type InjectedFaults,
} from './webhooks-faults.ts';
import {
  type JudgeContext,
  type MismatchCounts,
  judgePartner,
  noMismatches,
  type RecordMismatch,
  listEvents,
} from './webhooks-judge.ts';
import { openReceivers, type Receivers } from './webhooks-receivers.ts';
import {
  requestOrThrow,
  findMissingAttempts,
  type Partner,
  runPartner,
  registerPartner,
  settlePartner,
  type ScenarioContext,
  untilNonePending,
} from './webhooks-scenario.ts';
import { openVerifier } from './webhooks-verify.ts';
import { noWaits } from './webhooks-waits.ts';

type Plan = {
  readonly waves: number;
  readonly releasesPerWave: number;
  readonly kills: number;
  readonly losesDisk: boolean;
  /** The reconciler finds what a kill interrupted between two steps after one or two minutes. */
  readonly settleLimitMs: number;
};

const sizes: Readonly<Record<Size, Plan>> = {
  start: { waves: 2, releasesPerWave: 15, kills: 6, losesDisk: false, settleLimitMs: 150_000 },
  small: { waves: 4, releasesPerWave: 250, kills: 40, losesDisk: true, settleLimitMs: 150_000 },
  full: { waves: 16, releasesPerWave: 250, kills: 160, losesDisk: true, settleLimitMs: 240_000 },
};
const partnersCount = 4;
const subscribedPerPartner = 5;
const firstPort = 27_580;
const pendingPairsMax = 1_500;
const idleMs = 1_500;
/** How far the creation of releases may run ahead of the kills, as a share of all. */
const aheadMax = 0.12;
const samplesMax = 4;

const pairsOf = ({ waves, releasesPerWave }: Plan): number =>
  partnersCount * subscribedPerPartner * waves * releasesPerWave;

export const experiment: Experiment = {
  compares:
    'what arrived at endpoints under kill -9 and bad answers, against the planned attempts of each endpoint',
  bar: (size) => {
    const pairs = pairsOf(sizes[size]);
    return {
      pairs: { equals: pairs },
      endpoints: { equals: partnersCount * subscribedPerPartner },
      bad_share: { atLeast: size === 'start' ? 0.05 : 0.09 },
      kills: { atLeast: sizes[size].kills },
      kinds_killed: { equals: 5 },
      disk_lost: { equals: sizes[size].losesDisk ? 1 : 0 },
      pending_when_disk_was_lost: { atLeast: sizes[size].losesDisk ? 1 : 0 },
      undelivered: { atLeast: size === 'start' ? 0 : pairs / 500 },
      retries_while_held: { atLeast: pairs / 50 },
      ...Object.fromEntries(
        Object.keys(noMismatches()).map((each) => [each, { equals: 0 }] as const),
      ),
      to_another_tenant: { equals: 0 },
      not_subscribed: { equals: 0 },
      seventh_attempts: { equals: 0 },
      reused_attempt_ids: { equals: 0 },
      redirects_followed: { equals: 0 },
      wrong_headers: { equals: 0 },
      differing_bodies: { equals: 0 },
      unexplained_duplicates: { equals: 0 },
      refused_requests: { equals: 0 },
      not_redelivered: { equals: 0 },
      accepted_by_node: { atLeast: pairs },
      accepted_by_standardwebhooks: { atLeast: pairs },
      accepted_by_python: { atLeast: pairs },
      refused_by_node: { equals: 0 },
      refused_by_standardwebhooks: { equals: 0 },
      refused_by_python: { equals: 0 },
      signed_with_both: { atLeast: pairs / 20 },
    };
  },
  run: async (lab) => {
    const { size, say } = lab;
    const plan = sizes[size];
    const { seed } = seededRandom();
    const begunAt = Date.now();
    const serviceWithEngine = await openServiceWithEngine(firstPort);
    const { service } = serviceWithEngine;
    const answerPlan = createAnswerPlan(seed, size !== 'start');
    const verifier = openVerifier(say);
    const receivers = openReceivers(answerPlan, verifier);
    const partners: Partner[] = [];
    for (const [index, caller] of (await service.givenOrganizations(partnersCount)).entries()) {
      partners.push(await registerPartner(receivers, index, caller));
    }
    const processes = await startKillableProcesses(serviceWithEngine, lab.fleet, firstPort, {
      TONEARM_WEBHOOK_LOOPBACK: 'allow',
    });
    const progress: Progress = {
      pairs: pairsOf(plan),
      kills: plan.kills,
      begun: receivers.begun,
      killed: 0,
      isScenarioDone: false,
    };
    const arrivals: number[] = [];
    const context: ScenarioContext = {
      processes,
      receivers,
      answerPlan,
      waitForTurn: paceOf(partners, progress),
      onClockArrived: (ms) => void arrivals.push(Math.round(ms / 100) / 10),
    };

    const injecting = injectFaults(lab, service, processes, progress, plan.losesDisk);
    await Promise.all(partners.map((partner) => runPartner(context, partner, plan)));
    progress.isScenarioDone = true;
    say(`all waves ended, ${receivers.begun()} of ${progress.pairs} pairs begun`);
    const injected = await injecting;
    await Promise.all(
      partners.map((partner) => settlePartner(context, partner, plan.settleLimitMs)),
    );
    const missing = partners.flatMap((partner) => findMissingAttempts(context, partner));
    say(`settled, ${missing.length} pairs lack attempts: ${missing.slice(0, 5).join(', ')}`);

    const settledAfter = Math.round((Date.now() - begunAt) / 1_000);
    const verdict = await judgeAll(context, partners, say);
    say('judged; redelivering what was given up');
    const redelivery = await redeliver(context, partners, begunAt);
    await processes.close();
    receivers.close();
    const verified = await verifier.finish();
    await serviceWithEngine.close();
    return {
      ...verdict,
      ...figuresOf(receivers, injected, processes),
      ...verified,
      ...redelivery,
      settled_after_seconds: settledAfter,
      clocks_moved: arrivals.length,
      longest_move_seconds: Math.max(...arrivals),
      seed,
    };
  },
};

/**
 * Keeps the creation of releases and the kills in step, so that kills meet work of every age, and limits pending pairs.
 */
function paceOf(partners: readonly Partner[], progress: Progress): () => Promise<void> {
  let begun = 0;
  let movedAt = Date.now();
  const created = () => partners.reduce((sum, { releases }) => sum + releases.size, 0);
  return async () => {
    for (;;) {
      if (progress.begun() !== begun) movedAt = Date.now();
      begun = progress.begun();
      const createdPairs = created() * subscribedPerPartner;
      const isAhead = createdPairs / progress.pairs > progress.killed / progress.kills + aheadMax;
      const isIdle = Date.now() - movedAt > idleMs;
      if (!isAhead && (isIdle || createdPairs - begun < pendingPairsMax)) return;
      await wait(25);
    }
  };
}

async function judgeAll(
  context: ScenarioContext,
  partners: readonly Partner[],
  say: (line: string) => void,
) {
  const found: MismatchCounts = noMismatches();
  const samples: string[] = [];
  const recordMismatch: RecordMismatch = (kind, what) => {
    if (found[kind]++ >= samplesMax) return;
    samples.push(`${kind}: ${what}`);
    say(`${kind}: ${what}`);
  };
  const tally = { pairs: 0, delivered: 0, undelivered: 0, attempts: 0 };
  const waits = noWaits();
  const judgeContext: JudgeContext = { ...context, recordMismatch, tally, waits };
  await Promise.all(partners.map((partner) => judgePartner(judgeContext, partner)));
  return { ...tally, ...found, ...waits, samples };
}

/** Redelivers all events that were given up; each must succeed at its first attempt. */
async function redeliver(context: ScenarioContext, partners: readonly Partner[], begunAt: number) {
  context.receivers.allowMoreAttempts();
  const since = new Date(begunAt - 60_000).toISOString();
  let redelivered = 0;
  let notRedelivered = 0;
  for (const partner of partners) {
    for (const { webhookId } of partner.endpoints) {
      const path = `/v1/webhooks/${webhookId}/redeliver`;
      redelivered += (await requestOrThrow(context, partner, 'POST', path, { since })).count;
    }
    await untilNonePending(context, partner, Date.now() + 60_000);
    for (const status of ['pending', 'undelivered']) {
      notRedelivered += (await listEvents(context, partner, `&delivery_status=${status}`)).length;
    }
  }
  return { redelivered, not_redelivered: notRedelivered };
}

function figuresOf(
  { counts, duplicates, endpoints }: Receivers,
  injected: InjectedFaults,
  processes: KillableProcesses,
) {
  const kinds = injected.faults.filter(({ kind }) => kind !== 'disk').map(({ kind }) => kind);
  const killed = Object.fromEntries(
    [...new Set(kinds)].map((kind) => [kind, kinds.filter((each) => each === kind).length]),
  );
  return {
    ...counts,
    bad_share: counts.bad_answers / counts.messages,
    endpoints: endpoints.filter(({ isSubscribed }) => isSubscribed).length,
    ...explainDuplicates(injected, duplicates),
    kills: kinds.length,
    killed,
    kinds_killed: new Set(kinds).size,
    disk_lost: injected.faults.length - kinds.length,
    pending_when_disk_was_lost: injected.pendingWhenDiskWasLost,
    refused_requests: processes.refusals.length,
    refusals: processes.refusals.slice(0, 5),
    requests: processes.counts,
  };
}
