/**
 * Compares every delivery with the model: the state and the timeline of each store delivery, the counts, the release,
 * what stores have, and the events, which must be exactly those that follow from replaying the timeline.
 */

import type { Id } from '../../src/kernel/ids.ts';
import { aggregateOf, releaseStatusAfter, tallyOf } from './deliveries-aggregate.ts';
import type { FakeStore } from './deliveries-fake-stores.ts';
import { judgeHoldings } from './deliveries-holdings-judge.ts';
import {
  codesIn,
  type DeliveryRow,
  type Entry,
  isStep,
  type OrganizationRows,
  readOrganization,
  type StoreDeliveryRow,
} from './deliveries-rows.ts';
import type { DeliveryScenario } from './deliveries-scenario.ts';
import { groupByTransaction, judgeEvents, judgeTimeline } from './deliveries-timeline-judge.ts';
import type { Query } from './lasting-queries.ts';

type MismatchKind =
  | 'wrong_states'
  | 'wrong_counts'
  | 'wrong_events'
  | 'broken_timelines'
  | 'wrong_releases'
  | 'wrong_holdings'
  | 'wrong_skips';

export type RecordMismatch = (kind: MismatchKind, what: string) => void;

export type Verdict = Record<MismatchKind, number> & {
  readonly samples: string[];
  readonly steps: Record<string, number>;
  timeline_entries: number;
  events: number;
};

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
    wrong_holdings: 0,
    wrong_skips: 0,
    samples: [],
    steps: {},
    timeline_entries: 0,
    events: 0,
  };
  const byOrganization = Map.groupBy(scenarios, ({ caller }) => caller.orgId);
  for (const [orgId, scenariosOfOrg] of byOrganization) {
    const rows = await readOrganization(query, orgId);
    for (const scenario of scenariosOfOrg) judgeScenario(verdict, scenario, rows);
  }
  return verdict;
}

const samplesMax = 24;

function judgeScenario(verdict: Verdict, scenario: DeliveryScenario, rows: OrganizationRows): void {
  const deliveries = [scenario, scenario.successor].filter((each) => each !== undefined);
  for (const each of deliveries) {
    const recordMismatch: RecordMismatch = (kind, what) => {
      verdict[kind]++;
      if (verdict.samples.length < samplesMax) {
        verdict.samples.push(`${kind}: ${each.id} (${each.plan.kind}) ${what}`);
      }
    };
    judgeDelivery(recordMismatch, each, rows);
    const timeline = rows.timeline.get(each.id!) ?? [];
    verdict.timeline_entries += timeline.length;
    for (const { type } of timeline.filter(isStep))
      verdict.steps[type] = (verdict.steps[type] ?? 0) + 1;
    verdict.events += rows.events.get(each.id!)?.length ?? 0;
  }
  const expected = replayReleaseStatus(deliveries, rows);
  const actual = rows.releases.get(scenario.release.id as Id<'rel'>);
  if (actual === expected) return;
  verdict.wrong_releases++;
  verdict.samples.push(`wrong_releases: ${scenario.release.id} is ${actual}, not ${expected}`);
}

function judgeDelivery(
  recordMismatch: RecordMismatch,
  scenario: DeliveryScenario,
  rows: OrganizationRows,
): void {
  const { id, wrongSkips, fakeStores } = scenario;
  const [delivery] = (id && rows.deliveries.get(id)) ?? [];
  if (id === undefined || delivery === undefined)
    return recordMismatch('wrong_states', 'does not exist');
  const storeDeliveries = rows.storeDeliveries.get(id) ?? [];
  const timeline = rows.timeline.get(id) ?? [];
  judgeStoreDeliveries(recordMismatch, scenario, storeDeliveries);
  judgeCounts(recordMismatch, delivery, storeDeliveries);
  judgeTimeline(recordMismatch, scenario, timeline);
  judgeEvents(recordMismatch, [...fakeStores.keys()], timeline, rows.events.get(id) ?? []);
  judgeHoldings(recordMismatch, scenario, rows.holdings.get(id) ?? []);
  for (const wrong of wrongSkips) recordMismatch('wrong_skips', wrong);
}

function judgeStoreDeliveries(
  recordMismatch: RecordMismatch,
  { fakeStores }: DeliveryScenario,
  rows: readonly StoreDeliveryRow[],
): void {
  const rowByStore = new Map(rows.map((row) => [row.store_id, row]));
  if (rowByStore.size !== fakeStores.size)
    recordMismatch('wrong_states', `has ${rowByStore.size} stores`);
  for (const [storeId, fakeStore] of fakeStores) {
    const row = rowByStore.get(storeId);
    const actual = row && formatRow(row);
    const expected = formatModel(fakeStore);
    if (actual !== expected)
      recordMismatch('wrong_states', `${storeId} is ${actual}, not ${expected}`);
  }
}

const formatRow = (row: StoreDeliveryRow): string =>
  JSON.stringify({
    status: row.status,
    revision: row.revision,
    territories: codesIn(row.territories),
    update: row.update && [
      row.update.revision,
      codesIn(row.update.deal.territories),
      row.update.status,
      row.update.rejection?.reason ?? null,
    ],
    reason: row.rejection_reason,
    live: row.live_basis,
    takedown: row.is_takedown_requested,
    by: row.taken_down_by,
    receipt: row.is_acknowledged,
    overdue: row.is_overdue,
    requested: (row.requested_territory_codes ?? ['WORLDWIDE']).join(),
  });

const formatModel = ({ storeDelivery, requestedCodes }: FakeStore): string =>
  JSON.stringify({
    status: storeDelivery.status,
    revision: storeDelivery.content.revision,
    territories: storeDelivery.content.territories.join(),
    update: storeDelivery.update && [
      storeDelivery.update.revision,
      storeDelivery.update.territories.join(),
      storeDelivery.update.status,
      storeDelivery.update.reason,
    ],
    reason: storeDelivery.reason,
    live: storeDelivery.liveBasis,
    takedown: storeDelivery.isTakedownRequested,
    by: storeDelivery.takenDownBy,
    receipt: storeDelivery.isAcknowledged,
    overdue: storeDelivery.deadline === 'passed',
    requested: requestedCodes.join(),
  });

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

/** Replays the timelines of the release's deliveries together, because its status depends on all of them. */
function replayReleaseStatus(
  deliveries: readonly DeliveryScenario[],
  rows: OrganizationRows,
): string {
  const entries = deliveries
    .flatMap(({ id }) => rows.timeline.get(id!) ?? [])
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const statuses = new Map<string, string>();
  const keyOf = (deliveryId: string, storeId: string) => `${deliveryId} ${storeId}`;
  let status = 'submitted';
  for (const group of groupByTransaction(entries)) {
    for (const entry of group) applyEntry(entry);
    const wasDelivered = group.some((entry) => isStep(entry) && entry.status === 'delivered');
    status = wasDelivered ? 'delivered' : releaseStatusAfter(status, tallyOf(statuses.values()));
  }
  return status;

  function applyEntry(entry: Entry): void {
    if (isStep(entry)) statuses.set(keyOf(entry.delivery_id, entry.store_id), entry.status);
    if (entry.type !== 'created') return;
    const created = deliveries.find(({ id }) => rows.timeline.get(id!)?.[0] === entry);
    for (const storeId of created?.fakeStores.keys() ?? [])
      statuses.set(keyOf(entry.delivery_id, storeId), 'pending');
  }
}
