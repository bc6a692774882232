/**
 * Steps of a delivery's stores, gathered and written at once: its row with the counts, the parts, the
 * timeline, and the events in the order in which one step at a time would have caused them. The caller holds
 * the delivery.
 */

import { lockRelease, changeReleaseStatus } from '../../catalog/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents, type NewEvent } from '../../platform/db/events.ts';
import { sumCounts, isCompletedStatus } from '../domain/aggregate.ts';
import { advance, type Delivery } from '../domain/delivery.ts';
import { releaseStatusFrom, nextReleaseStatus } from '../domain/release-status.ts';
import type { StoreStep, StoreStepType, StoreDelivery } from '../domain/store-delivery.ts';
import { type TimelineEntry, buildStepEntry } from '../domain/timeline.ts';
import { deliveryCompleted, deliveryTakenDown, storeOverdue, storeUpdated } from '../events.ts';
import { countStoresOfOtherDeliveries, updateDelivery } from '../store/deliveries.ts';
import { listStoreDeliveries, updateStoreDeliveries } from '../store/store-deliveries.ts';
import { appendTimelineEntries } from '../store/timeline.ts';

type StoreDeliveriesById = ReadonlyMap<string, StoreDelivery>;

/** Events about the whole delivery show all of its stores, which are read only when there is such an event. */
type Announcement = (all: readonly StoreDelivery[]) => NewEvent;

/** Of interest to whoever reads the timeline; partners see nothing change. */
const timelineOnlySteps: ReadonlySet<StoreStepType> = new Set([
  'update_dispatched',
  'takedown_dispatched',
  'takedown_wanted',
]);

export type DeliveryChange = {
  readonly applyStep: (before: StoreDelivery, step: StoreStep) => void;
  readonly addTimelineEntry: (entry: TimelineEntry) => void;
  readonly setFields: (
    fields: Partial<
      Pick<Delivery, 'revision' | 'dispatches' | 'unsent' | 'dispatchAt' | 'checkAt'>
    >,
  ) => void;
  /** Nothing is written before. */
  readonly write: () => Promise<Delivery>;
};

/**
 * A request is one turn of the delivery, however many stores it moves; answers that are heard together are as
 * many as they are.
 */
type StatusAnnouncements = 'together' | 'one by one';

export function startDeliveryChange(
  tx: Tx,
  original: Delivery,
  announceStatus: StatusAnnouncements = 'together',
): DeliveryChange {
  let delivery = original;
  let needsAllStores = false;
  /** Whether a store had it, be it for a moment: one that was wanted down is asked as soon as it lands. */
  let wasDelivered = false;
  const changed = new Map<string, StoreDelivery>();
  const entries: TimelineEntry[] = [];
  const announcements: Announcement[] = [];

  const announceDelivery = (turned: Delivery): void => {
    const isCompleted = isCompletedStatus(turned.status);
    if (!isCompleted && turned.status !== 'taken_down') return;
    needsAllStores = true;
    const announce = isCompleted ? deliveryCompleted : deliveryTakenDown;
    const sofar: StoreDeliveriesById = new Map(changed);
    announcements.push((all) =>
      announce(
        turned,
        all.map((storeDelivery) => sofar.get(storeDelivery.storeId) ?? storeDelivery),
      ),
    );
  };

  return {
    applyStep: (before, step) => {
      const { storeDelivery } = step;
      const next = advance(delivery, before, step);
      changed.set(storeDelivery.storeId, storeDelivery);
      if (storeDelivery.status === 'delivered') wasDelivered = true;
      entries.push(buildStepEntry(before, step));
      if (!timelineOnlySteps.has(step.type)) {
        const announce = step.type === 'overdue' ? storeOverdue : storeUpdated;
        announcements.push(() => announce(next, storeDelivery));
      }
      const hasStatusChanged = announceStatus === 'one by one' && next.status !== delivery.status;
      delivery = next;
      if (hasStatusChanged) announceDelivery(next);
    },
    addTimelineEntry: (entry) => void entries.push(entry),
    setFields: (fields) => {
      delivery = { ...delivery, ...fields };
    },
    write: async () => {
      if (announceStatus === 'together' && delivery.status !== original.status)
        announceDelivery(delivery);
      const all = needsAllStores ? await listStoreDeliveries(tx, tx.orgId, delivery.id) : [];
      updateDelivery(tx, delivery);
      if (changed.size > 0) updateStoreDeliveries(tx, delivery.id, [...changed.values()]);
      if (entries.length > 0) appendTimelineEntries(tx, delivery.id, entries);
      if (announcements.length > 0) {
        appendEvents(
          tx,
          announcements.map((announce) => announce(all)),
        );
      }
      const before = releaseStatusFrom(original.counts);
      const now = wasDelivered ? 'delivered' : releaseStatusFrom(delivery.counts);
      // A delivery that is gone says nothing any more; what the others said stands.
      if (now !== undefined && now !== before) await syncReleaseStatus(tx, delivery, wasDelivered);
      return delivery;
    },
  };
}

/** The release becomes what all of its deliveries together make of it. */
export async function syncReleaseStatus(
  tx: Tx,
  delivery: Delivery,
  wasDelivered = false,
): Promise<void> {
  const release = await lockRelease(tx, delivery.releaseId);
  if (release === undefined) throw new Error(`${delivery.id} has no release`);
  // Asked once the release is held: another delivery of it may have turned meanwhile.
  const counts = sumCounts([delivery.counts, await countStoresOfOtherDeliveries(tx, delivery)]);
  const status = wasDelivered ? 'delivered' : nextReleaseStatus(release.status, counts);
  changeReleaseStatus(tx, release, status);
}
