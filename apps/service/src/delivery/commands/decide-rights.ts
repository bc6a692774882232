import { findSnapshotCodes, type SnapshotCodes } from '../../catalog/face.ts';
import type { OrgId, ReleaseId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import { findStores } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import { rejectBeforeSending } from '../domain/send-again.ts';
import { targetRevision } from '../domain/store-delivery.ts';
import { wakeDelivery } from '../messages.ts';
import { lockDeliveriesOf } from '../store/deliveries.ts';
import { findRightsReviews, findStoresHolding, grantCodes } from '../store/rights-reviews.ts';
import { startDeliveryChange } from './delivery-change.ts';
import { type DeliveryWithStores, lockChosenStores } from './lock-chosen-stores.ts';
import { takeDownRelease } from './take-down-delivery.ts';
import { findCodeConflicts } from './wait-for-rights.ts';

/** The release is sent although another organization holds its codes: rows of usage in a territory of both go to suspense. */
export async function grantRights(
  tx: Tx,
  releaseId: ReleaseId,
  reason: string,
): Promise<readonly DeliveryId[]> {
  const waiting = await lockWaiting(tx, releaseId);
  const storeDeliveries = waiting.flatMap((each) => each.storeDeliveries);
  const codesByRevision = new Map<number, SnapshotCodes>();
  for (const revision of new Set(storeDeliveries.map(targetRevision))) {
    const codes = await findSnapshotCodes(tx, releaseId, revision);
    if (codes === undefined) throw new Error(`${releaseId} has no snapshot ${revision}`);
    codesByRevision.set(revision, codes);
  }
  const conflicts = await findCodeConflicts(tx, releaseId, storeDeliveries, codesByRevision);
  grantCodes(tx, releaseId, [...new Set(conflicts.map(({ code }) => code))], reason);
  for (const { delivery } of waiting)
    enqueueDurably(tx, wakeDelivery(tx.orgId, delivery.id, 'dispatch'));
  return waiting.map(({ delivery }) => delivery.id);
}

/** The stores that wait are rejected. A resubmission is judged again. */
export async function refuseRights(
  tx: Tx,
  releaseId: ReleaseId,
  reason: string,
): Promise<readonly DeliveryId[]> {
  const waiting = await lockWaiting(tx, releaseId);
  for (const { delivery, storeDeliveries } of waiting) {
    const change = startDeliveryChange(tx, delivery);
    for (const storeDelivery of storeDeliveries) {
      const rejection = { code: 'rights_conflict', reason };
      const step = rejectBeforeSending(storeDelivery, tx.now, rejection);
      if (step !== undefined) change.applyStep(storeDelivery, step);
    }
    await change.write();
  }
  return waiting.map(({ delivery }) => delivery.id);
}

/**
 * What the organization holds of the codes of that release is taken down where the release waits. Refused before anything
 * is taken down if a store takes no takedowns: the release must not be sent beside what stays.
 */
export async function giveUpRights(
  tx: Tx,
  claim: { readonly orgId: OrgId; readonly releaseId: ReleaseId },
  reason: string,
): Promise<readonly DeliveryId[]> {
  const reviews = await findRightsReviews(tx, claim.orgId, claim.releaseId);
  await requireTakedowns(tx, [...new Set(reviews.map(({ storeId }) => storeId))]);
  const own = reviews.filter(({ holderOrgId }) => holderOrgId === tx.orgId);
  const taken: DeliveryId[] = [];
  for (const [releaseId, held] of Map.groupBy(own, (each) => each.holderReleaseId)) {
    const named = held.map(({ storeId }) => storeId);
    const stores = await findStoresHolding(tx, releaseId, named);
    if (stores.length > 0)
      taken.push(...(await takeDownRelease(tx, releaseId, { stores, reason })));
  }
  return taken;
}

async function requireTakedowns(tx: Tx, storeIds: readonly string[]): Promise<void> {
  const without = (await findStores(tx, storeIds)).find(
    ({ capabilities }) => !capabilities.takedown,
  );
  if (without === undefined) return;
  throw new Problem(
    'invalid_state',
    `${without.storeId} takes no takedowns, so what the holder has there would stay. Have the store remove it, then send --grant.`,
  );
}

async function lockWaiting(tx: Tx, releaseId: ReleaseId): Promise<readonly DeliveryWithStores[]> {
  const waiting: DeliveryWithStores[] = [];
  for (const id of await lockDeliveriesOf(tx, releaseId)) {
    const { delivery, storeDeliveries: all } = await lockChosenStores(tx, id, undefined);
    const storeDeliveries = all.filter(({ waitingFor }) => waitingFor === 'rights_review');
    if (storeDeliveries.length > 0) waiting.push({ delivery, storeDeliveries });
  }
  if (waiting.length > 0) return waiting;
  throw new Problem('invalid_state', `${releaseId} waits for no rights review.`);
}
