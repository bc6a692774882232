/**
 * Collects the steps of a delivery's stores and writes them once: the delivery with its counts, the store deliveries,
 * the timeline, and the events in the order in which single steps would cause them. The caller has locked the delivery.
 */

import { lockRelease, changeReleaseStatus } from '../../catalog/face.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents, type NewEvent } from '../../platform/db/events.ts';
import { sumCounts, isCompletedStatus } from '../domain/aggregate.ts';
import { advance, type Delivery } from '../domain/delivery.ts';
import { presentDelivery } from '../domain/present-delivery.ts';
import { releaseStatusFrom, nextReleaseStatus } from '../domain/release-status.ts';
import type { StoreStep, StoreStepType, StoreDelivery } from '../domain/store-delivery.ts';
import { type TimelineEntry, buildStepEntry } from '../domain/timeline.ts';
import { deliveryCompleted, deliveryTakenDown, storeOverdue, storeUpdated } from '../events.ts';
import { countStoresOfOtherDeliveries, updateDelivery } from '../store/deliveries.ts';
import { closeRightsReviews } from '../store/rights-reviews.ts';
import { listStoreDeliveries, updateStoreDeliveries } from '../store/store-deliveries.ts';
import { appendTimelineEntries } from '../store/timeline.ts';
import { collectHoldings } from './collect-holdings.ts';

/** Builds an event. Events about the whole delivery need all of its stores, which are read only for them. */
type Announcement = (all: readonly StoreDelivery[]) => NewEvent;

/** Steps without an event: they change no field that partners see but `expected_by`. */
const timelineOnlySteps: ReadonlySet<StoreStepType> = new Set([
  'update_dispatched',
  'takedown_dispatched',
]);

export type DeliveryChange = {
  readonly applyStep: (before: StoreDelivery, step: StoreStep) => void;
  readonly addTimelineEntry: (entry: TimelineEntry) => void;
  readonly setFields: (
    fields: Partial<
      Pick<
        Delivery,
        'revision' | 'dispatches' | 'unsent' | 'dispatchAt' | 'dispatchTimerId' | 'checkAt'
      >
    >,
  ) => void;
  /**
   * Writes everything; until then nothing is written. With an action, also the audit row of changed stores: for
   * workflows, whose transaction has no other. The row covers the delivery with these stores only, because the others
   * are not read.
   */
  readonly write: (action?: string) => Promise<Delivery>;
};

/**
 * When the delivery's own events are announced: after all steps of a request, or after each step, because answers
 * that are applied together are independent of each other.
 */
type StatusAnnouncements = 'together' | 'one by one';

export function startDeliveryChange(
  tx: Tx,
  original: Delivery,
  announceStatus: StatusAnnouncements = 'together',
): DeliveryChange {
  let delivery = original;
  let needsAllStores = false;
  /** Whether a step set `delivered`, even if a wanted takedown follows in the same change. */
  let wasDelivered = false;
  const originals = new Map<string, StoreDelivery>();
  const changed = new Map<string, StoreDelivery>();
  const holdings = collectHoldings();
  const decidedStores = new Set<string>();
  const entries: TimelineEntry[] = [];
  const announcements: Announcement[] = [];

  const announceDelivery = (announced: Delivery): void => {
    const isCompleted = isCompletedStatus(announced.status);
    if (!isCompleted && announced.status !== 'taken_down') return;
    needsAllStores = true;
    const buildEvent = isCompleted ? deliveryCompleted : deliveryTakenDown;
    const changedSoFar = new Map(changed);
    announcements.push((all) =>
      buildEvent(
        announced,
        all.map((storeDelivery) => changedSoFar.get(storeDelivery.storeId) ?? storeDelivery),
      ),
    );
  };

  return {
    applyStep: (before, step) => {
      const { storeDelivery } = step;
      const next = advance(delivery, before, step);
      if (!originals.has(before.storeId)) originals.set(before.storeId, before);
      changed.set(storeDelivery.storeId, storeDelivery);
      holdings.add(before, storeDelivery);
      if (before.waitingFor === 'rights_review') decidedStores.add(storeDelivery.storeId);
      if (storeDelivery.status === 'delivered') wasDelivered = true;
      entries.push(buildStepEntry(before, step));
      if (!timelineOnlySteps.has(step.type)) {
        const buildEvent = step.type === 'overdue' ? storeOverdue : storeUpdated;
        announcements.push(() => buildEvent(next, storeDelivery, before.status));
      }
      const hasStatusChanged = announceStatus === 'one by one' && next.status !== delivery.status;
      delivery = next;
      if (hasStatusChanged) announceDelivery(next);
    },
    addTimelineEntry: (entry) => void entries.push(entry),
    setFields: (fields) => {
      delivery = { ...delivery, ...fields };
    },
    write: async (action) => {
      if (announceStatus === 'together' && delivery.status !== original.status)
        announceDelivery(delivery);
      const [all] = await Promise.all([
        needsAllStores ? listStoreDeliveries(tx, tx.orgId, delivery.id) : [],
        holdings.write(tx, delivery),
      ]);
      updateDelivery(tx, delivery);
      if (changed.size > 0) updateStoreDeliveries(tx, delivery.id, [...changed.values()]);
      if (decidedStores.size > 0) closeRightsReviews(tx, delivery.releaseId, [...decidedStores]);
      if (action !== undefined && entries.length > 0) {
        appendAudit(tx, {
          action,
          auditedId: delivery.id,
          before: presentDelivery(original, [...originals.values()]),
          after: presentDelivery(delivery, [...changed.values()]),
        });
      }
      if (entries.length > 0) appendTimelineEntries(tx, delivery.id, entries);
      if (announcements.length > 0) {
        appendEvents(
          tx,
          announcements.map((buildEvent) => buildEvent(all)),
        );
      }
      if (changesReleaseStatus(original, delivery, wasDelivered))
        await syncReleaseStatus(tx, delivery, wasDelivered);
      return delivery;
    },
  };
}

/** A delivery without a counted store does not change the release's status. */
function changesReleaseStatus(before: Delivery, after: Delivery, wasDelivered: boolean): boolean {
  const status = wasDelivered ? 'delivered' : releaseStatusFrom(after.counts);
  return status !== undefined && status !== releaseStatusFrom(before.counts);
}

/** Sets the release's status from all of its deliveries. */
export async function syncReleaseStatus(
  tx: Tx,
  delivery: Delivery,
  wasDelivered = false,
): Promise<void> {
  const release = await lockRelease(tx, delivery.releaseId);
  if (release === undefined) throw new Error(`${delivery.id} has no release`);
  // Read after the release is locked, because another of its deliveries may have changed in the meantime.
  const counts = sumCounts([delivery.counts, await countStoresOfOtherDeliveries(tx, delivery)]);
  const status = wasDelivered ? 'delivered' : nextReleaseStatus(release.status, counts);
  changeReleaseStatus(tx, release, status);
}
