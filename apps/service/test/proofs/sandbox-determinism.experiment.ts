/**
 * The sandbox is reproducible: the same seed and the same requests, in organizations of their own, at different
 * times and side by side. Under a manual clock everything that is announced is the same, in the same order, at
 * the same business time. Under a running one, real time passes between requests, so that what happens to
 * different stores may be announced in another order; what happens to each store is the same.
 */

import type { Experiment, Lab } from '../../../../scripts/experiments/experiment.ts';
import { openFullStack } from '../full-stack.ts';
import { type Partner, partnerOf } from '../sandbox-partner.ts';
import type { Reply, TestService } from '../test-service.ts';
import { runConcurrently } from './client.ts';

type Json = Reply['json'];

const runsOf = { start: 3, small: 20, full: 100 };
const atOnce = 4;
const begin = '2027-03-01T09:00:00.000Z';
const seed = 20_270_301;

const references = ['night-drive', 'low-tide', 'paper-moon', 'after-hours'];
const stores = ['aurora', 'cascade', 'firefly', 'hanami', 'indigo', 'kilima'];

export const experiment: Experiment = {
  compares:
    'what is announced in organizations that get the same requests and the same seed, with each other',
  bar: (size) => ({
    manual_runs: { equals: runsOf[size] },
    running_runs: { equals: runsOf[size] },
    manual_stories: { equals: 1 },
    running_stories: { equals: 1 },
    // Otherwise the comparison would see nothing.
    stories_with_another_seed: { equals: 2 },
    events_each: { atLeast: 100 },
    kinds_of_turns: { atLeast: 7 },
  }),
  run: async (lab) => {
    const began = performance.now();
    const working = await openFullStack(26_880);
    try {
      await working.service.admin('stores', 'seed');
      const { service } = working;
      const manual = await runAll(lab, service, 'manual', seed, runsOf[lab.size]);
      const other = await runAll(lab, service, 'manual', seed + 1, 1);
      const running = await runAll(lab, service, 'running', seed, runsOf[lab.size]);
      const whole = manual.map(formatAllEvents);
      return {
        seed,
        manual_runs: manual.length,
        running_runs: running.length,
        manual_stories: new Set(whole).size,
        running_stories: new Set(running.map(formatEventsByStore)).size,
        stories_with_another_seed: new Set([...whole.slice(0, 1), ...other.map(formatAllEvents)])
          .size,
        events_each: manual[0]?.length ?? 0,
        kinds_of_turns: new Set(manual[0]?.map(({ data }) => data.store?.status ?? '')).size,
        seconds: Math.round((performance.now() - began) / 1_000),
      };
    } finally {
      await working.close();
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
  const stories: Json[][] = [];
  let left = runs;
  await runConcurrently(Math.min(atOnce, runs), async () => {
    if (left-- <= 0) return false;
    const partner = partnerOf(service, await service.givenOrganization());
    stories.push(await runPartner(partner, mode, scenarioSeed));
    say(`${mode}: ${stories.length} of ${runs} played`);
    return true;
  });
  return stories;
}

/** The same requests every time. Returns what was announced since it began. */
async function runPartner(partner: Partner, mode: string, scenarioSeed: number): Promise<Json[]> {
  await partner.setMode(mode);
  await partner.advance({ to: begin });
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
  const usually = [
    { action: 'reject', code: 'metadata_error', chance: 0.3 },
    { action: 'delay', after: '4h', chance: 0.5 },
  ];
  await partner.addScenario(usually, { seed: scenarioSeed });
  const own: readonly (readonly [string, readonly object[]])[] = [
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
  for (const [store_id, steps] of own) {
    await partner.addScenario(steps, { store_id, seed: scenarioSeed, message: 'deliver' });
  }
}

/** What was rejected is corrected and sent again. */
async function correctAndResubmit(partner: Partner, id: string, releaseId: string): Promise<void> {
  const statuses = Object.values(await partner.statusByStore(id));
  if (!statuses.includes('rejected')) return;
  await partner.ask('PATCH', `/v1/releases/${releaseId}`, { title: 'Corrected' });
  await partner.ask('POST', `/v1/deliveries/${id}/resubmit`, {});
}

/** Ids and codes differ between any two organizations; each is called by when it came up first. */
function anonymous(text: string): string {
  const names = new Map<string, string>();
  return text.replaceAll(/\b[a-z]{3}_[0-9a-z]{26}\b|\b\d{12,14}\b|\bQZTST\d+\b/g, (id) => {
    const name = names.get(id) ?? `#${names.size}`;
    names.set(id, name);
    return name;
  });
}

/** Every event whole, with its time and its place. */
const formatAllEvents = (events: readonly Json[]): string => anonymous(JSON.stringify(events));

/** What was announced of each store of each release, in order. */
function formatEventsByStore(events: readonly Json[]): string {
  const referenceOf = new Map(
    events
      .filter(({ type }) => type === 'release.created')
      .map(({ data }) => [data.id, data.reference]),
  );
  const stories = new Map<string, string[]>();
  for (const { type, data } of events) {
    if (data.store === undefined) continue;
    const key = `${referenceOf.get(data.release_id)} ${data.store.store_id}`;
    const turn = [type, data.store.status, data.store.rejection_code].join(' ');
    stories.set(key, [...(stories.get(key) ?? []), turn]);
  }
  return JSON.stringify([...stories].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
