/**
 * A partner: releases in waves, secrets rotated in the middle of each, and after each the clock moved as far as any
 * retry can wait. Half of the partners hold their clock, the others let it run.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { OrgClient } from '../test-service.ts';
import { draft } from '../test-service.ts';
import type { ClientRequest } from './client.ts';
import { runConcurrently } from './client.ts';
import type { KillableProcesses } from './killable-processes.ts';
import type { AnswerPlan } from './webhooks-answer-plan.ts';
import { type Endpoint, type Receivers, referenceOf } from './webhooks-receivers.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- a proof reads what it expects to be there
export type Json = any;

export type Partner = {
  readonly index: number;
  readonly caller: OrgClient;
  readonly isClockFrozen: boolean;
  readonly endpoints: readonly Endpoint[];
  /** What was answered to those who created them, by reference. */
  readonly releases: Map<string, Json>;
};

export type ScenarioContext = {
  readonly processes: KillableProcesses;
  readonly receivers: Receivers;
  readonly answerPlan: AnswerPlan;
  /** Waits for its turn: the kills keep step, and not too much is under way. */
  readonly waitForTurn: () => Promise<void>;
  /** A clock was so long on its way. */
  readonly onClockArrived: (ms: number) => void;
};

const longestRetryWait = '16h';
const postersPerPartner = 3;
const pollMs = 250;
const settlePollMs = 1_000;
/** Restate may lose its disk meanwhile: whoever finds that out does so within 30 s, then 60. */
const stuckAfterMs = 150_000;
/** Of what was asked for: ended at once, soon, and not before the end. */
const graces = [0, 15, 3_600];

export async function requestOrThrow(
  { processes: crew }: Pick<ScenarioContext, 'processes'>,
  { caller: { key } }: Partner,
  method: ClientRequest['method'],
  path: string,
  body?: object,
): Promise<Json> {
  const answer = await crew.requestJson({ method, path, key, ...(body !== undefined && { body }) });
  if (answer === undefined) throw new Error(`${method} ${path} was refused`);
  return answer;
}

/** Before anybody is killed. */
export async function registerPartner(
  receivers: Receivers,
  index: number,
  caller: OrgClient,
): Promise<Partner> {
  const endpoints: Endpoint[] = [];
  const types = ['release.created', '*', ['release.created'], ['asset.ready', 'release.created']];
  for (const eventType of [...types, 'release.created', 'asset.ready']) {
    const isSubscribed = eventType !== 'asset.ready';
    const endpoint = await receivers.open({ partner: index, eventType, isSubscribed });
    const { status, json, text } = await caller.call('POST', '/v1/webhooks', {
      url: endpoint.url,
      event_type: eventType,
      secret: endpoint.secret,
    });
    if (status !== 201 || json.status !== 'verified') throw new Error(`not verified: ${text}`);
    endpoint.webhookId = json.id;
    endpoints.push(endpoint);
  }
  return { index, caller, isClockFrozen: index % 2 === 0, endpoints, releases: new Map() };
}

export async function runPartner(
  context: ScenarioContext,
  partner: Partner,
  { waves, releasesPerWave }: { readonly waves: number; readonly releasesPerWave: number },
): Promise<void> {
  if (partner.isClockFrozen) {
    await requestOrThrow(context, partner, 'PATCH', '/v1/sandbox/clock', { mode: 'manual' });
  }
  const ends = waveEnds(partner, waves, releasesPerWave);
  for (const [wave, end] of ends.entries()) {
    const first = ends[wave - 1] ?? 0;
    const half = Math.floor((first + end) / 2);
    await createReleases(context, partner, first, half);
    const rotated = rotateSecrets(
      context,
      partner,
      graces[(wave + partner.index) % graces.length]!,
    );
    await createReleases(context, partner, half, end);
    await rotated;
    await advance(context, partner);
  }
}

/** While the clock of one is on its way, the others go on: the first waves are of different length. */
function waveEnds({ index }: Partner, waves: number, perWave: number): readonly number[] {
  const total = waves * perWave;
  const first = Math.ceil((perWave * ((index % 4) + 1)) / 4);
  const ends = Array.from({ length: waves }, (_, wave) => first + wave * perWave);
  return ends.at(-1) === total ? ends : [...ends, total];
}

async function createReleases(
  context: ScenarioContext,
  partner: Partner,
  from: number,
  to: number,
) {
  let next = from;
  await runConcurrently(postersPerPartner, async () => {
    const release = next++;
    if (release >= to) return false;
    await context.waitForTurn();
    const reference = referenceOf(partner.index, release);
    const body = draft({ title: `Release ${release}`, reference });
    partner.releases.set(
      reference,
      await requestOrThrow(context, partner, 'POST', '/v1/releases', body),
    );
    return true;
  });
}

async function rotateSecrets(
  context: ScenarioContext,
  partner: Partner,
  graceSeconds: number,
): Promise<void> {
  await Promise.all(
    partner.endpoints.map(({ keychain, webhookId }) =>
      keychain.rotate(graceSeconds, async () => {
        const path = `/v1/webhooks/${webhookId}/rotate_secret`;
        const body = { grace_period_seconds: graceSeconds };
        return (await requestOrThrow(context, partner, 'POST', path, body)).secret;
      }),
    ),
  );
}

/** As far as any retry waits; returns once the clock has arrived. */
export async function advance(context: ScenarioContext, partner: Partner): Promise<void> {
  const begunAt = Date.now();
  let clock = await requestOrThrow(context, partner, 'POST', '/v1/sandbox/clock/advance', {
    by: longestRetryWait,
  });
  for (let movedAt = begunAt; clock.status !== 'idle';) {
    await wait(pollMs);
    const seen = clock.now;
    clock = await requestOrThrow(context, partner, 'GET', '/v1/sandbox/clock');
    if (clock.now !== seen) movedAt = Date.now();
    if (Date.now() - movedAt > stuckAfterMs) throw new Error(`clock ${partner.index} is stuck`);
  }
  context.onClockArrived(Date.now() - begunAt);
}

/** Pairs that should have had more attempts than have arrived. */
export function findMissingAttempts(
  { answerPlan: dice }: Pick<ScenarioContext, 'answerPlan'>,
  { endpoints, releases }: Partner,
): string[] {
  return endpoints
    .filter(({ isSubscribed: wantsReleases }) => wantsReleases)
    .flatMap(({ index, pairs }) =>
      [...releases.keys()]
        .filter(
          (reference) =>
            (pairs.get(reference)?.attempts.length ?? 0) < dice.answersOf(index, reference).length,
        )
        .map((reference) => `${index}/${reference}`),
    );
}

/**
 * What slipped past a clock that had waited long enough for it is retried by another advance. Only then: an endpoint
 * that fails is disabled after five days.
 */
export async function settlePartner(context: ScenarioContext, partner: Partner, limitMs: number) {
  const deadline = Date.now() + limitMs;
  while (findMissingAttempts(context, partner).length > 0 && Date.now() < deadline) {
    const { next_due_at } = await requestOrThrow(context, partner, 'GET', '/v1/sandbox/clock');
    if (next_due_at === null) await wait(settlePollMs);
    else await advance(context, partner);
  }
  await untilNonePending(context, partner, deadline);
  // Nobody is tried once more, however long one waits.
  await advance(context, partner);
}

export async function untilNonePending(
  context: ScenarioContext,
  partner: Partner,
  deadline: number,
) {
  const path = '/v1/events?delivery_status=pending&limit=1';
  while (Date.now() < deadline) {
    const { data } = await requestOrThrow(context, partner, 'GET', path);
    if (data.length === 0) return;
    await wait(pollMs);
  }
}
