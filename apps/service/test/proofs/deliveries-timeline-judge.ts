/** Compares the timelines of the proof `deliveries` with the model, and the events with the timelines. */

import { aggregateOf, type Tally, tallyOf } from './deliveries-aggregate.ts';
import type { RecordMismatch } from './deliveries-judge.ts';
import type { StoreDelivery } from './deliveries-model.ts';
import { type Entry, type EventRow, isStep, type Step } from './deliveries-rows.ts';
import type { DeliveryScenario } from './deliveries-scenario.ts';

/** The timeline must contain exactly the requests and each store's steps, each step starting in the state before it. */
export function judgeTimeline(
  recordMismatch: RecordMismatch,
  { requests, fakeStores }: DeliveryScenario,
  timeline: readonly Entry[],
): void {
  const actualRequests = timeline
    .filter((entry) => !isStep(entry))
    .map(({ type }) => type)
    .join(' ');
  if (actualRequests !== requests.join(' '))
    recordMismatch(
      'broken_timelines',
      `was requested: ${actualRequests}, not ${requests.join(' ')}`,
    );
  const steps = Map.groupBy(timeline.filter(isStep), (entry) => entry.store_id);
  for (const [storeId, { storeDelivery }] of fakeStores) {
    const mismatch = describeTimelineMismatch(storeDelivery, steps.get(storeId) ?? []);
    if (mismatch !== undefined) recordMismatch('broken_timelines', `${storeId}: ${mismatch}`);
  }
}

function describeTimelineMismatch(
  { expectedTimeline, status }: StoreDelivery,
  steps: readonly Step[],
): string | undefined {
  const actual = steps.map(({ type }) => type);
  if (!matches(actual, expectedTimeline))
    return `${actual.join(' ')}, not ${expectedTimeline.join(' ')}`;
  let at = 'pending';
  for (const step of steps) {
    if (step.previous !== at) return `${step.type} starts in ${step.previous}, not in ${at}`;
    at = step.status;
  }
  return at === status ? undefined : `it ends in ${at}`;
}

/** A step with a question mark may be missing. */
function matches(actual: readonly string[], expected: readonly string[]): boolean {
  let at = 0;
  for (const name of expected) {
    if (actual[at] === name.replace('?', '')) at++;
    else if (!name.endsWith('?')) return false;
  }
  return at === actual.length;
}

/**
 * The steps of a request follow its entries, at the same time, each store once. All other steps are applied one by one.
 */
export function groupByTransaction(timeline: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups: Entry[][] = [];
  for (const entry of timeline) {
    const group = groups.at(-1);
    if (group !== undefined && isPartOf(group, entry)) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

const requestedSteps: ReadonlySet<string> = new Set([
  'resubmitted',
  'update_requested',
  'takedown_wanted',
  'takedown_requested',
  'canceled',
  'closed',
]);

function isPartOf(group: readonly Entry[], entry: Entry): boolean {
  const [first] = group;
  if (first === undefined || isStep(first) || first.delivery_id !== entry.delivery_id) return false;
  if (first.created_at.getTime() !== entry.created_at.getTime()) return false;
  if (!isStep(entry)) return first.type === entry.type && !group.some(isStep);
  return (
    requestedSteps.has(entry.type) && group.every(({ store_id }) => store_id !== entry.store_id)
  );
}

/** Steps that appear in the timeline but not as events, because no field that partners see changes. */
const unannouncedSteps = new Set(['update_dispatched', 'takedown_dispatched']);

export function judgeEvents(
  recordMismatch: RecordMismatch,
  storeIds: readonly string[],
  timeline: readonly Entry[],
  events: readonly EventRow[],
): void {
  const expected = deriveExpectedEvents(storeIds, timeline);
  const actual = events.map(formatEvent);
  const at = expected.findIndex((text, i) => text !== actual[i]);
  if (at !== -1)
    recordMismatch('wrong_events', `event ${at} is ${actual[at]}, not ${expected[at]}`);
  else if (actual.length > expected.length) {
    recordMismatch('wrong_events', `has ${actual.length} events, not ${expected.length}`);
  }
}

const formatTally = (tally: Tally): string =>
  [...tally]
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
    .toSorted()
    .join(', ');

const formatEvent = (event: EventRow): string =>
  event.store_id === null
    ? `${event.type} ${event.status}: ${formatTally(tallyOf(event.statuses))}`
    : `${event.type} ${event.status} ${event.store_id} ${event.store_status}`;

/** One event per step, and one about the delivery whenever its status changes (contract §3), once per request. */
function deriveExpectedEvents(
  storeIds: readonly string[],
  timeline: readonly Entry[],
): readonly string[] {
  const states = new Map(storeIds.map((id) => [id, 'pending']));
  const tally = tallyOf(states.values());
  const expected: string[] = [];
  let before = aggregateOf(tally);
  for (const group of groupByTransaction(timeline)) {
    for (const { store_id, type, status } of group.filter(isStep)) {
      const old = states.get(store_id)!;
      tally.set(old, tally.get(old)! - 1);
      tally.set(status, (tally.get(status) ?? 0) + 1);
      states.set(store_id, status);
      if (unannouncedSteps.has(type)) continue;
      const event = type === 'overdue' ? 'overdue' : 'updated';
      expected.push(`delivery.store.${event} ${aggregateOf(tally)} ${store_id} ${status}`);
    }
    const now = aggregateOf(tally);
    if (now !== before && now !== 'in_progress') {
      const eventType = now === 'taken_down' ? 'taken_down' : 'completed';
      expected.push(`delivery.${eventType} ${now}: ${formatTally(tally)}`);
    }
    before = now;
  }
  return expected;
}
