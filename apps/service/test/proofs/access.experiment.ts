/**
 * Sends hostile requests to four api processes that share one Redis: forged, cut off, swapped, expired and revoked
 * credentials, half at the token endpoint and half at a resource. Each request comes from another address (by
 * X-Forwarded-For, as behind a proxy), so that the credential check answers it and not the rate limit. Then the same
 * from one address, with the limits in the way. In between it revokes a key, a client and a secret that are in use on
 * every process.
 *
 * The bar: no hostile request is accepted, none is a 5xx or has another status than its check gives, valid credentials
 * work meanwhile, and a revoked one is refused within 5 s on every process. From one address, no more requests than the
 * limit reach the check. It fails when one hostile request gets through.
 */

import { Pool } from 'undici';
import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { anonymousPolicy } from '../../src/identity/domain/rate-policy.ts';
import { kill, startApi } from '../processes.ts';
import { openTestService, type TestService } from '../test-service.ts';
import { createTestBucket } from '../test-storage.ts';
import { type Attack, type Loot, nextAttack } from './access-attacks.ts';
import { openVictim } from './access-loot.ts';
import { measureRevocation, randomAddress } from './access-revocation.ts';
import { runConcurrently } from './client.ts';
import { type Random, seededRandom } from './random.ts';

const requestsOf = { start: 5_000, small: 100_000, full: 1_000_000 };
const limitedRequestsOf = { start: 2_000, small: 10_000, full: 10_000 };
const processesCount = 4;
const concurrency = 32;
/** One request in so many is a valid one. */
const validEvery = 200;
const revokedWithinMs = 5_000; // contract §5
const samplesKept = 5;
const minuteMs = 60_000;

type Tally = {
  requests: number;
  accepted: number;
  serverErrors: number;
  unexpected: number;
  rateLimited: number;
  checked: number;
  readonly kinds: Map<string, number>;
  readonly samples: string[];
};

const newTally = (): Tally => ({
  requests: 0,
  accepted: 0,
  serverErrors: 0,
  unexpected: 0,
  rateLimited: 0,
  checked: 0,
  kinds: new Map(),
  samples: [],
});

export const experiment: Experiment = {
  compares:
    'answers of 4 api processes to forged, swapped, expired and revoked credentials, with none accepted',
  bar: (size) => ({
    requests: { atLeast: requestsOf[size] },
    kinds: { atLeast: 25 },
    accepted: { equals: 0 },
    server_errors: { equals: 0 },
    unexpected: { equals: 0 },
    share_answered_by_check: { atLeast: 0.9 },
    valid_requests: { atLeast: requestsOf[size] / validEvery / 2 },
    valid_refused: { equals: 0 },
    revoked_credentials_times_processes: { equals: 3 * processesCount },
    never_accepted_before: { equals: 0 },
    never_refused_after: { equals: 0 },
    revoked_last_accepted_after_ms: { atMost: revokedWithinMs },
    limited_requests: { atLeast: limitedRequestsOf[size] },
    limited_accepted: { equals: 0 },
    limited_server_errors: { equals: 0 },
    limited_unexpected: { equals: 0 },
    limited_over_limit: { equals: 0 },
  }),
  run: async (lab) => {
    const random = seededRandom();
    const service = await openTestService({ environment: 'live' });
    const loots = [(await openVictim(service)).loot, (await openVictim(service)).loot] as const;
    const processes = await startProcesses(lab, service);
    const pools = processes.map(({ url }) => new Pool(url, { connections: concurrency }));
    const tally = newTally();
    const valid = await attackFromEverywhere(lab, { pools, loots, random, tally });
    lab.say(`${tally.requests} requests, ${tally.accepted} accepted; now revocations`);
    const revocation = await measureRevocation(service, pools);
    lab.say(`refused ${revocation.revoked_last_accepted_after_ms} ms after the revocation`);
    const limited = await attackFromOneAddress(lab, { pools, loots, random });
    await Promise.all([...pools.map((pool) => pool.destroy()), ...processes.map(kill)]);
    await service.close();
    return {
      seed: random.seed,
      requests: tally.requests,
      kinds: tally.kinds.size,
      accepted: tally.accepted,
      server_errors: tally.serverErrors,
      unexpected: tally.unexpected,
      rate_limited: tally.rateLimited,
      share_answered_by_check: tally.checked / tally.requests,
      samples: tally.samples,
      ...valid,
      ...revocation,
      ...limited,
    };
  },
};

async function startProcesses({ fleet }: Lab, service: TestService) {
  const bucket = await createTestBucket();
  return Promise.all(
    Array.from({ length: processesCount }, () =>
      startApi(service.database, {
        TONEARM_ENVIRONMENT: 'live',
        ...bucket,
        TONEARM_REDIS_URL: `redis://127.0.0.1:${fleet.ports.redis}`,
        TONEARM_INSTANCES: String(processesCount),
        TONEARM_PROXY_HOPS: '1',
      }),
    ),
  );
}

type Battle = {
  readonly pools: readonly Pool[];
  readonly loots: readonly [Loot, Loot];
  readonly random: Random;
};

async function send(
  pool: Pool,
  { method, path, headers, body }: Omit<Attack, 'kind' | 'status'>,
  address: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await pool.request({
    method,
    path,
    headers: { ...headers, 'x-forwarded-for': address },
    ...(body !== undefined && { body }),
  });
  return { status: response.statusCode, text: await response.body.text() };
}

async function sendAttack({ pools, loots, random }: Battle, tally: Tally, address: string) {
  const attack = nextAttack(loots, random);
  tally.requests++;
  tally.kinds.set(attack.kind, (tally.kinds.get(attack.kind) ?? 0) + 1);
  // A request without an answer counts as a failure of the service.
  const { status, text } = await send(random.pick(pools), attack, address).catch(
    (error: unknown) => ({ status: 599, text: String(error) }),
  );
  if (status === attack.status) tally.checked++;
  else if (status === 429) tally.rateLimited++;
  else {
    tally.unexpected++;
    if (status < 300) tally.accepted++;
    if (status >= 500) tally.serverErrors++;
    const sample = `${attack.kind} → ${status} ${text.slice(0, 200)}`;
    if (tally.samples.length < samplesKept) tally.samples.push(sample);
  }
}

/** Every so often a valid credential is used, which must work: the processes do not refuse everything. */
async function attackFromEverywhere(
  { size, say }: Lab,
  battle: Battle & { readonly tally: Tally },
): Promise<{ valid_requests: number; valid_refused: number }> {
  const { pools, loots, random, tally } = battle;
  const valid = { valid_requests: 0, valid_refused: 0 };
  const sendValid = async () => {
    const { key, token, releaseId } = random.pick(loots);
    const headers = { authorization: `Bearer ${random.pick([key, token])}` };
    const path = `/v1/releases/${releaseId}`;
    valid.valid_requests++;
    const { status } = await send(
      random.pick(pools),
      { method: 'GET', path, headers },
      randomAddress(),
    );
    if (status !== 200) valid.valid_refused++;
  };
  const total = requestsOf[size];
  let nextReport = total / 5;
  await runConcurrently(concurrency, async () => {
    await sendAttack(battle, tally, randomAddress());
    if (random.below(validEvery) === 0) await sendValid();
    if (tally.requests >= nextReport) say(`${(nextReport += total / 5) - total / 5} requests`);
    return tally.requests < total;
  });
  return valid;
}

/** Two counters: requests to the token endpoint, and other requests without a valid credential. */
const countersCount = 2;

async function attackFromOneAddress({ size, say }: Lab, battle: Battle) {
  const tally = newTally();
  const address = randomAddress();
  const minuteNow = () => Math.floor(Date.now() / minuteMs);
  const firstMinute = minuteNow();
  await runConcurrently(concurrency, async () => {
    await sendAttack(battle, tally, address);
    return tally.requests < limitedRequestsOf[size];
  });
  const minutes = minuteNow() - firstMinute + 1;
  const limit = anonymousPolicy.perMinute * countersCount * minutes;
  // A request with a valid credential of the other organization counts for that organization.
  const foreign = tally.kinds.get('resource of another') ?? 0;
  say(`from one address: ${tally.checked} of ${tally.requests} reached the check`);
  return {
    limited_requests: tally.requests,
    limited_accepted: tally.accepted,
    limited_server_errors: tally.serverErrors,
    limited_unexpected: tally.unexpected,
    limited_reached_check: tally.checked,
    limited_over_limit: Math.max(0, tally.checked - foreign - limit),
  };
}
