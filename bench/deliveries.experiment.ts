/**
 * Deliveries started and store answers heard per second, as shares of the bare engine doing as many empty
 * object calls. Started: from the first POST until every store was sent its message. Heard: from the first
 * answer taken in until every delivery is delivered. The engine, its worker and PostgreSQL are the same
 * processes, and take turns in one run. Then the same at the rates the service is built for, and what a store
 * costs as deliveries get more stores, and tables more deliveries.
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
    parts: 20,
    filled: [100, 1_000],
  },
  full: {
    rounds: 7,
    growthRounds: 3,
    deliveries: 10,
    storesEach: 150,
    seconds: 30,
    sizesEach: [10, 150, 400],
    parts: 1_200,
    filled: [10_000, 1_000_000],
  },
} as const;
const ports = [27_180, 27_280] as const;
const connections = 64;

export const experiment: Experiment = {
  compares:
    'store deliveries started and answers heard per second, against as many empty object calls to the bare engine',
  bar: (size) => {
    const isFull = size === 'full';
    const share = { atLeast: isFull ? 0.5 : 0 };
    return {
      started_share: share,
      heard_share: share,
      sustained_behind_seconds: { atMost: isFull ? 5 : 60 },
      burst_behind_seconds: { atMost: isFull ? 5 : 60 },
      stores_growth: { atMost: isFull ? 1.5 : 100 },
      tables_growth: { atMost: isFull ? 1.2 : 100 },
    };
  },
  run: async ({ size, say }) => {
    const chosen = sizes[size === 'start' ? 'start' : 'full'];
    const lab = await openDeliveryFixture(ports[0]);
    const shares = await measureShares(lab, chosen, say);
    say(JSON.stringify(shares));
    const { seconds } = chosen;
    const sustained = await measureUnderLoad(lab, { ...usual, seconds });
    say(`sustained: ${JSON.stringify(sustained)}`);
    const burst = await measureUnderLoad(lab, { ...peak, seconds });
    say(`burst: ${JSON.stringify(burst)}`);
    const stores = await measureStores(lab, chosen, say);
    await fillTables(lab, chosen.filled[0]);
    const tables = await measureTables(lab, chosen, say);
    await lab.close();
    return {
      ...shares,
      sustained,
      burst,
      sustained_behind_seconds: sustained.behind_seconds,
      burst_behind_seconds: burst.behind_seconds,
      stores_growth: Math.max(...Object.values(stores)),
      tables_growth: Math.max(...Object.values(tables)),
      growth: { stores, tables },
    };
  },
};

/** Architecture §2: 25 store deliveries a second, 400 in a burst. */
const usual = { perSecond: 25, storesEach: 25, answersAtOnce: 1 };
const peak = { perSecond: 400, storesEach: 150, answersAtOnce: 20 };

type Sizes = (typeof sizes)['start' | 'full'];
type Say = (line: string) => void;

const measureStores = (
  lab: DeliveryFixture,
  { growthRounds, sizesEach, parts: storeDeliveries }: Sizes,
  say: Say,
) =>
  compareCosts(
    growthRounds,
    sizesEach.map((storesEach) => ({
      name: `${storesEach} stores`,
      cost: () => costPerStore(lab, Math.ceil(storeDeliveries / storesEach), storesEach),
    })),
    say,
  );

/** Two installations beside each other, one full, so that whatever the machine does happens to both. */
async function measureTables(
  lab: DeliveryFixture,
  { growthRounds, deliveries, storesEach, filled }: Sizes,
  say: Say,
) {
  const [few, many] = filled;
  const full = await openDeliveryFixture(ports[1]);
  say(`filling the tables with ${many} deliveries`);
  await fillTables(full, many);
  const costs = await compareCosts(
    growthRounds,
    [lab, full].map((each, i) => ({
      name: `${i === 0 ? few : many} deliveries`,
      cost: () => costPerStore(each, deliveries, storesEach),
    })),
    say,
  );
  await full.close();
  return costs;
}

async function measureShares(lab: DeliveryFixture, size: Sizes, say: Say) {
  const { rounds, deliveries, storesEach } = size;
  const pool = new Pool(lab.urls.ingressUrl, { connections });
  let block = 0;
  let heard: number[] = [];
  const contenders = [
    {
      name: 'started',
      measure: async () => {
        const rates = await startAndAnswer(lab, deliveries, storesEach);
        heard.push(rates.heard);
        return rates.started;
      },
    },
    { name: 'bare', measure: () => emptyCalls(pool, deliveries * storesEach, block++) },
  ];
  for (const { measure } of contenders) await measure();
  // As autovacuum does within a minute: plans made for empty tables are made anew.
  await lab.service.query('analyze');
  heard = [];
  const results = await interleave(rounds, contenders, say);
  await pool.destroy();
  return figures({ ...results, heard }, { rounds, deliveries, storesEach });
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

async function startAndAnswer(lab: DeliveryFixture, deliveries: number, storesEach: number) {
  const releases = await lab.givenReleases(deliveries);
  const storeDeliveries = deliveries * storesEach;
  const begun = performance.now();
  const ids = await lab.start(releases, storesEach);
  const started = storeDeliveries / ((performance.now() - begun) / 1_000);
  const messages = await lab.messagesOf(ids);
  const asked = performance.now();
  await lab.answerAll(messages, ids);
  return { started, heard: storeDeliveries / ((performance.now() - asked) / 1_000) };
}

async function emptyCalls(pool: Pool, count: number, block: number): Promise<number> {
  const begun = performance.now();
  let next = 0;
  const lane = async () => {
    for (let i = next++; i < count; i = next++) {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: `/restate/call/canary/bare-${block}-${i}/ping`,
      });
      await body.dump();
      if (statusCode >= 300) throw new Error(`the engine answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return count / ((performance.now() - begun) / 1_000);
}
