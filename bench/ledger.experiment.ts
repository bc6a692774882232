/**
 * Compares the ledger with bare inserts of the same rows: into tables with the same columns, checks and indexes, without
 * triggers and row-level security, with versions and balances known beforehand. Both use the same driver.
 *
 * spread: transactions per second with one posting of two entries, on 8 connections, each of another organization.
 * hot: the same, all of one organization. A posting has the ledger of its organization locked until its commit is on
 * disk; the bare inserts commit together.
 * run: statements of six entries per second, one for each organization, posted in one transaction, against one
 * `insert … select` from a table that has the rows.
 * growth: the time of a posting on one connection, with many entries in the tables against few.
 *
 * The bars: shares of 0.5, growth within 1.2. They fail when a posting does more statements, or reads more rows.
 */

import type { OrgId } from '../apps/service/src/kernel/ids.ts';
import { openTestService, type TestService } from '../apps/service/test/test-service.ts';
import type { Experiment, Lab } from '../scripts/experiments/experiment.ts';
import { interleave, median, type Rounds, shareOf } from './blocks.ts';
import { fillLedger } from './ledger-growth.ts';
import { type Meter, openMeter } from './ledger-meter.ts';
import {
  createBareTables,
  makeOrgIds,
  openBareLedger,
  postOne,
  repeat,
} from './ledger-postings.ts';
import { openBareRuns, openRuns } from './ledger-run.ts';

const connections = 8;

const sizes = {
  start: {
    rounds: 1,
    postings: 40,
    organizations: 50,
    statements: 100,
    entries: { few: 1_000, many: 5_000 },
    growthPostings: 20,
  },
  full: {
    rounds: 9,
    postings: 2_000,
    organizations: 10_000,
    statements: 10_000,
    entries: { few: 1_000_000, many: 20_000_000 },
    growthPostings: 500,
  },
};
type LedgerSize = (typeof sizes)['full'];

export const experiment: Experiment = {
  compares: 'postings and runs per second, against bare inserts of the same rows',
  bar: (size) => {
    const atLeast = size === 'full' ? 0.5 : 0;
    return {
      spread_share: { atLeast },
      hot_share: { atLeast },
      run_share: { atLeast },
      growth: { atMost: size === 'full' ? 1.2 : 100 },
    };
  },
  run: async ({ size, say }) => {
    const chosen = sizes[size === 'start' ? 'start' : 'full'];
    const shares = await compareWithBare(chosen, say);
    const growth = await compareSizes(chosen, say);
    return { ...chosen, connections, ...shares, ...growth };
  },
};

async function compareWithBare(size: LedgerSize, say: Lab['say']) {
  const service = await openTestService({ connections });
  await createBareTables(service);
  const meter = await openMeter(service);
  const contenders = await contendersOf(service, meter, size);
  for (const { measure } of contenders) await measure();
  // Autovacuum does this within a minute; until then PostgreSQL uses plans made for an empty table.
  await service.query('analyze');
  for (const { measure } of contenders) await measure();
  const results = await interleave(size.rounds, contenders, say);
  await service.close();
  const spread = shareOf(results, 'spread', 'spread_bare');
  const hot = shareOf(results, 'hot', 'hot_bare');
  const run = shareOf(results, 'run', 'run_bare');
  return {
    spread_share: spread.median,
    hot_share: hot.median,
    run_share: run.median,
    spreads: { spread, hot, run },
    per_second: mediansOf(results),
    processor_ms: Object.fromEntries(contenders.map(({ name }) => [name, meter.costOf(name)])),
  };
}

async function contendersOf(service: TestService, meter: Meter, size: LedgerSize) {
  const many = makeOrgIds(size.organizations);
  const one = makeOrgIds(1);
  const ofRun = makeOrgIds(size.statements);
  const block = { count: size.postings, connections };
  const post = (orgId: OrgId) => postOne(service, orgId);
  const postBare = openBareLedger(service);
  const blocks = (name: string, orgIds: readonly OrgId[], work: typeof post) => ({
    name,
    measure: () => meter.measure(name, size.postings, () => repeat(orgIds, block, work)),
  });
  return [
    blocks('spread', many, post),
    blocks('spread_bare', many, postBare),
    blocks('hot', one, post),
    blocks('hot_bare', one, postBare),
    { name: 'run', measure: openRuns(service, meter, ofRun) },
    { name: 'run_bare', measure: await openBareRuns(service, meter, ofRun) },
  ];
}

/** Both databases take turns: a machine that becomes slower meanwhile is no growth. */
async function compareSizes(
  { rounds, organizations, entries, growthPostings }: LedgerSize,
  say: Lab['say'],
) {
  const orgIds = makeOrgIds(organizations);
  const services: TestService[] = [];
  const openFilled = async (name: 'few' | 'many') => {
    const service = await openTestService({ connections });
    services.push(service);
    await fillLedger(service, orgIds, entries[name]);
    say(`${entries[name]} entries are there`);
    const meter = await openMeter(service);
    const block = { count: growthPostings, connections: 1 };
    const post = (orgId: OrgId) => postOne(service, orgId);
    const measure = () => meter.measure(name, growthPostings, () => repeat(orgIds, block, post));
    return { name, measure, costOf: () => meter.costOf(name) };
  };
  const contenders = [await openFilled('few'), await openFilled('many')];
  for (const { measure } of contenders) await measure();
  const results = await interleave(rounds, contenders, say);
  for (const service of services) await service.close();
  const growth = shareOf(results, 'few', 'many');
  return {
    growth: growth.median,
    growth_spread: growth,
    growth_per_second: mediansOf(results),
    growth_processor_ms: Object.fromEntries(contenders.map(({ name, costOf }) => [name, costOf()])),
  };
}

const mediansOf = (results: Rounds) =>
  Object.fromEntries(
    Object.entries(results).map(([name, values]) => [name, Math.round(median(values))]),
  );
