/** What was announced, against what the model tells: each once, in order, and none before its time. */

import { setTimeout as wait } from 'node:timers/promises';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { type Forecast, formatByStore } from './clock-forecast.ts';
import type { Sequence } from './clock-script.ts';
import type { AnnouncedEvent } from './clock-types.ts';
import type { Query } from './deliveries-scenario.ts';

const mismatchKinds = [
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
  'never_fired',
  'clock_back',
  'clock_missed',
] as const;
type MismatchKind = (typeof mismatchKinds)[number];

export type RecordMismatch = (kind: MismatchKind, what: string) => void;

export type MismatchCounts = Record<MismatchKind, number>;

export const noMismatches = (): MismatchCounts =>
  Object.fromEntries(mismatchKinds.map((fault) => [fault, 0])) as MismatchCounts;

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

type SequenceResult = {
  readonly events: readonly Event[];
  readonly deliveries: readonly { readonly id: string; readonly release: number }[];
  readonly releases: readonly { readonly revision: number }[];
};

/** As the model spells it: revisions are counted from the one that was submitted. */
function toAnnouncedEvent(event: Event, { deliveries, releases }: SequenceResult): AnnouncedEvent {
  const { data } = event;
  const id = data['delivery_id'] ?? data['id'];
  const index = deliveries.findIndex((delivery) => delivery.id === id);
  const base = releases[deliveries[index]?.release ?? 0]?.revision ?? 0;
  const store = data['store'] as Json | undefined;
  return {
    delivery: index,
    store: store === undefined ? null : (store['store_id'] as string),
    text: [event['type'], data['status'], ...(store ? storeFieldsOf(store, base) : [])].join(' '),
    at: Date.parse(event['created_at'] as string),
  };
}

function storeFieldsOf(store: Json, base: number): readonly unknown[] {
  const pending = store['pending_revision'] as number | null;
  return [
    store['status'],
    (store['revision'] as number) - base,
    pending === null ? '-' : pending - base,
    store['rejection_code'] ?? '-',
  ];
}

const lineOf = ({ delivery, store, text }: AnnouncedEvent): string =>
  `${delivery} ${store} ${text}`;
const timeOf = ({ at }: AnnouncedEvent): string => new Date(at).toISOString();

/**
 * The n-th time something is said is held against the n-th time it should be. Of a loose sequence the forecast is
 * one in which no time passes: nothing can come before it, and it may come later.
 */
export function judgeEvents(
  recordMismatch: RecordMismatch,
  { timing: way }: Sequence,
  { events: told }: Forecast,
  result: SequenceResult,
): number {
  const actual = result.events.map((event) => toAnnouncedEvent(event, result));
  const expectedBy = Map.groupBy(told, lineOf);
  const actualBy = Map.groupBy(actual, lineOf);
  for (const line of new Set([...expectedBy.keys(), ...actualBy.keys()])) {
    judgeLine(recordMismatch, way, expectedBy.get(line) ?? [], actualBy.get(line) ?? []);
  }
  if (formatOrder(way, actual) !== formatOrder(way, told))
    recordMismatch('out_of_order', firstOf(told, actual));
  return actual.length;
}

function judgeLine(
  recordMismatch: RecordMismatch,
  way: Sequence['timing'],
  expected: readonly AnnouncedEvent[],
  found: readonly AnnouncedEvent[],
): void {
  const [one] = [...expected, ...found];
  const line = one === undefined ? '' : lineOf(one);
  if (expected.length > found.length) recordMismatch('missing', line);
  if (found.length > expected.length)
    recordMismatch(expected.length > 0 ? 'twice' : 'unexpected', line);
  for (const [i, event] of found.entries()) {
    const due = expected[i];
    if (due === undefined || event.at === due.at) continue;
    const times = `${line} at ${timeOf(event)}, not ${timeOf(due)}`;
    if (event.at < due.at) recordMismatch('early', times);
    else if (way === 'exact') recordMismatch('late', times);
  }
}

/** All of an exact sequence is in one order; of a loose one, what is said of one store is. */
const formatOrder = (way: Sequence['timing'], events: readonly AnnouncedEvent[]): string =>
  way === 'exact' ? events.map(lineOf).join('\n') : formatByStore(events);

function firstOf(told: readonly AnnouncedEvent[], actual: readonly AnnouncedEvent[]): string {
  const i = told.findIndex(
    (each, at) => actual[at] === undefined || lineOf(each) !== lineOf(actual[at]),
  );
  const [is, should] = [actual[i], told[i]];
  return `event ${i} is ${is && lineOf(is)}, not ${should && lineOf(should)}`;
}
