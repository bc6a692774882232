/**
 * Compares the webhook deliveries per second, from the first transaction that appends an event until the last delivery
 * is recorded, with the bare operations: the same engine and worker invoke an empty handler, then undici posts the same
 * bytes to the same receiver. Every event has one endpoint, so deliveries share no work. Then it measures the latency
 * at the usual rate, a burst, and the cost of a delivery when events have more endpoints. The bench appends the events
 * itself (`webhook-fixture.ts`), because the bench `api` measures requests.
 *
 * The bar: a share of 0.5; at the usual rate an event reaches its receiver within 100 ms (p50) and 300 ms (p99) of its
 * commit; no event is lost or arrives twice; the cost grows at most 1.3 times with the endpoints per event. It
 * fails when fan-out, dispatch or recording becomes slower.
 */

import { Pool } from 'undici';
import type { Experiment } from '../scripts/experiments/experiment.ts';
import { interleave, median, shareOf } from './blocks.ts';
import { compareCosts } from './delivery-growth.ts';
import { openProcessorTime, type ProcessorTime, processorTimeBetween } from './processor-time.ts';
import {
  type Audience,
  eventData,
  openWebhookFixture,
  type WebhookFixture,
} from './webhook-fixture.ts';
import { measureUnderLoad } from './webhook-load.ts';

const sizes = {
  start: {
    rounds: 1,
    growthRounds: 1,
    organizations: 5,
    usualOrganizations: 10,
    deliveries: 50,
    seconds: 1,
    /** The number of endpoints per event differs; the number of endpoints in all is about the same. */
    audiences: [
      { organizations: 4, endpointsEach: 1 },
      { organizations: 1, endpointsEach: 4 },
    ],
    deliveriesPerCase: 20,
  },
  full: {
    rounds: 7,
    growthRounds: 3,
    organizations: 25,
    usualOrganizations: 100,
    deliveries: 1_000,
    seconds: 30,
    audiences: [
      { organizations: 50, endpointsEach: 1 },
      { organizations: 5, endpointsEach: 10 },
      { organizations: 1, endpointsEach: 100 },
    ],
    deliveriesPerCase: 1_000,
  },
} as const;
const port = 27_580;
const connections = 64;

/**
 * Latency at 100 events a second of many organizations; a burst of 400, in fewer transactions, so that their cost is not
 * measured.
 */
const usualLoad = { perSecond: 100, perTransaction: 1 };
const burstLoad = { perSecond: 400, perTransaction: 10 };

export const experiment: Experiment = {
  compares:
    'events delivered to endpoints per second, against an empty handler of the bare engine and a bare POST each',
  bar: (size) => {
    const isFull = size === 'full';
    return {
      share: { atLeast: isFull ? 0.5 : 0 },
      usual_p50_ms: { atMost: isFull ? 100 : 60_000 },
      usual_p99_ms: { atMost: isFull ? 300 : 60_000 },
      usual_lost: { equals: 0 },
      burst_lost: { equals: 0 },
      // No process is killed here, so no event may arrive twice.
      repeated: { equals: 0 },
      endpoints_growth: { atMost: isFull ? 1.3 : 100 },
    };
  },
  run: async ({ size, say }) => {
    const plan = sizes[size === 'start' ? 'start' : 'full'];
    const { seconds } = plan;
    const fixture = await openWebhookFixture(port);
    const audience = await fixture.givenAudience(plan.organizations, 1);
    const shares = await measureShares(fixture, audience, plan, say);
    say(JSON.stringify(shares));
    const one = await measureOne(fixture, plan);
    say(`a single endpoint: ${one} events a second`);
    const usualAudience = await fixture.givenAudience(plan.usualOrganizations, 1);
    const usual = await measureUnderLoad(fixture, usualAudience, { ...usualLoad, seconds });
    say(`usual: ${JSON.stringify(usual)}`);
    const burst = await measureUnderLoad(fixture, audience, { ...burstLoad, seconds });
    say(`burst: ${JSON.stringify(burst)}`);
    const growth = await measureGrowth(fixture, plan, say);
    await fixture.close();
    return {
      ...shares,
      one_endpoint_per_second: one,
      usual,
      burst,
      usual_p50_ms: usual.commit_to_receiver_ms.p50,
      usual_p99_ms: usual.commit_to_receiver_ms.p99,
      usual_lost: usual.lost,
      burst_lost: burst.lost,
      repeated: usual.repeated + burst.repeated,
      endpoints_growth: Math.max(...Object.values(growth)),
      growth,
    };
  },
};

type Sizes = (typeof sizes)['start' | 'full'];
type Say = (line: string) => void;

async function measureShares(fixture: WebhookFixture, audience: Audience, size: Sizes, say: Say) {
  const { rounds, organizations, deliveries } = size;
  const bare = openBare(fixture);
  const meter = await openMeter(fixture, deliveries);
  const contenders = [
    meter.contender('delivered', () => fixture.deliver(audience, deliveries / organizations)),
    meter.contender('bare', () => bare.deliver(deliveries)),
  ];
  for (const { measure } of contenders) await measure();
  // Autovacuum does this within a minute; until then PostgreSQL uses plans made for empty tables.
  await fixture.service.query('analyze');
  meter.reset();
  const results = await interleave(rounds, contenders, say);
  await bare.close();
  const share = shareOf(results, 'delivered', 'bare');
  return {
    rounds,
    deliveries_per_block: deliveries,
    share: share.median,
    spread: share,
    per_second: {
      delivered: Math.round(median(results['delivered'] ?? [])),
      bare: Math.round(median(results['bare'] ?? [])),
    },
    processor_ms_per_delivery: { delivered: meter.cost('delivered'), bare: meter.cost('bare') },
  };
}

/** Measures the rate of each contender and the processor time of each process. */
async function openMeter(fixture: WebhookFixture, deliveries: number) {
  const read = await openProcessorTime(fixture);
  const uses = new Map<string, ProcessorTime[]>();
  return {
    reset: () => uses.clear(),
    contender: (name: string, work: () => Promise<void>) => ({
      name,
      measure: async () => {
        const before = read();
        const rate = await rateOf(deliveries, work);
        uses.set(name, [...(uses.get(name) ?? []), processorTimeBetween(before, read())]);
        return rate;
      },
    }),
    cost: (name: string) => {
      const used = uses.get(name) ?? [];
      const each = (process: keyof ProcessorTime) =>
        Math.round((median(used.map((use) => use[process])) / deliveries) * 100) / 100;
      const byProcess = {
        bench: each('bench'),
        relay: each('relay'),
        worker: each('worker'),
        engine: each('engine'),
        postgres: each('postgres'),
      };
      const total = Object.values(byProcess).reduce((sum, ms) => sum + ms, 0);
      return { ...byProcess, total: Math.round(total * 100) / 100 };
    },
  };
}

async function rateOf(count: number, work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return count / ((performance.now() - begun) / 1_000);
}

/** An empty object call, then a POST of the event to the receiver, over connections that stay open. */
function openBare({ urls, receiver }: WebhookFixture) {
  const engine = new Pool(urls.ingressUrl, { connections });
  const receiverPool = new Pool(receiver.origin, { connections });
  const body = JSON.stringify({ type: 'release.created', data: eventData });
  let next = 0;
  const post = async (pool: Pool, path: string, payload?: string): Promise<void> => {
    const response = await pool.request({
      method: 'POST',
      path,
      ...(payload !== undefined && {
        body: payload,
        headers: { 'content-type': 'application/json' },
      }),
    });
    await response.body.dump();
    if (response.statusCode >= 300) throw new Error(`${path} was answered ${response.statusCode}`);
  };
  return {
    deliver: async (count: number): Promise<void> => {
      const last = next + count;
      const loop = async () => {
        for (let i = next++; i < last; i = next++) {
          await post(engine, `/restate/call/canary/bare-${i}/ping`);
          await post(receiverPool, '/bare', body);
        }
      };
      await Promise.all(Array.from({ length: connections }, loop));
    },
    close: () => Promise.all([engine.destroy(), receiverPool.destroy()]),
  };
}

/** The events per second that a single endpoint gets. */
async function measureOne(fixture: WebhookFixture, { rounds, deliveries }: Sizes): Promise<number> {
  const audience = await fixture.givenAudience(1, 1);
  const events = Math.ceil(deliveries / 3);
  const rates: number[] = [];
  while (rates.length < Math.min(rounds, 3)) {
    rates.push(await rateOf(events, () => fixture.deliver(audience, events)));
  }
  return Math.round(median(rates));
}

async function measureGrowth(
  fixture: WebhookFixture,
  { growthRounds, audiences, deliveriesPerCase }: Sizes,
  say: Say,
) {
  const cases: { name: string; cost: () => Promise<number> }[] = [];
  for (const { organizations, endpointsEach } of audiences) {
    const audience = await fixture.givenAudience(organizations, endpointsEach);
    const eventsEach = Math.ceil(deliveriesPerCase / organizations / endpointsEach);
    const deliveries = eventsEach * organizations * endpointsEach;
    const cost = async () =>
      1_000 / (await rateOf(deliveries, () => fixture.deliver(audience, eventsEach)));
    cases.push({ name: `${endpointsEach} endpoints`, cost });
  }
  await fixture.service.query('analyze');
  return compareCosts(growthRounds, cases, say);
}
