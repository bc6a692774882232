/**
 * A partner: releases in waves, secrets rotated in the middle of each, and after each the clock moved as far as any
 * retry can wait. Half of the partners hold their clock, the others let it run.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { OrgClient } from '../test-service.ts';
import { draft } from '../test-service.ts';
import type { Sent } from './client.ts';
import { runConcurrently } from './client.ts';
import type { KillableProcesses } from './killable-processes.ts';
import type { Dice } from './webhooks-dice.ts';
import { type Endpoint, type Receivers, referenceOf } from './webhooks-receivers.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- a proof reads what it expects to be there
export type Json = any;

export type Partner = {
  readonly index: number;
  readonly caller: OrgClient;
  readonly isClockHeld: boolean;
  readonly endpoints: readonly Endpoint[];
  /** What was answered to those who created them, by reference. */
  readonly releases: Map<string, Json>;
};

export type Stage = {
  readonly processes: KillableProcesses;
  readonly receivers: Receivers;
  readonly dice: Dice;
  /** Waits for its turn: the kills keep step, and not too much is under way. */
  readonly pace: () => Promise<void>;
  /** A clock was so long on its way. */
  readonly onArrived: (ms: number) => void;
};

const everyWait = '16h';
const postersPerPartner = 3;
const pollMs = 250;
const settlePollMs = 1_000;
/** Restate may lose its disk meanwhile: whoever finds that out does so within 30 s, then 60. */
const stillMs = 150_000;
/** Of what was asked for: ended at once, soon, and not before the end. */
const graces = [0, 15, 3_600];

export async function askWell(
  { processes: crew }: Pick<Stage, 'processes'>,
  { caller: { key } }: Partner,
  method: Sent['method'],
  path: string,
  body?: object,
): Promise<Json> {
  const answer = await crew.requestJson({ method, path, key, ...(body !== undefined && { body }) });
  if (answer === undefined) throw new Error(`${method} ${path} was refused`);
  return answer;
}

/** Before anybody is killed. */
export async function register(
  receivers: Receivers,
  index: number,
  caller: OrgClient,
): Promise<Partner> {
  const endpoints: Endpoint[] = [];
  const types = ['release.created', '*', ['release.created'], ['asset.ready', 'release.created']];
  for (const eventType of [...types, 'release.created', 'asset.ready']) {
    const wantsReleases = eventType !== 'asset.ready';
    const endpoint = await receivers.open({ partner: index, eventType, wantsReleases });
    const { status, json, text } = await caller.call('POST', '/v1/webhooks', {
      url: endpoint.url,
      event_type: eventType,
      secret: endpoint.secret,
    });
    if (status !== 201 || json.status !== 'verified') throw new Error(`not verified: ${text}`);
    endpoint.webhookId = json.id;
    endpoints.push(endpoint);
  }
  return { index, caller, isClockHeld: index % 2 === 0, endpoints, releases: new Map() };
}

export async function playPartner(
  stage: Stage,
  partner: Partner,
  { waves, releasesPerWave }: { readonly waves: number; readonly releasesPerWave: number },
): Promise<void> {
  if (partner.isClockHeld) {
    await askWell(stage, partner, 'PATCH', '/v1/sandbox/clock', { mode: 'manual' });
  }
  const ends = waveEnds(partner, waves, releasesPerWave);
  for (const [wave, end] of ends.entries()) {
    const first = ends[wave - 1] ?? 0;
    const half = Math.floor((first + end) / 2);
    await createReleases(stage, partner, first, half);
    const rotated = rotateSecrets(stage, partner, graces[(wave + partner.index) % graces.length]!);
    await createReleases(stage, partner, half, end);
    await rotated;
    await advance(stage, partner);
  }
}

/** While the clock of one is on its way, the others go on: the first waves are of different length. */
function waveEnds({ index }: Partner, waves: number, perWave: number): readonly number[] {
  const total = waves * perWave;
  const first = Math.ceil((perWave * ((index % 4) + 1)) / 4);
  const ends = Array.from({ length: waves }, (_, wave) => first + wave * perWave);
  return ends.at(-1) === total ? ends : [...ends, total];
}

async function createReleases(stage: Stage, partner: Partner, from: number, to: number) {
  let next = from;
  await runConcurrently(postersPerPartner, async () => {
    const release = next++;
    if (release >= to) return false;
    await stage.pace();
    const reference = referenceOf(partner.index, release);
    const body = draft({ title: `Release ${release}`, reference });
    partner.releases.set(reference, await askWell(stage, partner, 'POST', '/v1/releases', body));
    return true;
  });
}

async function rotateSecrets(stage: Stage, partner: Partner, graceSeconds: number): Promise<void> {
  await Promise.all(
    partner.endpoints.map(({ keychain, webhookId }) =>
      keychain.rotate(graceSeconds, async () => {
        const path = `/v1/webhooks/${webhookId}/rotate_secret`;
        const body = { grace_period_seconds: graceSeconds };
        return (await askWell(stage, partner, 'POST', path, body)).secret;
      }),
    ),
  );
}

/** As far as any retry waits; returns once the clock has arrived. */
export async function advance(stage: Stage, partner: Partner): Promise<void> {
  const begunAt = Date.now();
  let clock = await askWell(stage, partner, 'POST', '/v1/sandbox/clock/advance', { by: everyWait });
  for (let movedAt = begunAt; clock.status !== 'idle';) {
    await wait(pollMs);
    const seen = clock.now;
    clock = await askWell(stage, partner, 'GET', '/v1/sandbox/clock');
    if (clock.now !== seen) movedAt = Date.now();
    if (Date.now() - movedAt > stillMs) throw new Error(`clock ${partner.index} is stuck`);
  }
  stage.onArrived(Date.now() - begunAt);
}

/** Pairs that should have had more attempts than have arrived. */
export function owing({ dice }: Pick<Stage, 'dice'>, { endpoints, releases }: Partner): string[] {
  return endpoints
    .filter(({ wantsReleases }) => wantsReleases)
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
export async function settlePartner(stage: Stage, partner: Partner, limitMs: number) {
  const deadline = Date.now() + limitMs;
  while (owing(stage, partner).length > 0 && Date.now() < deadline) {
    const { next_due_at } = await askWell(stage, partner, 'GET', '/v1/sandbox/clock');
    if (next_due_at === null) await wait(settlePollMs);
    else await advance(stage, partner);
  }
  await untilNonePending(stage, partner, deadline);
  // Nobody is tried once more, however long one waits.
  await advance(stage, partner);
}

export async function untilNonePending(stage: Stage, partner: Partner, deadline: number) {
  const path = '/v1/events?delivery_status=pending&limit=1';
  while (Date.now() < deadline) {
    const { data } = await askWell(stage, partner, 'GET', path);
    if (data.length === 0) return;
    await wait(pollMs);
  }
}
