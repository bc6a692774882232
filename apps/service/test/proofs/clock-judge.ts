/** Compares the announced events with the model's: each once, in order, and none before its time. */

import { setTimeout as wait } from 'node:timers/promises';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import { type Forecast, formatByStore } from './clock-forecast.ts';
import { formatApiStore } from './clock-format.ts';
import type { Sequence } from './clock-script.ts';
import type { AnnouncedEvent } from './clock-types.ts';
import { hangMs } from './hang-limit.ts';
import type { Query } from './lasting-queries.ts';

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
  Object.fromEntries(mismatchKinds.map((kind) => [kind, 0])) as MismatchCounts;

type Json = Record<string, unknown>;
type Event = Json & { readonly sequence: number; readonly data: Json };

const pageSize = 100;

/** Waits until the relay has given every event its sequence number, then returns the events about deliveries. */
export async function readEvents(
  query: Query,
  orgId: string,
  request: (method: 'GET', path: string) => Promise<Json>,
): Promise<readonly Event[]> {
  const deadline = Date.now() + hangMs;
  const findUnsequenced = () =>
    query('select id from events where org_id = $1 and sequence is null limit 1', [
      toUuid(orgId as Id<'org'>),
    ]);
  while ((await findUnsequenced()).length > 0) {
    if (Date.now() > deadline) throw new Error('the relay did not number all events');
    await wait(200);
  }
  const events: Event[] = [];
  for (let after = 0, hasMore = true; hasMore;) {
    const page = await request('GET', `/v1/events?after=${after}&limit=${pageSize}`);
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

/** In the model's format, in which revisions are counted from the submitted one. */
function toAnnouncedEvent(event: Event, { deliveries, releases }: SequenceResult): AnnouncedEvent {
  const { data } = event;
  const id = data['delivery_id'] ?? data['id'];
  const index = deliveries.findIndex((delivery) => delivery.id === id);
  const base = releases[deliveries[index]?.release ?? 0]?.revision ?? 0;
  const store = data['store'] as Json | undefined;
  return {
    delivery: index,
    store: store === undefined ? null : (store['store_id'] as string),
    text: [event['type'], data['status'], ...(store ? [formatApiStore(store, base)] : [])].join(
      ' ',
    ),
    at: Date.parse(event['created_at'] as string),
  };
}

const lineOf = ({ delivery, store, text }: AnnouncedEvent): string =>
  `${delivery} ${store} ${text}`;
const timeOf = ({ at }: AnnouncedEvent): string => new Date(at).toISOString();

/**
 * Compares the n-th event of a text with the n-th expected event of that text. In the forecast of a loose sequence no
 * time passes between requests, so its events may be announced later than forecast, but never earlier.
 */
export function judgeEvents(
  recordMismatch: RecordMismatch,
  { timing }: Sequence,
  { events: expected }: Forecast,
  result: SequenceResult,
): number {
  const actual = result.events.map((event) => toAnnouncedEvent(event, result));
  const expectedBy = Map.groupBy(expected, lineOf);
  const actualBy = Map.groupBy(actual, lineOf);
  for (const line of new Set([...expectedBy.keys(), ...actualBy.keys()])) {
    judgeLine(recordMismatch, timing, expectedBy.get(line) ?? [], actualBy.get(line) ?? []);
  }
  if (formatOrder(timing, actual) !== formatOrder(timing, expected))
    recordMismatch('out_of_order', firstOf(expected, actual));
  return actual.length;
}

function judgeLine(
  recordMismatch: RecordMismatch,
  timing: Sequence['timing'],
  expected: readonly AnnouncedEvent[],
  found: readonly AnnouncedEvent[],
): void {
  const [one] = [...expected, ...found];
  const line = one === undefined ? '' : lineOf(one);
  if (expected.length > found.length) recordMismatch('missing', line);
  if (found.length > expected.length)
    recordMismatch(expected.length > 0 ? 'twice' : 'unexpected', line);
  for (const [i, event] of found.entries()) {
    const expectedEvent = expected[i];
    if (expectedEvent === undefined || event.at === expectedEvent.at) continue;
    const times = `${line} at ${timeOf(event)}, not ${timeOf(expectedEvent)}`;
    if (event.at < expectedEvent.at) recordMismatch('early', times);
    else if (timing === 'exact') recordMismatch('late', times);
  }
}

/** The events of an exact sequence have one order; those of a loose sequence have an order per store. */
const formatOrder = (timing: Sequence['timing'], events: readonly AnnouncedEvent[]): string =>
  timing === 'exact' ? events.map(lineOf).join('\n') : formatByStore(events);

function firstOf(expected: readonly AnnouncedEvent[], actual: readonly AnnouncedEvent[]): string {
  const i = expected.findIndex(
    (each, at) => actual[at] === undefined || lineOf(each) !== lineOf(actual[at]),
  );
  const [is, should] = [actual[i], expected[i]];
  return `event ${i} is ${is && lineOf(is)}, not ${should && lineOf(should)}`;
}
