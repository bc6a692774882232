/**
 * Contract §9 across processes: four api processes on one Redis, far more requests than the limits allow.
 * Judged by what Redis itself decided: the script pushes the time it saw of every request it accepted,
 * and we listen. Then Redis is killed: every process falls back to its share, and nobody gets an error.
 */

import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { until } from '../../../../scripts/servers/server.ts';
import type { Tier } from '../../src/identity/domain/organization.ts';
import { ratePolicyOf } from '../../src/identity/domain/rate-policy.ts';
import type { RatePolicy } from '../../src/kernel/rate.ts';
import { kill, startApi } from '../processes.ts';
import { type OrgClient, openTestService } from '../test-service.ts';
import { createTestBucket } from '../test-storage.ts';
import { type Client, runConcurrently, openClient, type ClientResponse } from './client.ts';

const requestsOf = { start: 100_000, small: 100_000, full: 1_000_000 };
const processesCount = 4;
const concurrency = 30;
const awayMs = 10_000;
const phaseLimitMs = 600_000;

type LimitedOrganization = {
  readonly label: OrgClient;
  readonly policy: RatePolicy;
  /** Redis's microseconds of every acceptance. */
  readonly acceptedAt: number[];
  /** RateLimit-Remaining of every answer that was let through. */
  readonly remaining: number[];
  quotaRefusals: number;
};

/** An answer that was let through while Redis was away, between what the client saw. */
type AcceptedRequest = {
  readonly organization: LimitedOrganization;
  readonly sentMs: number;
  readonly receivedMs: number;
};

export const experiment: Experiment = {
  compares:
    "what 4 api processes let through, against the limits, by Redis's own clock; then without Redis",
  bar: (size) => ({
    requests: { atLeast: requestsOf[size] },
    over_quota: { equals: 0 },
    over_burst: { equals: 0 },
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
    const subjects: LimitedOrganization[] = [];
    for (const tier of tiers) {
      const label = await service.givenOrganization({ tier });
      const policy = ratePolicyOf(tier, 'live');
      subjects.push({ label, policy, acceptedAt: [], remaining: [], quotaRefusals: 0 });
    }
    const bucket = await createTestBucket();
    const processes = await Promise.all(
      Array.from({ length: processesCount }, () =>
        startApi(service.database, {
          TONEARM_ENVIRONMENT: 'live',
          ...bucket,
          TONEARM_REDIS_URL: redisUrl,
          TONEARM_INSTANCES: String(processesCount),
        }),
      ),
    );
    const clients = processes.map(({ url }) => openClient(url));
    const tally = { requests: 0, wrongHeaders: 0, serverErrors: 0, samples: [] as string[] };
    const ask = askerOf(subjects, clients, tally);

    const listener = await listenToRedis(fleet.ports.redis, subjects);
    await untilQuotasAreMet(lab, subjects, ask, tally);
    await until('Redis told us of all it accepted', () => uncounted(subjects) === 0, 5_000).catch(
      () => undefined,
    );
    listener.close();
    const exact = {
      over_quota: sum(subjects.map(overQuota)),
      over_burst: sum(subjects.map(overBurst)),
      uncounted: uncounted(subjects),
      passed: sum(subjects.map(({ acceptedAt }) => acceptedAt.length)),
      wrong_headers: tally.wrongHeaders + sum(subjects.map(wrongRemaining)),
      requests: tally.requests,
    };
    say(`${tally.requests} requests, ${exact.passed} passed; now Redis is killed`);
    const away = await withoutRedis(lab, ask, tally);
    await Promise.all([...clients.map((client) => client.close()), ...processes.map(kill)]);
    await service.close();
    return {
      ...exact,
      tiers_that_met_their_quota: subjects.filter(({ quotaRefusals }) => quotaRefusals > 0).length,
      server_errors: tally.serverErrors,
      samples: tally.samples,
      ...away,
    };
  },
};

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

type Tally = {
  requests: number;
  wrongHeaders: number;
  serverErrors: number;
  readonly samples: string[];
};
type Ask = (
  lane: number,
) => Promise<{ subject: LimitedOrganization; reply: ClientResponse | undefined }>;

function askerOf(
  subjects: readonly LimitedOrganization[],
  clients: readonly Client[],
  tally: Tally,
): Ask {
  return async (lane) => {
    const subject = subjects[lane % subjects.length]!;
    const client = clients[Math.floor(Math.random() * clients.length)]!;
    tally.requests++;
    const path = '/v1/releases?limit=1';
    const reply = await client
      .send({ method: 'GET', path, key: subject.label.key })
      .catch(() => undefined);
    // A connection that breaks is an error to whoever waits at its other end.
    if (reply === undefined || reply.status >= 500) tally.serverErrors++;
    if (reply !== undefined && (!hasRightHeaders(reply, subject.policy) || reply.status >= 500)) {
      if (reply.status < 500) tally.wrongHeaders++;
      if (tally.samples.length < 5) tally.samples.push(JSON.stringify(reply));
    }
    return { subject, reply };
  };
}

/** Contract §1: on every answer. The quota's refusal waits for the minute, the burst's for a second. */
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
  subjects: readonly LimitedOrganization[],
  ask: Ask,
  tally: Tally,
): Promise<void> {
  const deadline = Date.now() + phaseLimitMs;
  const isDone = () =>
    (tally.requests >= requestsOf[size] &&
      subjects.every(({ quotaRefusals }) => quotaRefusals > 0)) ||
    Date.now() > deadline;
  let said = 0;
  await runConcurrently(concurrency, async (lane) => {
    const { subject, reply } = await ask(lane);
    if (reply?.status === 200) subject.remaining.push(Number(reply.headers['ratelimit-remaining']));
    else if (reply?.headers['ratelimit-remaining'] === '0') subject.quotaRefusals++;
    if (tally.requests - said >= 20_000) say(`${(said = tally.requests)} requests`);
    return !isDone();
  });
}

/** MONITOR shows what scripts do, too: `LPUSH "limit:live:org_…:burst" "microseconds"`. */
async function listenToRedis(port: number, subjects: readonly LimitedOrganization[]) {
  const socket = connect({ host: '127.0.0.1', port });
  const byOrganization = new Map(subjects.map((subject) => [subject.label.orgId, subject]));
  let rest = '';
  const greeted = Promise.withResolvers<void>();
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '+OK') greeted.resolve();
      const match = /"LPUSH" "limit:live:(\w+):burst" "(\d+)"/.exec(line);
      byOrganization.get(match?.[1] ?? '')?.acceptedAt.push(Number(match?.[2]));
    }
  });
  socket.write('MONITOR\r\n');
  await greeted.promise;
  return { close: () => socket.destroy() };
}

function minutesOf({ acceptedAt }: LimitedOrganization): Map<number, number> {
  const minutes = new Map<number, number>();
  for (const micros of acceptedAt) {
    const minute = Math.floor(micros / 60_000_000);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
  }
  return minutes;
}

const overQuota = (subject: LimitedOrganization): number =>
  sum(
    [...minutesOf(subject).values()].map((count) => Math.max(0, count - subject.policy.perMinute)),
  );

/** How many acceptances had `perSecond` others in the second before them. */
const overBurst = ({ acceptedAt, policy }: LimitedOrganization): number =>
  acceptedAt.filter((at, i) => at - (acceptedAt[i - policy.perSecond] ?? 0) < 1_000_000).length;

/** What passed without Redis having counted it, or the other way round. */
const uncounted = (subjects: readonly LimitedOrganization[]): number =>
  sum(subjects.map(({ acceptedAt, remaining }) => Math.abs(acceptedAt.length - remaining.length)));

/** In each minute the answers must have counted down from the quota, one by one. */
function wrongRemaining(subject: LimitedOrganization): number {
  const counts = new Map<number, number>();
  const add = (value: number, by: number) => counts.set(value, (counts.get(value) ?? 0) + by);
  for (const value of subject.remaining) add(value, 1);
  for (const count of minutesOf(subject).values()) {
    for (let used = 1; used <= count; used++) add(subject.policy.perMinute - used, -1);
  }
  return sum([...counts.values()].map(Math.abs));
}

async function withoutRedis({ fleet, say }: Lab, ask: Ask, tally: Tally) {
  const passed: AcceptedRequest[] = [];
  const phase = { isAway: false, isDone: false, requests: 0 };
  const load = runConcurrently(concurrency, async (lane) => {
    const { isAway } = phase;
    const sentMs = performance.now();
    const { subject, reply } = await ask(lane);
    if (isAway && phase.isAway) {
      phase.requests++;
      if (reply?.status === 200)
        passed.push({ organization: subject, sentMs, receivedMs: performance.now() });
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
 * 1 when more than all shares together certainly passed within the second that began with this one:
 * decided somewhere between being sent and being answered, so only those wholly inside count.
 */
function overShares(
  { organization: subject, sentMs }: AcceptedRequest,
  all: readonly AcceptedRequest[],
): number {
  const shares = Math.floor(subject.policy.perSecond / processesCount) * processesCount;
  const within = all.filter(
    (each) =>
      each.organization === subject && each.sentMs >= sentMs && each.receivedMs < sentMs + 1_000,
  );
  return within.length > shares ? 1 : 0;
}
