/**
 * Compares store deliveries started and answers applied per second with as many empty object calls to the bare engine.
 * Started (figure `started`): from the first POST until every store was sent its message. Applied (figure `heard`):
 * from the first recorded answer until every delivery is delivered. Both use the same engine, worker and PostgreSQL, in
 * turns within one run. Then it measures the rates that the service is designed for, and the cost of a store delivery
 * with more stores per delivery and with more deliveries in the tables.
 *
 * The stores are fictional: the messages of a delivery to them are sent together (ADR 0056). A store that takes batches
 * costs a call of the engine and an upload for each message: `bench ddex` measures that.
 *
 * The bar: shares of 0.8; at 25 and at 400 store deliveries a second at most 5 s behind; in the burst an answer is
 * visible after at most 500 ms (p99); the cost grows at most 1.3 times with the stores and 1.2 times with the tables. It
 * fails when sending or applying becomes slower, or when a query depends on the size of a table.
 */

import { Pool } from 'undici';
import type { Experiment } from '../scripts/experiments/experiment.ts';
import { interleave, median, type Rounds, shareOf } from './blocks.ts';
import { type DeliveryFixture, openDeliveryFixture } from './delivery-fixture.ts';
import { compareCosts, costPerStore, fillTables } from './delivery-growth.ts';
import { measureUnderLoad } from './delivery-load.ts';

const sizes = {
  start: {
    rounds: 1,
    growthRounds: 1,
    deliveries: 2,
    storesEach: 20,
    seconds: 1,
    sizesEach: [2, 10, 20],
    storeDeliveries: 20,
    filled: [100, 1_000],
  },
  full: {
    rounds: 7,
    growthRounds: 3,
    deliveries: 10,
    storesEach: 150,
    seconds: 30,
    sizesEach: [10, 150, 400],
    storeDeliveries: 1_200,
    filled: [10_000, 1_000_000],
  },
} as const;
const ports = [27_180, 27_280] as const;
const connections = 64;

export const experiment: Experiment = {
  compares:
    'store deliveries started and answers applied per second, against as many empty object calls to the bare engine',
  bar: (size) => {
    const isFull = size === 'full';
    const share = { atLeast: isFull ? 0.8 : 0 };
    return {
      started_share: share,
      heard_share: share,
      sustained_behind_seconds: { atMost: isFull ? 5 : 60 },
      burst_behind_seconds: { atMost: isFull ? 5 : 60 },
      burst_answer_p99_ms: { atMost: isFull ? 500 : 60_000 },
      stores_growth: { atMost: isFull ? 1.3 : 100 },
      tables_growth: { atMost: isFull ? 1.2 : 100 },
    };
  },
  run: async ({ size, say }) => {
    const chosen = sizes[size === 'start' ? 'start' : 'full'];
    const fixture = await openDeliveryFixture(ports[0]);
    const shares = await measureShares(fixture, chosen, say);
    say(JSON.stringify(shares));
    const { seconds } = chosen;
    const sustained = await measureUnderLoad(fixture, { ...sustainedLoad, seconds });
    say(`sustained: ${JSON.stringify(sustained)}`);
    const burst = await measureUnderLoad(fixture, { ...burstLoad, seconds });
    say(`burst: ${JSON.stringify(burst)}`);
    const stores = await measureStores(fixture, chosen, say);
    await fillTables(fixture, chosen.filled[0]);
    const tables = await measureTables(fixture, chosen, say);
    await fixture.close();
    return {
      ...shares,
      sustained,
      burst,
      sustained_behind_seconds: sustained.behind_seconds,
      burst_behind_seconds: burst.behind_seconds,
      burst_answer_p99_ms: burst.answer_to_state_ms.p99,
      stores_growth: Math.max(...Object.values(stores)),
      tables_growth: Math.max(...Object.values(tables)),
      growth: { stores, tables },
    };
  },
};

/** Architecture §2: 25 store deliveries a second, 400 in a burst. */
const sustainedLoad = { perSecond: 25, storesEach: 25, answersAtOnce: 1 };
const burstLoad = { perSecond: 400, storesEach: 150, answersAtOnce: 20 };

type Sizes = (typeof sizes)['start' | 'full'];
type Say = (line: string) => void;

const measureStores = (
  fixture: DeliveryFixture,
  { growthRounds, sizesEach, storeDeliveries }: Sizes,
  say: Say,
) =>
  compareCosts(
    growthRounds,
    sizesEach.map((storesEach) => ({
      name: `${storesEach} stores`,
      cost: () => costPerStore(fixture, Math.ceil(storeDeliveries / storesEach), storesEach),
    })),
    say,
  );

/** Two installations side by side, one with full tables, so that other load of the machine affects both. */
async function measureTables(
  fixture: DeliveryFixture,
  { growthRounds, deliveries, storesEach, filled }: Sizes,
  say: Say,
) {
  const [few, many] = filled;
  const full = await openDeliveryFixture(ports[1]);
  say(`filling the tables with ${many} deliveries`);
  await fillTables(full, many);
  const costs = await compareCosts(
    growthRounds,
    [fixture, full].map((each, i) => ({
      name: `${i === 0 ? few : many} deliveries`,
      cost: () => costPerStore(each, deliveries, storesEach),
    })),
    say,
  );
  await full.close();
  return costs;
}

async function measureShares(fixture: DeliveryFixture, size: Sizes, say: Say) {
  const { rounds, deliveries, storesEach } = size;
  const pool = new Pool(fixture.urls.ingressUrl, { connections });
  let block = 0;
  let appliedPerSecond: number[] = [];
  const contenders = [
    {
      name: 'started',
      measure: async () => {
        const rates = await startAndAnswer(fixture, deliveries, storesEach);
        appliedPerSecond.push(rates.applied);
        return rates.started;
      },
    },
    { name: 'bare', measure: () => emptyCalls(pool, deliveries * storesEach, block++) },
  ];
  for (const { measure } of contenders) await measure();
  // Autovacuum does this within a minute; until then PostgreSQL uses plans made for empty tables.
  await fixture.service.query('analyze');
  appliedPerSecond = [];
  const results = await interleave(rounds, contenders, say);
  await pool.destroy();
  return figures({ ...results, heard: appliedPerSecond }, { rounds, deliveries, storesEach });
}

function figures(results: Rounds, size: object) {
  const started = shareOf(results, 'started', 'bare');
  const heard = shareOf(results, 'heard', 'bare');
  const perSecond = (name: string) => Math.round(median(results[name] ?? []));
  return {
    ...size,
    started_share: started.median,
    heard_share: heard.median,
    spread: { started, heard },
    per_second: {
      started: perSecond('started'),
      heard: perSecond('heard'),
      bare: perSecond('bare'),
    },
  };
}

async function startAndAnswer(fixture: DeliveryFixture, deliveries: number, storesEach: number) {
  const releases = await fixture.givenReleases(deliveries);
  const storeDeliveries = deliveries * storesEach;
  const begun = performance.now();
  const ids = await fixture.start(releases, storesEach);
  const started = storeDeliveries / ((performance.now() - begun) / 1_000);
  const messages = await fixture.messagesOf(ids);
  const answeringFrom = performance.now();
  await fixture.answerAll(messages, ids);
  return { started, applied: storeDeliveries / ((performance.now() - answeringFrom) / 1_000) };
}

async function emptyCalls(pool: Pool, count: number, block: number): Promise<number> {
  const begun = performance.now();
  let next = 0;
  const loop = async () => {
    for (let i = next++; i < count; i = next++) {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: `/restate/call/canary/bare-${block}-${i}/ping`,
      });
      await body.dump();
      if (statusCode >= 300) throw new Error(`the engine answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return count / ((performance.now() - begun) / 1_000);
}
