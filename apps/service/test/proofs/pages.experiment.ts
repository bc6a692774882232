/**
 * Compares, for contract §1, the rows that a walk through a list returns, page by page, with the rows that existed when
 * it began, while other rows are inserted. The clock is fixed or set back and forth, so that many rows share
 * their timestamp and only the id distinguishes them.
 *
 * The bar: no row skipped, no row returned twice, no page refused, and enough walks during which rows were inserted. It
 * fails when a cursor does not include the id, or when an insert moves rows between pages.
 */

import type { Experiment } from '../../../../scripts/experiments/experiment.ts';
import { type OrgClient, draft, openTestService, type TestService } from '../test-service.ts';
import { runConcurrently } from './client.ts';
import { type Random, seededRandom } from './random.ts';

const walksOf = { start: 200, small: 1_000, full: 20_000 };
const organizations = 10;
const rowsAtFirst = 40;
const rowsMax = 90;
const concurrency = 6;
const limits = [1, 3, 7, 7, 20, 20, 100];
const instants = Array.from({ length: 30 }, (_, i) => new Date(Date.UTC(2026, 10, 1, 0, 0, i)));

/** The rows of each list that the api has confirmed to an organization. */
type KnownRows = {
  readonly partner: OrgClient;
  readonly releases: string[];
  readonly revised: { readonly id: string; count: number };
  readonly events: string[];
};

type List = {
  readonly path: (knownRows: KnownRows) => string;
  readonly known: (knownRows: KnownRows) => readonly string[];
  readonly idOf: (item: Record<string, unknown>) => string;
};

const lists: readonly List[] = [
  {
    path: () => '/v1/releases?',
    known: ({ releases }) => releases,
    idOf: ({ id }) => String(id),
  },
  {
    path: () => '/v1/releases?status=draft&label=Test%20Records&',
    known: ({ releases }) => releases,
    idOf: ({ id }) => String(id),
  },
  {
    path: ({ revised }) => `/v1/releases/${revised.id}/revisions?`,
    known: ({ revised }) => Array.from({ length: revised.count }, (_, i) => String(i + 1)),
    idOf: ({ revision }) => String(revision),
  },
  { path: () => '/v1/events?', known: ({ events }) => events, idOf: ({ id }) => String(id) },
  {
    path: () => '/v1/events?after=0&',
    known: ({ events }) => events,
    idOf: ({ id }) => String(id),
  },
];

export const experiment: Experiment = {
  compares:
    'list walks during concurrent inserts with equal timestamps, against what existed at their start',
  bar: (size) => ({
    walks: { atLeast: walksOf[size] },
    rows_inserted_meanwhile: { atLeast: Math.min(100, walksOf[size] / 5) },
    walks_overtaken_by_inserts: { atLeast: walksOf[size] / 20 },
    skipped: { equals: 0 },
    repeated: { equals: 0 },
    refused: { equals: 0 },
  }),
  run: async ({ size, say }) => {
    const random = seededRandom();
    const service = await openTestService({ now: instants[0]!.toISOString() });
    const allKnownRows: KnownRows[] = [];
    while (allKnownRows.length < organizations)
      allKnownRows.push(await createKnownRows(service, random));
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
      const [list, knownRows, limit] = [
        random.pick(lists),
        random.pick(allKnownRows),
        random.pick(limits),
      ];
      const before = new Set(list.known(knownRows));
      const walked: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = `limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const { status, json } = await knownRows.partner.call(
          'GET',
          `${list.path(knownRows)}${query}`,
        );
        counts.pages++;
        if (status !== 200) {
          counts.refused++;
          return true;
        }
        walked.push(...json.data.map(list.idOf));
        cursor = json.next_cursor;
      }
      const distinct = new Set(walked);
      counts.repeated += walked.length - distinct.size;
      for (const id of before) if (!distinct.has(id)) counts.skipped++;
      if (list.known(knownRows).length > before.size) counts.overtaken++;
      return true;
    };
    const insert = async (): Promise<boolean> => {
      const knownRows = random.pick(allKnownRows);
      // A list that grew without limit would take too long to walk: a new organization replaces it.
      if (knownRows.releases.length >= rowsMax)
        allKnownRows[allKnownRows.indexOf(knownRows)] = await createKnownRows(service, random);
      else counts.inserted += await addRow(service, knownRows, random);
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
  const partner = await service.givenOrganization();
  const { json } = await partner.call('POST', '/v1/releases', draft());
  const knownRows: KnownRows = {
    partner,
    releases: [json.id],
    revised: { id: json.id, count: 1 },
    events: [],
  };
  for (let i = 1; i < rowsAtFirst; i++) await addRow(service, knownRows, random);
  return knownRows;
}

/** Inserts a release with its event and, in half the calls, a revision of the first release. */
async function addRow(service: TestService, knownRows: KnownRows, random: Random): Promise<number> {
  // Time moves back and forth, so that rows are also inserted into the part that a walk has passed.
  if (random.below(4) === 0) await service.clock.set(random.pick(instants).toISOString());
  const { status, json } = await knownRows.partner.call('POST', '/v1/releases', draft());
  if (status !== 201) throw new Error(`an insert was answered ${status}`);
  knownRows.releases.push(json.id);
  if (random.below(2) === 0) {
    const genre = `Genre ${random.below(1e9)}`;
    const patch = await knownRows.partner.call('PATCH', `/v1/releases/${knownRows.revised.id}`, {
      genre,
    });
    if (patch.status !== 200) throw new Error(`a change was answered ${patch.status}`);
    knownRows.revised.count++;
  }
  await service.sequenceEvents();
  const events = await knownRows.partner.call('GET', '/v1/events?limit=20');
  const known = new Set(knownRows.events);
  knownRows.events.push(
    ...events.json.data.map(({ id }: { id: string }) => id).filter((id: string) => !known.has(id)),
  );
  return 1;
}
