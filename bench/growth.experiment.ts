/**
 * Compares the processor time of an event, a store delivery, a GET and a list in a small installation with the same in
 * one that is filled step by step: first with organizations, then with releases, then with days of history and old
 * deliveries. One organization has 30 % of everything there; the work measured is that of others. Both run on this
 * machine and take turns. What the idle installations use is subtracted, and reported: pollers must not grow either.
 * PostgreSQL runs both, so its idle time is that of both.
 *
 * The bar, at full size: each costs at most 1.3 times as much. It fails when a query depends on the size of a table, or
 * a poller on the number of organizations.
 */

import type { OrgClient } from '../apps/service/test/test-service.ts';
import type { Experiment, Lab } from '../scripts/experiments/experiment.ts';
import { openDeliveryFixture } from './delivery-fixture.ts';
import { compareCosts, fillTables } from './delivery-growth.ts';
import { fillHistory, fillOrganizations, fillReleases } from './growth-fill.ts';
import { recordStatements } from './unit-database.ts';
import { openUnitMeter } from './unit-meter.ts';
import { deliverToStores, openRequests, sendEventsAlone } from './unit-work.ts';
import { webhookFixtureOn } from './webhook-fixture.ts';

const plans = {
  start: {
    rounds: 1,
    idleSeconds: 0.5,
    trailMs: 100,
    few: { organizations: 5, releases: 100, days: 1, eventsPerDay: 50, deliveries: 10 },
    many: { organizations: 50, releases: 1_000, days: 3, eventsPerDay: 50, deliveries: 100 },
    work: { events: 5, deliveries: 1, storesEach: 5, requests: 20 },
  },
  small: {
    rounds: 5,
    idleSeconds: 10,
    trailMs: 500,
    few: { organizations: 10, releases: 10_000, days: 1, eventsPerDay: 10_000, deliveries: 1_000 },
    many: {
      organizations: 10_000,
      releases: 500_000,
      days: 30,
      eventsPerDay: 10_000,
      deliveries: 50_000,
    },
    work: { events: 60, deliveries: 4, storesEach: 25, requests: 400 },
  },
  full: {
    rounds: 5,
    idleSeconds: 30,
    trailMs: 1_000,
    few: {
      organizations: 10,
      releases: 10_000,
      days: 1,
      eventsPerDay: 100_000,
      deliveries: 10_000,
    },
    many: {
      organizations: 10_000,
      releases: 10_000_000,
      days: 30,
      eventsPerDay: 100_000,
      deliveries: 1_000_000,
    },
    work: { events: 100, deliveries: 6, storesEach: 25, requests: 2_000 },
  },
} as const;
type Plan = (typeof plans)[keyof typeof plans];

const ports = { few: 27_788, many: 27_792 };
const endpoints = 10;
const readers = 5;

export const experiment: Experiment = {
  compares:
    'processor time of an event, a store delivery, a GET and a list in a filled installation, against a small one',
  bar: (size) => {
    const bound = { atMost: 1.3 };
    return {
      ratios: { equals: measured.length },
      // In the smaller sizes there is too little work for a ratio.
      ...(size === 'full' && { event: bound, store_delivery: bound, get: bound, list: bound }),
    };
  },
  run: async (lab) => {
    const plan = plans[lab.size];
    await recordStatements(lab.fleet);
    const few = await openSite(lab, plan, ports.few);
    const many = await openSite(lab, plan, ports.many);
    const stages: Record<string, Record<Measured, number>> = {};
    const idle: Record<string, object> = {};
    for (const [stage, fill] of Object.entries(fills)) {
      const begun = Date.now();
      await fill(few, plan.few);
      await fill(many, plan.many);
      lab.say(`${stage} filled in ${Math.round((Date.now() - begun) / 1_000)} s`);
      // The smallest size only shows that it runs: all is filled, then measured once.
      if (lab.size === 'start' && stage !== 'history') continue;
      const [idleFew, idleMany] = await Promise.all(
        [few, many].map(({ meter }) => meter.measureIdle(plan.idleSeconds)),
      );
      idle[stage] = { few: idleFew?.cpu_ms, many: idleMany?.cpu_ms };
      lab.say(`${stage}, idle, per second: ${JSON.stringify(idle[stage])}`);
      stages[stage] = await compareSites(lab, plan, few, many);
      lab.say(`${stage}: ${JSON.stringify(stages[stage])}`);
    }
    const tables = await many.meter.database.readSizes();
    await Promise.all([few.close(), many.close()]);
    const worst = worstOf(Object.values(stages));
    const ratios = Object.values(worst).filter(Number.isFinite).length;
    return {
      ratios,
      ...worst,
      stages,
      idle_ms_per_second: idle,
      few: plan.few,
      many: plan.many,
      tables,
    };
  },
};

const measured = ['event', 'store_delivery', 'get', 'list'] as const;
type Measured = (typeof measured)[number];

const worstOf = (stages: readonly Record<Measured, number>[]): Record<Measured, number> =>
  Object.fromEntries(
    measured.map((name) => [name, Math.max(...stages.map((stage) => stage[name]))]),
  ) as Record<Measured, number>;

type Amounts = Plan['few' | 'many'];

/** In this order, each upon the ones before. */
const fills: Readonly<Record<string, (site: Site, amounts: Amounts) => Promise<void>>> = {
  organizations: ({ service }, { organizations }) =>
    fillOrganizations(service.query, organizations),
  releases: ({ service }, { releases }) => fillReleases(service.query, releases),
  history: async ({ service, deliveries }, amounts) => {
    await fillHistory(service.query, amounts.days, amounts.eventsPerDay);
    await fillTables(deliveries, amounts.deliveries);
  },
};

type Site = Awaited<ReturnType<typeof openSite>>;

async function openSite(lab: Lab, { trailMs, work }: Plan, port: number) {
  const deliveries = await openDeliveryFixture(port);
  const { service } = deliveries;
  const webhooks = await webhookFixtureOn(deliveries);
  const meter = await openUnitMeter(deliveries, lab.fleet, { trailMs, flushMs: 0 });
  const audience = await webhooks.givenAudience(endpoints, 1);
  const partners: OrgClient[] = await service.givenOrganizations(readers);
  const requests = openRequests(meter, partners);
  await requests.createReleases(work.requests);
  const units: Record<Measured, () => Promise<number>> = {
    event: async () => {
      const send = () => sendEventsAlone(webhooks, audience, work.events);
      return (await meter.measure(work.events, send)).cpu_ms.total;
    },
    store_delivery: async () => {
      const releases = await deliveries.givenReleases(work.deliveries);
      const deliver = () => deliverToStores(deliveries, meter, work.storesEach, releases);
      return (await meter.measure(work.deliveries * work.storesEach, deliver)).cpu_ms.total;
    },
    get: async () =>
      (await meter.measure(work.requests, () => requests.get(work.requests))).cpu_ms.total,
    list: async () =>
      (await meter.measure(work.requests, () => requests.list(work.requests))).cpu_ms.total,
  };
  return {
    service,
    deliveries,
    meter,
    units,
    close: async () => {
      await requests.close();
      await meter.close();
      await webhooks.receiver.close();
      await deliveries.close();
    },
  };
}

/** The cost at the filled installation divided by that at the small one. */
async function compareSites({ say }: Lab, { rounds }: Plan, few: Site, many: Site) {
  const ratios: Partial<Record<Measured, number>> = {};
  for (const name of measured) {
    const costs = await compareCosts(
      rounds,
      [
        { name: `${name} few`, cost: few.units[name] },
        { name: `${name} many`, cost: many.units[name] },
      ],
      say,
    );
    ratios[name] = costs[`${name} many`] ?? Number.NaN;
  }
  return ratios as Record<Measured, number>;
}
