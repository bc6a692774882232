/**
 * One partner creates releases in waves, rotates its secrets in the middle of each wave, and after each wave advances
 * its clock by more than the retries of an event take together. Half of the partners freeze their clock.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { OrgClient } from '../test-service.ts';
import { draft } from '../test-service.ts';
import type { ClientRequest } from './client.ts';
import { runConcurrently } from './client.ts';
import type { KillableProcesses } from './killable-processes.ts';
import type { AnswerPlan } from './webhooks-answer-plan.ts';
import { type Endpoint, type Receivers, referenceOf } from './webhooks-receivers.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- a wrong field fails a comparison of the proof
export type Json = any;

export type Partner = {
  readonly index: number;
  readonly caller: OrgClient;
  readonly isClockFrozen: boolean;
  readonly endpoints: readonly Endpoint[];
  /** The response to each creation, by reference. */
  readonly releases: Map<string, Json>;
};

export type ScenarioContext = {
  readonly processes: KillableProcesses;
  readonly receivers: Receivers;
  readonly answerPlan: AnswerPlan;
  /** Waits while releases are ahead of the kills or too many pairs are pending. */
  readonly waitForTurn: () => Promise<void>;
  /** Called with the duration of each clock advance. */
  readonly onClockArrived: (ms: number) => void;
};

const longestRetryWait = '16h';
const postersPerPartner = 3;
const pollMs = 250;
const settlePollMs = 1_000;
/** When Restate has lost its disk, the reconciler requeues the work only after 30 s, then 60. */
const stuckAfterMs = 150_000;
/** Grace periods that end at once, soon, and after the end of the proof. */
const graces = [0, 15, 3_600];

export async function requestOrThrow(
  { processes }: Pick<ScenarioContext, 'processes'>,
  { caller: { key } }: Partner,
  method: ClientRequest['method'],
  path: string,
  body?: object,
): Promise<Json> {
  const answer = await processes.requestJson({
    method,
    path,
    key,
    ...(body !== undefined && { body }),
  });
  if (answer === undefined) throw new Error(`${method} ${path} was refused`);
  return answer;
}

/** Registers the partner's endpoints. Called before any process is killed. */
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

/** The first waves differ in length, so that the partners do not all advance their clocks at the same time. */
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

/** Advances the clock past all retries; returns when it has reached its target. */
export async function advance(context: ScenarioContext, partner: Partner): Promise<void> {
  const begunAt = Date.now();
  let clock = await requestOrThrow(context, partner, 'POST', '/v1/sandbox/clock/advance', {
    by: longestRetryWait,
  });
  for (let movedAt = begunAt; clock.status !== 'idle';) {
    await wait(pollMs);
    const before = clock.now;
    clock = await requestOrThrow(context, partner, 'GET', '/v1/sandbox/clock');
    if (clock.now !== before) movedAt = Date.now();
    if (Date.now() - movedAt > stuckAfterMs) throw new Error(`clock ${partner.index} is stuck`);
  }
  context.onClockArrived(Date.now() - begunAt);
}

/** Pairs that have had fewer attempts than the answer plan requires. */
export function findMissingAttempts(
  { answerPlan }: Pick<ScenarioContext, 'answerPlan'>,
  { endpoints, releases }: Partner,
): string[] {
  return endpoints
    .filter(({ isSubscribed }) => isSubscribed)
    .flatMap(({ index, pairs }) =>
      [...releases.keys()]
        .filter(
          (reference) =>
            (pairs.get(reference)?.attempts.length ?? 0) <
            answerPlan.answersOf(index, reference).length,
        )
        .map((reference) => `${index}/${reference}`),
    );
}

/**
 * Retries that the earlier advances did not reach need another one. It is made only if a timer is due, because an
 * endpoint that keeps failing is disabled after five days.
 */
export async function settlePartner(context: ScenarioContext, partner: Partner, limitMs: number) {
  const deadline = Date.now() + limitMs;
  while (findMissingAttempts(context, partner).length > 0 && Date.now() < deadline) {
    const { next_due_at } = await requestOrThrow(context, partner, 'GET', '/v1/sandbox/clock');
    if (next_due_at === null) await wait(settlePollMs);
    else await advance(context, partner);
  }
  await untilNonePending(context, partner, deadline);
  // A further advance must not cause another attempt.
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
