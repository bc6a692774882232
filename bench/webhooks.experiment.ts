/**
 * Deliveries of events to endpoints per second, from the first transaction that announces one until the last is noted
 * as delivered, as a share of the bare deeds: the same engine and worker invoking an empty handler, then a bare POST
 * of undici with the same bytes to the same receiver. Every event has one endpoint, so nothing is shared between
 * deliveries. Then the latency at the usual rate, a burst, and what a delivery costs when events have more endpoints.
 * Events are appended by the bench itself (`webhook-fixture.ts`), not made over HTTP: the api has benches of its own.
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
    deliveries: 50,
    seconds: 1,
    /** As many endpoints in all, or more: what differs is how many of them an event has. */
    audiences: [
      { organizations: 4, endpointsEach: 1 },
      { organizations: 1, endpointsEach: 4 },
    ],
    parts: 20,
  },
  full: {
    rounds: 7,
    growthRounds: 3,
    organizations: 25,
    deliveries: 1_000,
    seconds: 30,
    audiences: [
      { organizations: 50, endpointsEach: 1 },
      { organizations: 5, endpointsEach: 10 },
      { organizations: 1, endpointsEach: 100 },
    ],
    parts: 1_000,
  },
} as const;
const port = 27_580;
const connections = 64;

/** Latency at 100 events a second; a burst of 400, in fewer transactions, so that it is not they who are measured. */
const usualLoad = { perSecond: 100, perTransaction: 1 };
const burstLoad = { perSecond: 400, perTransaction: 10 };

export const experiment: Experiment = {
  compares:
    'events delivered to endpoints per second, against an empty handler of the bare engine and a bare POST each',
  bar: (size) => {
    const isFull = size === 'full';
    return {
      share: { atLeast: isFull ? 0.5 : 0 },
      usual_lost: { equals: 0 },
      burst_lost: { equals: 0 },
      // Nobody dies here: an event that comes twice is a mistake.
      repeated: { equals: 0 },
      endpoints_growth: { atMost: isFull ? 1.3 : 100 },
    };
  },
  run: async ({ size, say }) => {
    const chosen = sizes[size === 'start' ? 'start' : 'full'];
    const { seconds } = chosen;
    const lab = await openWebhookFixture(port);
    const audience = await lab.givenAudience(chosen.organizations, 1);
    const shares = await measureShares(lab, audience, chosen, say);
    say(JSON.stringify(shares));
    const one = await measureOne(lab, chosen);
    say(`one endpoint: ${one} a second`);
    const usual = await measureUnderLoad(lab, audience, { ...usualLoad, seconds });
    say(`usual: ${JSON.stringify(usual)}`);
    const burst = await measureUnderLoad(lab, audience, { ...burstLoad, seconds });
    say(`burst: ${JSON.stringify(burst)}`);
    const growth = await measureGrowth(lab, chosen, say);
    await lab.close();
    return {
      ...shares,
      one_endpoint_per_second: one,
      usual,
      burst,
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

async function measureShares(lab: WebhookFixture, audience: Audience, size: Sizes, say: Say) {
  const { rounds, organizations, deliveries } = size;
  const bare = openBare(lab);
  const meter = await openMeter(lab, deliveries);
  const contenders = [
    meter.contender('delivered', () => lab.deliver(audience, deliveries / organizations)),
    meter.contender('bare', () => bare.deliver(deliveries)),
  ];
  for (const { measure } of contenders) await measure();
  // As autovacuum does within a minute: plans made for empty tables are made anew.
  await lab.service.query('analyze');
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

/** How fast each was, and what it cost whom. */
async function openMeter(lab: WebhookFixture, deliveries: number) {
  const read = await openProcessorTime(lab);
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
      const own = uses.get(name) ?? [];
      const each = (who: keyof ProcessorTime) =>
        Math.round((median(own.map((use) => use[who])) / deliveries) * 100) / 100;
      const parts = {
        bench: each('bench'),
        relay: each('relay'),
        worker: each('worker'),
        engine: each('engine'),
        postgres: each('postgres'),
      };
      const total = Object.values(parts).reduce((sum, ms) => sum + ms, 0);
      return { ...parts, total: Math.round(total * 100) / 100 };
    },
  };
}

async function rateOf(count: number, work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return count / ((performance.now() - begun) / 1_000);
}

/** An empty object call, then the event to the receiver, over connections that stay open. */
function openBare({ urls, receiver }: WebhookFixture) {
  const engine = new Pool(urls.ingressUrl, { connections });
  const there = new Pool(receiver.origin, { connections });
  const body = JSON.stringify({ type: 'release.created', data: eventData });
  let next = 0;
  const post = async (pool: Pool, path: string, payload?: string): Promise<void> => {
    const answer = await pool.request({
      method: 'POST',
      path,
      ...(payload !== undefined && {
        body: payload,
        headers: { 'content-type': 'application/json' },
      }),
    });
    await answer.body.dump();
    if (answer.statusCode >= 300) throw new Error(`${path} was answered ${answer.statusCode}`);
  };
  return {
    deliver: async (count: number): Promise<void> => {
      const last = next + count;
      const lane = async () => {
        for (let i = next++; i < last; i = next++) {
          await post(engine, `/restate/call/canary/bare-${i}/ping`);
          await post(there, '/bare', body);
        }
      };
      await Promise.all(Array.from({ length: connections }, lane));
    },
    close: () => Promise.all([engine.destroy(), there.destroy()]),
  };
}

/** What a single endpoint gets at most, four at once. */
async function measureOne(lab: WebhookFixture, { rounds, deliveries }: Sizes): Promise<number> {
  const audience = await lab.givenAudience(1, 1);
  const events = Math.ceil(deliveries / 3);
  const rates: number[] = [];
  while (rates.length < Math.min(rounds, 3)) {
    rates.push(await rateOf(events, () => lab.deliver(audience, events)));
  }
  return Math.round(median(rates));
}

async function measureGrowth(
  lab: WebhookFixture,
  { growthRounds, audiences, parts }: Sizes,
  say: Say,
) {
  const cases: { name: string; cost: () => Promise<number> }[] = [];
  for (const { organizations, endpointsEach } of audiences) {
    const audience = await lab.givenAudience(organizations, endpointsEach);
    const eventsEach = Math.ceil(parts / organizations / endpointsEach);
    const deliveries = eventsEach * organizations * endpointsEach;
    const cost = async () =>
      1_000 / (await rateOf(deliveries, () => lab.deliver(audience, eventsEach)));
    cases.push({ name: `${endpointsEach} endpoints`, cost });
  }
  await lab.service.query('analyze');
  return compareCosts(growthRounds, cases, say);
}
