/**
 * Compares, for contract §9, the requests that four api processes accept with the rate limits. The processes share one
 * Redis and get far more requests than the limits allow. Acceptances are counted by Redis's own clock: the rate limit
 * script pushes the time of every accepted request to a list, and the proof reads these commands with MONITOR. Then
 * Redis is killed, and every process falls back to its share of the limit.
 *
 * The bar: no request over the quota or the burst, none uncounted, right headers on every response, every tier reached
 * its quota; without Redis no 5xx and no second above the sum of the shares. It fails when the processes together
 * accept one request too many, or when the loss of Redis causes an error. A process also falls back to its share while
 * Redis does not answer within 250 ms, which happens on a busy machine: the size `start` subtracts the requests that the
 * processes report as decided by their share, the other sizes demand that there are none.
 */

import { setTimeout as wait } from 'node:timers/promises';
import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import { ratePolicyOf } from '../../src/identity/domain/rate-policy.ts';
import type { RatePolicy } from '../../src/kernel/rate.ts';
import type { Tier } from '../../src/kernel/tier.ts';
import { kill, startApi } from '../processes.ts';
import { openTestService } from '../test-service.ts';
import { createTestBucket } from '../test-storage.ts';
import { type Client, runConcurrently, openClient, type ClientResponse } from './client.ts';
import {
  countFallbacks,
  type LimitedOrganization,
  listenToRedis,
  overBurst,
  overQuota,
  sum,
  uncounted,
  wrongRemaining,
} from './rate-limit-acceptances.ts';

/** The limit is for a busy machine, which sends 400 requests a second. */
const sizes = {
  start: { requests: 20_000, limitMs: 600_000 },
  small: { requests: 100_000, limitMs: 600_000 },
  full: { requests: 1_000_000, limitMs: 2_500_000 },
};
const processesCount = 4;
const concurrency = 30;
const awayMs = 10_000;
const firstMetricsPort = 27_200;

/** A request that was accepted without Redis, with the client's times. */
type AcceptedRequest = {
  readonly org: LimitedOrganization;
  readonly sentMs: number;
  readonly receivedMs: number;
};

export const experiment: Experiment = {
  compares:
    "what 4 api processes let through, against the limits, by Redis's own clock; then without Redis",
  bar: (size) => ({
    requests: { atLeast: sizes[size].requests },
    over_quota: { equals: 0 },
    over_burst: { equals: 0 },
    ...(size === 'start' ? {} : { fallbacks: { equals: 0 } }),
    uncounted: { equals: 0 },
    wrong_headers: { equals: 0 },
    tiers_that_met_their_quota: { equals: 3 },
    server_errors: { equals: 0 },
    without_redis_requests: { atLeast: 1_000 },
    without_redis_passed: { atLeast: 100 },
    without_redis_over_shares: { equals: 0 },
  }),
  run: async (lab) => {
    const { fleet, say } = lab;
    const redisUrl = `redis://127.0.0.1:${fleet.ports.redis}`;
    const service = await openTestService({ environment: 'live' });
    const tiers: readonly Tier[] = ['starter', 'growth', 'enterprise'];
    const orgs: LimitedOrganization[] = [];
    for (const tier of tiers) {
      const partner = await service.givenOrganization({ tier });
      const policy = ratePolicyOf(tier, 'live');
      orgs.push({ partner, policy, acceptedAt: [], remaining: [], quotaRefusals: 0 });
    }
    const bucket = await createTestBucket();
    const portOffset = Number(process.env['TONEARM_PORT_OFFSET'] ?? 0);
    const metricsPorts = Array.from(
      { length: processesCount },
      (_, i) => firstMetricsPort + portOffset + i,
    );
    const processes = await Promise.all(
      metricsPorts.map((metricsPort) =>
        startApi(service.database, {
          TONEARM_METRICS_PORT: String(metricsPort),
          TONEARM_ENVIRONMENT: 'live',
          ...bucket,
          TONEARM_REDIS_URL: redisUrl,
          TONEARM_INSTANCES: String(processesCount),
        }),
      ),
    );
    const clients = processes.map(({ url }) => openClient(url));
    const tally = { requests: 0, wrongHeaders: 0, serverErrors: 0, samples: [] as string[] };
    const sendRequest = createSender(orgs, clients, tally);

    const listener = await listenToRedis(fleet.ports.redis, orgs);
    await untilQuotasAreMet(lab, orgs, sendRequest, tally);
    const fallbacks = sum(await Promise.all(metricsPorts.map(countFallbacks)));
    await until(
      'MONITOR has shown all acceptances',
      () => uncounted(orgs) <= fallbacks,
      5_000,
    ).catch(() => undefined);
    listener.close();
    const exact = {
      fallbacks,
      over_quota: sum(orgs.map(overQuota)),
      over_burst: sum(orgs.map(overBurst)),
      uncounted: Math.max(0, uncounted(orgs) - fallbacks),
      passed: sum(orgs.map(({ acceptedAt }) => acceptedAt.length)),
      // A request that fell back shows what is left of the share, and Redis may have counted it all the same.
      wrong_headers:
        tally.wrongHeaders + Math.max(0, sum(orgs.map(wrongRemaining)) - 2 * fallbacks),
      requests: tally.requests,
    };
    say(`${tally.requests} requests, ${exact.passed} passed; now Redis is killed`);
    const withoutRedisFigures = await withoutRedis(lab, sendRequest, tally);
    await Promise.all([...clients.map((client) => client.close()), ...processes.map(kill)]);
    await service.close();
    return {
      ...exact,
      tiers_that_met_their_quota: orgs.filter(({ quotaRefusals }) => quotaRefusals > 0).length,
      server_errors: tally.serverErrors,
      samples: tally.samples,
      ...withoutRedisFigures,
    };
  },
};

type Tally = {
  requests: number;
  wrongHeaders: number;
  serverErrors: number;
  readonly samples: string[];
};
type SendRequest = (
  loop: number,
  among?: readonly LimitedOrganization[],
) => Promise<{ org: LimitedOrganization; reply: ClientResponse | undefined }>;

function createSender(
  orgs: readonly LimitedOrganization[],
  clients: readonly Client[],
  tally: Tally,
): SendRequest {
  return async (loop, among = orgs) => {
    const org = among[loop % among.length]!;
    const client = clients[Math.floor(Math.random() * clients.length)]!;
    tally.requests++;
    const path = '/v1/releases?limit=1';
    const reply = await client
      .send({ method: 'GET', path, key: org.partner.key })
      .catch(() => undefined);
    // A broken connection is an error for the client.
    if (reply === undefined || reply.status >= 500) tally.serverErrors++;
    if (reply !== undefined && (!hasRightHeaders(reply, org.policy) || reply.status >= 500)) {
      if (reply.status < 500) tally.wrongHeaders++;
      if (tally.samples.length < 5) tally.samples.push(JSON.stringify(reply));
    }
    return { org, reply };
  };
}

/** Contract §1: on every response. `retry-after` is the end of the minute for the quota, one second for the burst. */
function hasRightHeaders(
  { status, headers }: ClientResponse,
  { perMinute, perSecond }: RatePolicy,
): boolean {
  const number = (name: string) => Number(headers[name] ?? Number.NaN);
  const [remaining, reset] = [number('ratelimit-remaining'), number('ratelimit-reset')];
  const isPlausible =
    number('ratelimit-limit') === perMinute &&
    headers['ratelimit-policy'] === `${perMinute};w=60, ${perSecond};w=1` &&
    Number.isInteger(remaining) &&
    remaining >= 0 &&
    remaining < perMinute + (status === 429 ? 1 : 0) &&
    reset >= 1 &&
    reset <= 60;
  const retryAfter = headers['retry-after'];
  const expected = status === 429 ? String(remaining === 0 ? reset : 1) : undefined;
  return isPlausible && retryAfter === expected;
}

async function untilQuotasAreMet(
  { size, say }: Lab,
  orgs: readonly LimitedOrganization[],
  sendRequest: SendRequest,
  tally: Tally,
): Promise<void> {
  const { requests, limitMs } = sizes[size];
  const deadline = Date.now() + limitMs;
  const unmet = () => orgs.filter(({ quotaRefusals }) => quotaRefusals === 0);
  const isEnough = () => tally.requests >= requests;
  const isDone = () => (isEnough() && unmet().length === 0) || Date.now() > deadline;
  // A slow machine cannot send three quotas in a minute: at the end, those that are not met have all requests.
  const next = () => (isEnough() && unmet().length > 0 ? unmet() : orgs);
  let reported = 0;
  await runConcurrently(concurrency, async (loop) => {
    const { org, reply } = await sendRequest(loop, next());
    if (reply?.status === 200) org.remaining.push(Number(reply.headers['ratelimit-remaining']));
    else if (reply?.headers['ratelimit-remaining'] === '0') org.quotaRefusals++;
    if (tally.requests - reported >= 20_000) say(`${(reported = tally.requests)} requests`);
    return !isDone();
  });
}

async function withoutRedis({ fleet, say }: Lab, sendRequest: SendRequest, tally: Tally) {
  const passed: AcceptedRequest[] = [];
  const phase = { isAway: false, isDone: false, requests: 0 };
  const load = runConcurrently(concurrency, async (loop) => {
    const { isAway } = phase;
    const sentMs = performance.now();
    const { org, reply } = await sendRequest(loop);
    if (isAway && phase.isAway) {
      phase.requests++;
      if (reply?.status === 200) passed.push({ org, sentMs, receivedMs: performance.now() });
    }
    return !phase.isDone;
  });
  try {
    await wait(2_000);
    await fleet.redis?.kill();
    phase.isAway = true;
    await wait(awayMs);
    phase.isAway = false;
    await fleet.redis?.start();
    say(`Redis is back; ${phase.requests} requests without it`);
    await wait(3_000);
  } finally {
    phase.isDone = true;
    await load;
  }
  return {
    without_redis_requests: phase.requests,
    without_redis_passed: passed.length,
    without_redis_over_shares: sum(passed.map((each) => overShares(each, passed))),
    requests_in_all: tally.requests,
  };
}

/**
 * Returns 1 if more requests than all shares together were accepted in the second that starts with this request. The
 * decision falls between sending and receiving, so only requests that were sent and answered in that second count.
 */
function overShares({ org, sentMs }: AcceptedRequest, all: readonly AcceptedRequest[]): number {
  const shares = Math.floor(org.policy.perSecond / processesCount) * processesCount;
  const within = all.filter(
    (each) => each.org === org && each.sentMs >= sentMs && each.receivedMs < sentMs + 1_000,
  );
  return within.length > shares ? 1 : 0;
}
