/**
 * The status of the whole delivery (spec §3.2, contract §3), computed from the number of its stores in each status.
 * Stores that are taken down do not count; a store with a requested takedown counts like a delivered one.
 */

import {
  type StoreDeliveryStatus,
  storeDeliveryStatuses,
  type StoreDelivery,
} from './store-delivery.ts';

export const deliveryStatuses = [
  'in_progress',
  'delivered',
  'rejected',
  'action_required',
  'taken_down',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export type StoreCounts = Readonly<Record<StoreDeliveryStatus, number>>;

const zeroCounts = Object.fromEntries(
  storeDeliveryStatuses.map((status) => [status, 0]),
) as StoreCounts;

export const countStoresByStatus = (
  storeDeliveries: readonly Pick<StoreDelivery, 'status'>[],
): StoreCounts =>
  storeDeliveries.reduce((counts, { status }) => moveCount(counts, undefined, status), zeroCounts);

export const moveCount = (
  counts: StoreCounts,
  from: StoreDeliveryStatus | undefined,
  to: StoreDeliveryStatus,
): StoreCounts => {
  const next = { ...counts };
  if (from !== undefined) next[from] -= 1;
  next[to] += 1;
  return next;
};

export const sumCounts = (all: readonly StoreCounts[]): StoreCounts =>
  all.reduce(
    (sum, counts) =>
      Object.fromEntries(
        storeDeliveryStatuses.map((status) => [status, sum[status] + counts[status]]),
      ) as StoreCounts,
    zeroCounts,
  );

export const countStores = (counts: StoreCounts): number =>
  storeDeliveryStatuses.reduce((sum, status) => sum + counts[status], 0);

export const countStoresNotTakenDown = (counts: StoreCounts): number =>
  countStores(counts) - counts.taken_down;

export function aggregateStatus(counts: StoreCounts): DeliveryStatus {
  if (countStoresNotTakenDown(counts) === 0) return 'taken_down';
  if (counts.rejected > 0) return 'rejected';
  if (counts.action_required > 0) return 'action_required';
  if (counts.pending + counts.in_progress > 0) return 'in_progress';
  return 'delivered';
}

/** Spec §6: entering one of these completes the delivery, every time it is entered. */
export const isCompletedStatus = (status: DeliveryStatus): boolean =>
  status === 'delivered' || status === 'rejected' || status === 'action_required';
