/**
 * Accounts for one unit of work: a request, an event to one endpoint, a store delivery, an asset. For each it prints the
 * processor time of every process, statements, transactions, round trips, invocations of the engine, bytes of the
 * write-ahead log, rows, and the ten statements that cost PostgreSQL the most. What the pollers cost without work is
 * measured in the same run, reported as `idle` (per second) and subtracted. docs/unit-costs.md has the table.
 *
 * The bar: no event is lost or arrives twice. The costs have none: they are read before and after a change.
 */

import type { Experiment, Lab } from '../scripts/experiments/experiment.ts';
import { openDeliveryFixture } from './delivery-fixture.ts';
import { recordStatements } from './unit-database.ts';
import { openUnitMeter, type UnitMeter } from './unit-meter.ts';
import { deliverToStores, openRequests, sendEventsAlone, uploadAudio } from './unit-work.ts';
import { openWebhookFixture, type WebhookFixture } from './webhook-fixture.ts';
import { measureUnderLoad } from './webhook-load.ts';

/** Idle for 30 s, because the worker watches the engine every 30 s. */
const plans = {
  start: {
    trailMs: 200,
    flushMs: 100,
    idleSeconds: 0.5,
    requests: 20,
    organizations: 4,
    events: 8,
    pacedSeconds: 1,
    warmSeconds: 1,
    deliveries: 4,
    storesEach: 5,
    manyDeliveries: 1,
    assets: 1,
    audioMs: 5_000,
  },
  small: {
    trailMs: 2_000,
    flushMs: 11_000,
    idleSeconds: 30,
    requests: 400,
    organizations: 100,
    events: 60,
    pacedSeconds: 10,
    warmSeconds: 3,
    deliveries: 30,
    storesEach: 25,
    manyDeliveries: 6,
    assets: 4,
    audioMs: 170_000,
  },
  full: {
    trailMs: 2_000,
    flushMs: 11_000,
    idleSeconds: 30,
    requests: 4_000,
    organizations: 100,
    events: 300,
    pacedSeconds: 30,
    warmSeconds: 10,
    deliveries: 150,
    storesEach: 25,
    manyDeliveries: 24,
    assets: 12,
    audioMs: 170_000,
  },
} as const;
type Plan = (typeof plans)[keyof typeof plans];

const ports = { events: 27_780, deliveries: 27_784 };
const pacedPerSecond = 100;
/** Of what is measured, this share is done once before, so that code is compiled and statements are prepared. */
const warmShare = 0.5;

export const experiment: Experiment = {
  compares:
    'the cost of one request, event, store delivery and asset, by process and server, against an idle service',
  bar: () => ({ lost: { equals: 0 }, repeated: { equals: 0 } }),
  run: async (lab) => {
    const plan = plans[lab.size];
    await recordStatements(lab.fleet);
    const first = await measureRequestsAndEvents(lab, plan);
    const second = await measureDeliveriesAndAssets(lab, plan);
    const { event_paced: paced } = first.units;
    return {
      lost: paced.lost,
      repeated: paced.repeated,
      units: { ...first.units, ...second.units },
      tables: { ...second.sizes, ...first.sizes },
      idle_per_second: { with_endpoints: first.idle, with_stores: second.idle },
    };
  },
};

const half = (units: number) => Math.ceil(units * warmShare);

/** Says the cost by process as soon as it is known. */
const saying =
  ({ say }: Lab) =>
  <T extends { readonly cpu_ms: object }>(name: string, cost: T): T => {
    say(`${name}: ${JSON.stringify(cost.cpu_ms)}`);
    return cost;
  };

async function measureRequestsAndEvents(lab: Lab, plan: Plan) {
  const fixture = await openWebhookFixture(ports.events);
  const meter = await openUnitMeter(fixture, lab.fleet, plan);
  const said = saying(lab);
  const audience = await fixture.givenAudience(plan.organizations, 1);
  const requests = openRequests(meter, await fixture.service.givenOrganizations(10));
  const paced = (seconds: number) =>
    measureUnderLoad(fixture, audience, { perSecond: pacedPerSecond, perTransaction: 1, seconds });
  await fixture.service.query('checkpoint');
  lab.say('warming up');
  for (const work of [
    requests.createReleases,
    requests.createTracks,
    requests.get,
    requests.list,
  ]) {
    await work(half(plan.requests));
  }
  await sendEventsAlone(fixture, audience, half(plan.events));
  await paced(plan.warmSeconds);
  await settleDatabase(fixture, meter);
  const idle = said('idle, per second', await meter.measureIdle(plan.idleSeconds));
  const { requests: count, events } = plan;
  const units = {
    release: said('release', await meter.measure(count, () => requests.createReleases(count))),
    track: said('track', await meter.measure(count, () => requests.createTracks(count))),
    get: said('get', await meter.measure(count, () => requests.get(count))),
    list: said('list', await meter.measure(count, () => requests.list(count))),
    event_alone: said(
      'event alone',
      await meter.measure(events, () => sendEventsAlone(fixture, audience, events)),
    ),
    event_paced: said('event paced', await measurePaced(meter, plan, paced)),
  };
  const sizes = await meter.database.readSizes();
  await requests.close();
  await meter.close();
  await fixture.close();
  return { units, idle, sizes };
}

type Paced = Awaited<ReturnType<typeof measureUnderLoad>>;

async function measurePaced(
  meter: UnitMeter,
  { pacedSeconds }: Plan,
  paced: (seconds: number) => Promise<Paced>,
) {
  let load: Paced | undefined;
  const cost = await meter.measure(pacedPerSecond * pacedSeconds, async () => {
    load = await paced(pacedSeconds);
    return load;
  });
  if (load === undefined) throw new Error('no events were sent');
  return { ...load, ...cost };
}

async function measureDeliveriesAndAssets(lab: Lab, plan: Plan) {
  const fixture = await openDeliveryFixture(ports.deliveries);
  const meter = await openUnitMeter(fixture, lab.fleet, plan);
  const said = saying(lab);
  const { deliveries, storesEach, manyDeliveries, assets, audioMs } = plan;
  const deliver = async (count: number, stores: number) =>
    deliverToStores(fixture, meter, stores, await fixture.givenReleases(count));
  await fixture.service.query('checkpoint');
  lab.say('warming up');
  await deliver(half(deliveries), 1);
  await deliver(half(manyDeliveries), storesEach);
  await uploadAudio(fixture.partner, meter, audioMs, 1);
  await settleDatabase(fixture, meter);
  const idle = said('idle, per second', await meter.measureIdle(plan.idleSeconds));
  const releases = await fixture.givenReleases(deliveries);
  const manyReleases = await fixture.givenReleases(manyDeliveries);
  const units = {
    store_delivery_alone: said(
      'store delivery alone',
      await meter.measure(deliveries, () => deliverToStores(fixture, meter, 1, releases)),
    ),
    store_delivery_of_many: said(
      `store delivery of ${storesEach}`,
      await meter.measure(manyDeliveries * storesEach, async () => ({
        stores_each: storesEach,
        ...(await deliverToStores(fixture, meter, storesEach, manyReleases)),
      })),
    ),
    asset: said(
      'asset',
      await meter.measure(assets, () => uploadAudio(fixture.partner, meter, audioMs, assets)),
    ),
  };
  const sizes = await meter.database.readSizes();
  await meter.close();
  await fixture.close();
  return { units, idle, sizes };
}

/** Autovacuum does this within a minute; until then PostgreSQL uses plans made for empty tables. */
async function settleDatabase(
  { service }: Pick<WebhookFixture, 'service'>,
  { database }: UnitMeter,
) {
  await service.query('analyze');
  await database.query('select pg_stat_statements_reset()');
}
