/** A delivery (spec §2.2, contract §2): one release to several stores. Resubmissions and updates keep its id. */

import type { Id, ReleaseId } from '../../kernel/ids.ts';
import { Problem, type Refusal } from '../../kernel/problem.ts';
import { meansWorld, type TerritoryCode, worldwide } from '../../kernel/territory.ts';
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
  /** As requested. */
  readonly territoryCodes: readonly TerritoryCode[];
  readonly counts: StoreCounts;
  /** Dispatches since a message was last sent or queued: the exponent of the delay until the next. */
  readonly dispatches: number;
  /** How many messages were unsent at the last dispatch. */
  readonly unsent: number;
  /** When deadlines are checked next. */
  readonly checkAt: Date | null;
  /** When it is dispatched again if a message is still unsent. */
  readonly dispatchAt: Date | null;
  /** The timer of the last dispatch that was requested at once. */
  readonly dispatchTimerId: Id<'tmr'> | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
};

/** As a delivery shows them: `WORLDWIDE` or codes (contract §2). */
export const requestedTerritories = (codes: readonly TerritoryCode[]): readonly TerritoryCode[] =>
  codes.some(meansWorld) ? [worldwide] : codes;

/** Distributors reach about 400 stores; this leaves room. */
export const storesPerDeliveryMax = 500;

/** The delivery after a step of one of its stores. */
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

/** Contract §3: one delivery per (release, store) unless that store delivery is taken down. */
export function refuseDuplicateDelivery(
  conflicts: readonly { readonly storeId: string; readonly deliveryId: DeliveryId }[],
  stores: readonly string[],
): Refusal | undefined {
  const [first] = conflicts;
  if (first === undefined) return undefined;
  return {
    code: 'duplicate_submission',
    message: `${first.deliveryId} already delivers this release to ${first.storeId}: resubmit or update that delivery instead.`,
    details: conflicts.map(({ storeId, deliveryId }) => ({
      field: `stores[${stores.indexOf(storeId)}]`,
      issue: `names ${storeId}, which already gets this release from ${deliveryId}; resubmit or update that delivery`,
    })),
  };
}

export const refuseLegalHold = (
  legalHold: { readonly reason: string } | undefined,
): Refusal | undefined =>
  legalHold && {
    code: 'invalid_state',
    message: `The release was taken down for legal reasons, so it cannot be sent to stores. Contact support. Reason: ${legalHold.reason}`,
  };

export const deliveryNotFound = () =>
  new Problem('resource_not_found', 'No delivery of your organization has this id.');

export const deliveryStoreNotFound = () =>
  new Problem(
    'resource_not_found',
    'The delivery has no store with this store_id. GET the delivery to see its stores.',
  );
