/** What was announced, against what the model tells: each once, in order, and none before its time. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import type { Forecast } from './clock-forecast.ts';
import type { Sequence } from './clock-script.ts';
import type { Told } from './clock-words.ts';
import type { Query } from './deliveries-play.ts';

const faults = [
  'wrong_states',
  'wrongly_refused',
  'wrongly_done',
  'early',
  'late',
  'twice',
  'missing',
  'unexpected',
  'out_of_order',
  'timers_left',
  'clock_back',
  'clock_missed',
] as const;
type Fault = (typeof faults)[number];

export type Note = (fault: Fault, what: string) => void;

export type Faults = Record<Fault, number>;

export const noFaults = (): Faults =>
  Object.fromEntries(faults.map((fault) => [fault, 0])) as Faults;

type Json = Record<string, unknown>;
type Event = Json & { readonly sequence: number; readonly data: Json };

const numberedWithinMs = 120_000;
const pageSize = 100;

/** Everything about deliveries, once the relay has numbered all of it. */
export async function readEvents(
  query: Query,
  orgId: string,
  ask: (method: 'GET', path: string) => Promise<Json>,
): Promise<readonly Event[]> {
  const deadline = Date.now() + numberedWithinMs;
  const unnumbered = () =>
    query('select id from events where org_id = $1 and sequence is null limit 1', [
      toUuid(orgId as Id<'org'>),
    ]);
  while ((await unnumbered()).length > 0) {
    if (Date.now() > deadline) throw new Error('events were never numbered');
    await wait(200);
  }
  const events: Event[] = [];
  for (let after = 0, hasMore = true; hasMore;) {
    const page = await ask('GET', `/v1/events?after=${after}&limit=${pageSize}`);
    const data = page['data'] as Event[];
    events.push(...data);
    hasMore = page['has_more'] === true;
    after = data.at(-1)?.sequence ?? after;
  }
  return events.filter(({ type }) => String(type).startsWith('delivery.'));
}

type Played = {
  readonly events: readonly Event[];
  readonly deliveries: readonly { readonly id: string; readonly release: number }[];
  readonly releases: readonly { readonly revision: number }[];
};

/** As the model spells it. */
function toTold(event: Event, { deliveries, releases }: Played): Told {
  const { data } = event;
  const id = data['delivery_id'] ?? data['id'];
  const index = deliveries.findIndex((delivery) => delivery.id === id);
  const base = releases[deliveries[index]?.release ?? 0]?.revision ?? 0;
  const store = data['store'] as Json | undefined;
  const pending = store?.['pending_revision'];
  const words = store && [
    store['status'],
    (store['revision'] as number) - base,
    typeof pending === 'number' ? pending - base : '-',
    store['rejection_code'] ?? '-',
  ];
  return {
    delivery: index,
    store: (store?.['store_id'] as string | undefined) ?? null,
    text: [event['type'], data['status'], ...(words ?? [])].join(' '),
    at: Date.parse(event['created_at'] as string),
  };
}

const lineOf = ({ delivery, store, text }: Told): string => `${delivery} ${store} ${text}`;
const timeOf = ({ at }: Told): string => new Date(at).toISOString();

/**
 * The n-th time something is said is held against the n-th time it should be. Of a loose sequence the forecast is
 * one in which no time passes: nothing can come before it, and it may come later.
 */
export function judgeEvents(
  note: Note,
  { way }: Sequence,
  { told }: Forecast,
  played: Played,
): number {
  const actual = played.events.map((event) => toTold(event, played));
  const expectedBy = Map.groupBy(told, lineOf);
  const actualBy = Map.groupBy(actual, lineOf);
  for (const line of new Set([...expectedBy.keys(), ...actualBy.keys()])) {
    const expected = expectedBy.get(line) ?? [];
    const found = actualBy.get(line) ?? [];
    if (expected.length > found.length) note('missing', line);
    if (found.length > expected.length) note(expected.length > 0 ? 'twice' : 'unexpected', line);
    for (const [i, event] of found.entries()) {
      const due = expected[i];
      if (due === undefined) continue;
      if (event.at < due.at) note('early', `${line} at ${timeOf(event)}, not ${timeOf(due)}`);
      if (event.at > due.at && way === 'exact') {
        note('late', `${line} at ${timeOf(event)}, not ${timeOf(due)}`);
      }
    }
  }
  if (spellOrder(way, actual) !== spellOrder(way, told))
    note('out_of_order', firstOf(told, actual));
  return actual.length;
}

/** All of an exact sequence is in one order; of a loose one, what is said of one store is. */
function spellOrder(way: Sequence['way'], told: readonly Told[]): string {
  if (way === 'exact') return told.map(lineOf).join('\n');
  const byStore = Map.groupBy(told, ({ delivery, store }) => `${delivery} ${store}`);
  return [...byStore]
    .map(([key, list]) => [key, ...list.map(({ text }) => text)].join('\n'))
    .toSorted()
    .join('\n');
}

function firstOf(told: readonly Told[], actual: readonly Told[]): string {
  const i = told.findIndex(
    (each, at) => actual[at] === undefined || lineOf(each) !== lineOf(actual[at]),
  );
  const [is, should] = [actual[i], told[i]];
  return `event ${i} is ${is && lineOf(is)}, not ${should && lineOf(should)}`;
}
