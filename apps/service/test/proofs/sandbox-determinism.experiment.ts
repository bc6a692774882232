/**
 * Compares the events of many organizations that send the same requests with the same seed, at different times and side
 * by side. With a manual clock all events are equal, in the same order and at the same business time. With a running
 * clock real time passes between requests, so the order between stores may differ; the events of each store are equal.
 *
 * The bar: one distinct list of events for all manual runs and one for all running runs; two when a run with another
 * seed is added, so that the comparison is able to fail; at least 100 events and 7 store statuses in each run. It fails
 * when an answer of a fictional store depends on anything but the seed and the requests.
 */

import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { openFullStack } from '../full-stack.ts';
import { type Partner, partnerOf } from '../sandbox-partner.ts';
import type { Reply, TestService } from '../test-service.ts';
import { runConcurrently } from './client.ts';

type Json = Reply['json'];

const runsOf = { start: 3, small: 20, full: 100 };
const atOnce = 4;
const startAt = '2027-03-01T09:00:00.000Z';
const seed = 20_270_301;

const references = ['night-drive', 'low-tide', 'paper-moon', 'after-hours'];
const stores = ['aurora', 'cascade', 'firefly', 'hanami', 'indigo', 'kilima'];

export const experiment: Experiment = {
  compares:
    'the events of organizations that send the same requests with the same seed, with each other',
  bar: (size) => ({
    manual_runs: { equals: runsOf[size] },
    running_runs: { equals: runsOf[size] },
    manual_stories: { equals: 1 },
    running_stories: { equals: 1 },
    // Shows that the comparison notices a difference.
    stories_with_another_seed: { equals: 2 },
    events_each: { atLeast: 100 },
    kinds_of_turns: { atLeast: 7 },
  }),
  run: async (lab) => {
    const startedAt = performance.now();
    const stack = await openFullStack(26_880);
    try {
      await stack.service.admin('stores', 'seed');
      const { service } = stack;
      const manual = await runAll(lab, service, 'manual', seed, runsOf[lab.size]);
      const other = await runAll(lab, service, 'manual', seed + 1, 1);
      const running = await runAll(lab, service, 'running', seed, runsOf[lab.size]);
      const fullTexts = manual.map(formatAllEvents);
      return {
        seed,
        manual_runs: manual.length,
        running_runs: running.length,
        manual_stories: new Set(fullTexts).size,
        running_stories: new Set(running.map(formatEventsByStore)).size,
        stories_with_another_seed: new Set([
          ...fullTexts.slice(0, 1),
          ...other.map(formatAllEvents),
        ]).size,
        events_each: manual[0]?.length ?? 0,
        kinds_of_turns: new Set(manual[0]?.map(({ data }) => data.store?.status ?? '')).size,
        seconds: Math.round((performance.now() - startedAt) / 1_000),
      };
    } finally {
      await stack.close();
    }
  },
};

async function runAll(
  { say }: Lab,
  service: TestService,
  mode: string,
  scenarioSeed: number,
  runs: number,
): Promise<readonly (readonly Json[])[]> {
  const eventsOfRuns: Json[][] = [];
  let left = runs;
  await runConcurrently(Math.min(atOnce, runs), async () => {
    if (left-- <= 0) return false;
    const partner = partnerOf(service, await service.givenOrganization());
    eventsOfRuns.push(await runPartner(partner, mode, scenarioSeed));
    say(`${mode}: ${eventsOfRuns.length} of ${runs} runs ended`);
    return true;
  });
  return eventsOfRuns;
}

/** Sends the same requests every time. Returns the events. */
async function runPartner(partner: Partner, mode: string, scenarioSeed: number): Promise<Json[]> {
  await partner.setMode(mode);
  await partner.advance({ to: startAt });
  await createScenarios(partner, scenarioSeed);
  const deliveries: string[] = [];
  const releases: string[] = [];
  for (const reference of references) {
    releases.push(await partner.submit({ reference, release_date: '2027-03-05' }));
    deliveries.push((await partner.deliver(releases.at(-1) ?? '', stores)).id);
  }
  for (const by of ['0s', '7h', '3d', '2d']) await partner.advance({ by });
  for (const [i, id] of deliveries.entries())
    await correctAndResubmit(partner, id, releases[i] ?? '');
  await partner.advance({ by: '5d' });
  for (const id of deliveries.slice(0, 3)) {
    await partner.ask('POST', `/v1/deliveries/${id}/takedown`, {});
  }
  for (const by of ['30h', '72h', '20d']) await partner.advance({ by });
  return partner.events();
}

async function createScenarios(partner: Partner, scenarioSeed: number): Promise<void> {
  const forEveryStore = [
    { action: 'reject', code: 'metadata_error', chance: 0.3 },
    { action: 'delay', after: '4h', chance: 0.5 },
  ];
  await partner.addScenario(forEveryStore, { seed: scenarioSeed });
  const byStore: readonly (readonly [string, readonly object[]])[] = [
    [
      'aurora',
      [
        { action: 'outage', lasts: '6h' },
        { action: 'flag', resolves: 'confirm' },
      ],
    ],
    ['firefly', [{ action: 'duplicate', times: 3 }]],
    ['hanami', [{ action: 'lose', chance: 0.5 }]],
    ['kilima', [{ action: 'late', after: '2h' }]],
  ];
  for (const [store_id, steps] of byStore) {
    await partner.addScenario(steps, { store_id, seed: scenarioSeed, message: 'deliver' });
  }
}

/** Corrects and resubmits the release if a store rejected it. */
async function correctAndResubmit(partner: Partner, id: string, releaseId: string): Promise<void> {
  const statuses = Object.values(await partner.statusByStore(id));
  if (!statuses.includes('rejected')) return;
  await partner.ask('PATCH', `/v1/releases/${releaseId}`, { title: 'Corrected' });
  await partner.ask('POST', `/v1/deliveries/${id}/resubmit`, {});
}

/** Replaces ids and codes, which differ between organizations, by the order of their first appearance. */
function withoutIds(text: string): string {
  const names = new Map<string, string>();
  return text.replaceAll(/\b[a-z]{3}_[0-9a-z]{26}\b|\b\d{12,14}\b|\bQZTST\d+\b/g, (id) => {
    const name = names.get(id) ?? `#${names.size}`;
    names.set(id, name);
    return name;
  });
}

/** All events with all fields, in their order. */
const formatAllEvents = (events: readonly Json[]): string => withoutIds(JSON.stringify(events));

/** The events of each store of each release, in order. */
function formatEventsByStore(events: readonly Json[]): string {
  const referenceOf = new Map(
    events
      .filter(({ type }) => type === 'release.created')
      .map(({ data }) => [data.id, data.reference]),
  );
  const stepsByStore = new Map<string, string[]>();
  for (const { type, data } of events) {
    if (data.store === undefined) continue;
    const key = `${referenceOf.get(data.release_id)} ${data.store.store_id}`;
    const step = [type, data.store.status, data.store.rejection_code].join(' ');
    stepsByStore.set(key, [...(stepsByStore.get(key) ?? []), step]);
  }
  return JSON.stringify([...stepsByStore].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
