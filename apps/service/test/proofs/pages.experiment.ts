/**
 * Contract §1: a walk through a list, page by page, while others insert. The clock stands still, so that
 * whole groups of rows share their timestamp and only the id keeps them apart. Whatever was there when
 * the walk began is seen, and nothing is seen twice.
 */

import type { Experiment } from '../../../../scripts/experiments/experiment.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';
import { runConcurrently } from './client.ts';
import { type Random, seededRandom } from './random.ts';

const walksOf = { start: 1_000, small: 1_000, full: 20_000 };
const organizations = 10;
const rowsAtFirst = 40;
const rowsMax = 90;
const concurrency = 6;
const limits = [1, 3, 7, 7, 20, 20, 100];
const instants = Array.from({ length: 30 }, (_, i) => new Date(Date.UTC(2026, 10, 1, 0, 0, i)));

/** What a label has been told exists, list by list. */
type KnownRows = {
  readonly label: OrgClient;
  readonly releases: string[];
  readonly revised: { readonly id: string; count: number };
  readonly events: string[];
};

type List = {
  readonly path: (shelf: KnownRows) => string;
  readonly known: (shelf: KnownRows) => readonly string[];
  readonly nameOf: (item: Record<string, unknown>) => string;
};

const lists: readonly List[] = [
  {
    path: () => '/v1/releases?',
    known: ({ releases }) => releases,
    nameOf: ({ id }) => String(id),
  },
  {
    path: () => '/v1/releases?status=draft&label=Test%20Records&',
    known: ({ releases }) => releases,
    nameOf: ({ id }) => String(id),
  },
  {
    path: ({ revised }) => `/v1/releases/${revised.id}/revisions?`,
    known: ({ revised }) => Array.from({ length: revised.count }, (_, i) => String(i + 1)),
    nameOf: ({ revision }) => String(revision),
  },
  { path: () => '/v1/events?', known: ({ events }) => events, nameOf: ({ id }) => String(id) },
  {
    path: () => '/v1/events?after=0&',
    known: ({ events }) => events,
    nameOf: ({ id }) => String(id),
  },
];

export const experiment: Experiment = {
  compares:
    'list walks during concurrent inserts with equal timestamps, against what existed at their start',
  bar: (size) => ({
    walks: { atLeast: walksOf[size] },
    rows_inserted_meanwhile: { atLeast: 100 },
    walks_overtaken_by_inserts: { atLeast: walksOf[size] / 20 },
    skipped: { equals: 0 },
    repeated: { equals: 0 },
    refused: { equals: 0 },
  }),
  run: async ({ size, say }) => {
    const random = seededRandom();
    const service = await openTestService({ now: instants[0]!.toISOString() });
    const shelves: KnownRows[] = [];
    while (shelves.length < organizations) shelves.push(await createKnownRows(service, random));
    const counts = {
      walks: 0,
      pages: 0,
      inserted: 0,
      overtaken: 0,
      skipped: 0,
      repeated: 0,
      refused: 0,
    };
    const walks = walksOf[size];

    const walk = async (): Promise<boolean> => {
      if (counts.walks >= walks) return false;
      counts.walks++;
      if (counts.walks % (walks / 5) === 0) say(`${counts.walks} walks, ${counts.pages} pages`);
      const [list, shelf, limit] = [random.pick(lists), random.pick(shelves), random.pick(limits)];
      const before = new Set(list.known(shelf));
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = `limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const { status, json } = await shelf.label.call('GET', `${list.path(shelf)}${query}`);
        counts.pages++;
        if (status !== 200) {
          counts.refused++;
          return true;
        }
        seen.push(...json.data.map(list.nameOf));
        cursor = json.next_cursor;
      }
      const distinct = new Set(seen);
      counts.repeated += seen.length - distinct.size;
      for (const name of before) if (!distinct.has(name)) counts.skipped++;
      if (list.known(shelf).length > before.size) counts.overtaken++;
      return true;
    };
    const insert = async (): Promise<boolean> => {
      const shelf = random.pick(shelves);
      // A list that grew without end would only be walked once.
      if (shelf.releases.length >= rowsMax)
        shelves[shelves.indexOf(shelf)] = await createKnownRows(service, random);
      else counts.inserted += await addRow(service, shelf, random);
      return counts.walks < walks;
    };
    await Promise.all([runConcurrently(concurrency, walk), runConcurrently(2, insert)]);
    await service.close();
    return {
      seed: random.seed,
      walks: counts.walks,
      pages: counts.pages,
      rows_inserted_meanwhile: counts.inserted,
      walks_overtaken_by_inserts: counts.overtaken,
      skipped: counts.skipped,
      repeated: counts.repeated,
      refused: counts.refused,
    };
  },
};

async function createKnownRows(service: TestService, random: Random): Promise<KnownRows> {
  const label = await service.givenOrganization();
  const { json } = await label.call('POST', '/v1/releases', draft());
  const shelf: KnownRows = {
    label,
    releases: [json.id],
    revised: { id: json.id, count: 1 },
    events: [],
  };
  for (let i = 1; i < rowsAtFirst; i++) await addRow(service, shelf, random);
  return shelf;
}

/** A release, its event, and now and then another revision of the first; known once it is answered. */
async function addRow(service: TestService, shelf: KnownRows, random: Random): Promise<number> {
  // Back and forth: rows also arrive behind where a walk already is.
  if (random.below(4) === 0) await service.clock.set(random.pick(instants).toISOString());
  const { status, json } = await shelf.label.call('POST', '/v1/releases', draft());
  if (status !== 201) throw new Error(`an insert was answered ${status}`);
  shelf.releases.push(json.id);
  if (random.below(2) === 0) {
    const genre = `Genre ${random.below(1e9)}`;
    const patch = await shelf.label.call('PATCH', `/v1/releases/${shelf.revised.id}`, { genre });
    if (patch.status !== 200) throw new Error(`a change was answered ${patch.status}`);
    shelf.revised.count++;
  }
  await service.sequenceEvents();
  const events = await shelf.label.call('GET', '/v1/events?limit=20');
  const known = new Set(shelf.events);
  shelf.events.push(
    ...events.json.data.map(({ id }: { id: string }) => id).filter((id: string) => !known.has(id)),
  );
  return 1;
}
