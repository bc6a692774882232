/** A delivery (spec §2.2, contract §2): one release to several stores, under one id for as long as it lives. */

import type { Id, ReleaseId } from '../../kernel/ids.ts';
import { Problem, type Refusal } from '../../kernel/problem.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import {
  aggregateStatus,
  isCompletedStatus,
  type StoreCounts,
  type DeliveryStatus,
  moveCount,
} from './aggregate.ts';
import type { StoreStep, StoreDelivery } from './store-delivery.ts';

export type DeliveryId = Id<'dlv'>;

export type Delivery = {
  readonly id: DeliveryId;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly releaseId: ReleaseId;
  readonly revision: number;
  readonly status: DeliveryStatus;
  /** As asked. */
  readonly territoryCodes: readonly TerritoryCode[];
  readonly counts: StoreCounts;
  /** How often its messages were handed to the stores' lanes since one was sent, or something was new. */
  readonly dispatches: number;
  /** How many were unsent the last time. */
  readonly unsent: number;
  /** When deadlines are looked at next. */
  readonly checkAt: Date | null;
  /** When it is dispatched again, should anything be unsent then. */
  readonly dispatchAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
};

/** What a delivery of 400 stores, the most the field knows, leaves room for. */
export const storesPerDeliveryMax = 500;

/** The delivery after one of its parts took a step. */
export function advance(
  delivery: Delivery,
  before: StoreDelivery,
  { storeDelivery }: StoreStep,
): Delivery {
  const counts = moveCount(delivery.counts, before.status, storeDelivery.status);
  const status = aggregateStatus(counts);
  const updatedAt =
    storeDelivery.updatedAt > delivery.updatedAt ? storeDelivery.updatedAt : delivery.updatedAt;
  return {
    ...delivery,
    counts,
    status,
    updatedAt,
    completedAt: completion(delivery, status, updatedAt),
  };
}

function completion(delivery: Delivery, status: DeliveryStatus, now: Date): Date | null {
  if (status === 'in_progress') return null;
  return status !== delivery.status && isCompletedStatus(status) ? now : delivery.completedAt;
}

/** Contract §3: one delivery per (release, store) unless that store's part is taken down. */
export function refuseDuplicateDelivery(
  conflicts: readonly { readonly storeId: string; readonly deliveryId: DeliveryId }[],
  stores: readonly string[],
): Refusal | undefined {
  const [first] = conflicts;
  if (first === undefined) return undefined;
  return {
    code: 'duplicate_submission',
    message: `${first.deliveryId} already brings this release to ${first.storeId}: resubmit or update it instead.`,
    details: conflicts.map(({ storeId, deliveryId }) => ({
      field: `stores[${stores.indexOf(storeId)}]`,
      issue: `${storeId} is served by ${deliveryId}`,
    })),
  };
}

export const refuseLegalHold = (
  legalHold: { readonly reason: string } | undefined,
): Refusal | undefined =>
  legalHold && {
    code: 'invalid_state',
    message: `The release was taken down for legal reasons and cannot be sent to stores: ${legalHold.reason}`,
  };
export const deliveryNotFound = () =>
  new Problem('resource_not_found', 'There is no such delivery in this organization.');
