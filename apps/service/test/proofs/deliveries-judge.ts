/**
 * Compares every delivery with the model: the state and the timeline of each store delivery, the counts, the release,
 * and the events, which must be exactly those that follow from replaying the timeline.
 */

import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import {
  aggregateOf,
  type StoreDelivery,
  releaseStatusOf,
  type Tally,
  tallyOf,
} from './deliveries-model.ts';
import type { DeliveryScenario, Query } from './deliveries-scenario.ts';

type MismatchKind =
  | 'wrong_states'
  | 'wrong_counts'
  | 'wrong_events'
  | 'broken_timelines'
  | 'wrong_releases';

type OfDelivery = { readonly delivery_id: string };
type DeliveryRow = OfDelivery & Readonly<Record<string, unknown>> & { readonly status: string };
type StoreDeliveryRow = OfDelivery & {
  readonly store_id: string;
  readonly status: string;
  readonly revision: number;
  readonly pending_revision: number | null;
};
type Entry = OfDelivery & { readonly type: string } & (
    | { readonly store_id: null }
    | { readonly store_id: string; readonly previous: string; readonly status: string }
  );
type Step = Extract<Entry, { readonly previous: string }>;
type EventRow = OfDelivery & { readonly type: string; readonly status: string } & (
    | { readonly store_id: null; readonly statuses: readonly string[] }
    | { readonly store_id: string; readonly store_status: string }
  );

const isStep = (entry: Entry): entry is Step => entry.store_id !== null;

export type Verdict = Record<MismatchKind, number> & {
  readonly samples: string[];
  timeline_entries: number;
  events: number;
};

type RecordMismatch = (kind: MismatchKind, what: string) => void;

/** Reads one organization at a time, because all rows of a full run would not fit into memory. */
export async function judge(
  query: Query,
  scenarios: readonly DeliveryScenario[],
): Promise<Verdict> {
  const verdict: Verdict = {
    wrong_states: 0,
    wrong_counts: 0,
    wrong_events: 0,
    broken_timelines: 0,
    wrong_releases: 0,
    samples: [],
    timeline_entries: 0,
    events: 0,
  };
  const byOrganization = Map.groupBy(scenarios, ({ caller }) => caller.orgId);
  for (const [orgId, scenariosOfOrg] of byOrganization) {
    const rows = await readOrganization(query, orgId);
    for (const scenario of scenariosOfOrg) {
      const recordMismatch: RecordMismatch = (kind, what) => {
        verdict[kind]++;
        if (verdict.samples.length < samplesMax) {
          verdict.samples.push(`${kind}: ${scenario.id} (${scenario.plan.kind}) ${what}`);
        }
      };
      judgeDelivery(recordMismatch, scenario, rows);
      verdict.timeline_entries += rows.timeline.get(scenario.id!)?.length ?? 0;
      verdict.events += rows.events.get(scenario.id!)?.length ?? 0;
    }
  }
  return verdict;
}

const samplesMax = 12;

type OrganizationRows = Awaited<ReturnType<typeof readOrganization>>;

async function readOrganization(query: Query, orgId: string) {
  const org = toUuid(orgId as Id<'org'>);
  const byDelivery = async <Row extends OfDelivery>(text: string) =>
    Map.groupBy(await query<Row>(text, [org]), ({ delivery_id }) => toWire('dlv', delivery_id));
  const releases = await query<{ id: string; status: string }>(
    'select id, status from releases where org_id = $1',
    [org],
  );
  const events = await query<EventRow>(
    `select coalesce(data ->> 'delivery_id', data ->> 'id') as delivery_id, type, data ->> 'status' as status,
            data #>> '{store,store_id}' as store_id, data #>> '{store,status}' as store_status,
            jsonb_path_query_array(data, '$.stores[*].status') as statuses
       from events where org_id = $1 and type like 'delivery.%' order by id`,
    [org],
  );
  return {
    releases: new Map(releases.map(({ id, status }) => [toWire('rel', id), status])),
    deliveries: await byDelivery<DeliveryRow>(
      'select *, id as delivery_id from deliveries where org_id = $1',
    ),
    storeDeliveries: await byDelivery<StoreDeliveryRow>(
      'select delivery_id, store_id, status, revision, pending_revision from delivery_stores where org_id = $1',
    ),
    timeline: await byDelivery<Entry>(
      `select delivery_id, store_id, type, data ->> 'previous_status' as previous, data ->> 'status' as status
         from delivery_timeline where org_id = $1 order by id`,
    ),
    events: Map.groupBy(events, ({ delivery_id }) => delivery_id),
  };
}

function judgeDelivery(
  recordMismatch: RecordMismatch,
  scenario: DeliveryScenario,
  rows: OrganizationRows,
): void {
  const id = scenario.id;
  const [delivery] = (id && rows.deliveries.get(id)) ?? [];
  if (id === undefined || delivery === undefined)
    return recordMismatch('wrong_states', 'does not exist');
  const storeDeliveries = rows.storeDeliveries.get(id) ?? [];
  const timeline = rows.timeline.get(id) ?? [];
  judgeStoreDeliveries(recordMismatch, scenario, storeDeliveries);
  judgeCounts(recordMismatch, delivery, storeDeliveries);
  judgeTimeline(recordMismatch, scenario, timeline);
  judgeEvents(recordMismatch, scenario, timeline, rows.events.get(id) ?? []);
  const expected = releaseStatusOf(
    [...scenario.fakeStores.values()].map(({ storeDelivery }) => storeDelivery),
  );
  const actual = rows.releases.get(scenario.releaseId as Id<'rel'>);
  if (actual !== expected)
    recordMismatch('wrong_releases', `its release is ${actual}, not ${expected}`);
}

function judgeStoreDeliveries(
  recordMismatch: RecordMismatch,
  { fakeStores }: DeliveryScenario,
  rows: readonly StoreDeliveryRow[],
): void {
  const rowByStore = new Map(rows.map((row) => [row.store_id, row]));
  if (rowByStore.size !== fakeStores.size)
    recordMismatch('wrong_states', `has ${rowByStore.size} stores`);
  for (const [storeId, { storeDelivery }] of fakeStores) {
    const row = rowByStore.get(storeId);
    const actual = [row?.status, row?.revision, row?.pending_revision].join(' ');
    const expected = [
      storeDelivery.status,
      storeDelivery.revision,
      storeDelivery.pendingRevision,
    ].join(' ');
    if (actual !== expected)
      recordMismatch('wrong_states', `${storeId} is ${actual}, not ${expected}`);
  }
}

const counted = [
  'pending',
  'in_progress',
  'delivered',
  'rejected',
  'action_required',
  'takedown_requested',
  'taken_down',
] as const;

function judgeCounts(
  recordMismatch: RecordMismatch,
  delivery: DeliveryRow,
  storeDeliveries: readonly StoreDeliveryRow[],
): void {
  const tally = tallyOf(storeDeliveries.map(({ status }) => status));
  const wrong = counted.filter((status) => delivery[status] !== (tally.get(status) ?? 0));
  if (wrong.length > 0) recordMismatch('wrong_counts', `counts ${wrong.join(', ')} wrong`);
  const expected = aggregateOf(tally);
  if (delivery.status !== expected) {
    recordMismatch('wrong_counts', `is ${delivery.status}, not ${expected}`);
  }
}

/** The timeline must contain exactly the requests and each store's steps, each step starting in the state before it. */
function judgeTimeline(
  recordMismatch: RecordMismatch,
  scenario: DeliveryScenario,
  timeline: readonly Entry[],
): void {
  const requests = timeline.filter((entry) => !isStep(entry));
  const actualRequests = requests.map(({ type }) => type).join(' ');
  if (actualRequests !== scenario.requests.join(' '))
    recordMismatch('broken_timelines', `was requested: ${actualRequests}`);
  const steps = Map.groupBy(timeline.filter(isStep), (entry) => entry.store_id);
  for (const [storeId, { storeDelivery }] of scenario.fakeStores) {
    const mismatch = describeTimelineMismatch(storeDelivery, steps.get(storeId) ?? []);
    if (mismatch !== undefined) recordMismatch('broken_timelines', `${storeId}: ${mismatch}`);
  }
}

function describeTimelineMismatch(
  { expectedTimeline, status }: StoreDelivery,
  steps: readonly Step[],
): string | undefined {
  const actualTimeline = steps.map(({ type }) => type).join(' ');
  // A canceled message may have been put into its lane before or not: the model does not know, both are right.
  const isCanceled =
    actualTimeline === 'dispatched canceled' && expectedTimeline.join(' ') === 'canceled';
  if (actualTimeline !== expectedTimeline.join(' ') && !isCanceled)
    return `${actualTimeline}, not ${expectedTimeline.join(' ')}`;
  let at = 'pending';
  for (const step of steps) {
    if (step.previous !== at) return `${step.type} starts in ${step.previous}, not in ${at}`;
    at = step.status;
  }
  return at === status ? undefined : `it ends in ${at}`;
}

/** Steps that appear in the timeline but not as events, because no field that partners see changes. */
const unannouncedSteps = new Set(['update_dispatched', 'takedown_dispatched', 'takedown_wanted']);

/** Steps that only requests cause. The delivery's status is announced once per request, not per store. */
const requestedSteps = new Set(['resubmitted', 'update_requested', 'takedown_wanted', 'canceled']);

function judgeEvents(
  recordMismatch: RecordMismatch,
  { fakeStores }: DeliveryScenario,
  timeline: readonly Entry[],
  events: readonly EventRow[],
): void {
  const expected = deriveExpectedEvents([...fakeStores.keys()], timeline);
  const actual = events.map(formatEvent);
  const at = expected.findIndex((text, i) => text !== actual[i]);
  if (at !== -1)
    recordMismatch('wrong_events', `event ${at} is ${actual[at]}, not ${expected[at]}`);
  else if (actual.length > expected.length) {
    recordMismatch('wrong_events', `has ${actual.length} events, not ${expected.length}`);
  }
}

const formatTally = (tally: Tally): string =>
  counted.map((status) => tally.get(status) ?? 0).join('/');

const formatEvent = (event: EventRow): string =>
  event.store_id === null
    ? `${event.type} ${event.status} ${formatTally(tallyOf(event.statuses))}`
    : `${event.type} ${event.status} ${event.store_id} ${event.store_status}`;

/** One event per step, and one about the delivery whenever its status changes (contract §3). */
function deriveExpectedEvents(
  storeIds: readonly string[],
  timeline: readonly Entry[],
): readonly string[] {
  const states = new Map(storeIds.map((id) => [id, 'pending']));
  const tally = tallyOf(states.values());
  const expected: string[] = [];
  let before = aggregateOf(tally);
  for (const [i, entry] of timeline.entries()) {
    if (!isStep(entry)) continue;
    const { store_id, type, status } = entry;
    const old = states.get(store_id)!;
    tally.set(old, tally.get(old)! - 1);
    tally.set(status, (tally.get(status) ?? 0) + 1);
    states.set(store_id, status);
    const now = aggregateOf(tally);
    if (!unannouncedSteps.has(type)) {
      expected.push(`delivery.store.updated ${now} ${store_id} ${status}`);
    }
    if (requestedSteps.has(type) && requestedSteps.has(timeline[i + 1]?.type ?? '')) continue;
    if (now !== before && now !== 'in_progress') {
      const eventType = now === 'taken_down' ? 'taken_down' : 'completed';
      expected.push(`delivery.${eventType} ${now} ${formatTally(tally)}`);
    }
    before = now;
  }
  return expected;
}
