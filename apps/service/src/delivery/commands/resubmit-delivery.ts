import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type DeliveryId, refuseLegalHold } from '../domain/delivery.ts';
import { refuseResubmit, refuseUnchanged } from '../domain/resend-rules.ts';
import { canResubmit, resubmit } from '../domain/store-delivery.ts';
import { findLegalHold } from '../store/legal-holds.ts';
import { compareRevisions } from './compare-revisions.ts';
import type { DeliveryWithStores } from './create-delivery.ts';
import { lockChosenStores, lockReleaseOf, findStoresOf } from './lock-chosen-stores.ts';
import { prepareContent } from './prepare-content.ts';
import { resend } from './resend.ts';
import { refuseRejectedByReview, reviewGate } from './review-gate.ts';

export type Resubmission = {
  readonly stores: readonly string[] | undefined;
  readonly force: boolean;
};

/** Contract §3: sends the current release to the stores that rejected or flagged it, in the same delivery. */
export async function resubmitDelivery(
  tx: Tx,
  id: DeliveryId,
  { stores: named, force }: Resubmission,
): Promise<DeliveryWithStores> {
  const { delivery, storeDeliveries: chosen } = await lockChosenStores(tx, id, named);
  enforce(refuseResubmit(chosen, named));
  const affected = chosen.filter(canResubmit);
  const [release, stores, legalHold] = await Promise.all([
    lockReleaseOf(tx, delivery),
    findStoresOf(tx, affected),
    findLegalHold(tx, delivery.releaseId),
  ]);
  enforce(refuseLegalHold(legalHold));
  enforce(refuseRejectedByReview(reviewGate(release, release.revision)));
  const content = await prepareContent(tx, release, stores, delivery.territoryCodes);
  const revisions = affected.map(({ revision }) => revision);
  const comparisons = await compareRevisions(tx, content.snapshot, revisions);
  const storeDeliveries = affected.filter(
    ({ revision }) => force || comparisons.get(revision)?.isSame === false,
  );
  enforce(refuseUnchanged(storeDeliveries));
  return resend(tx, {
    type: 'resubmission',
    delivery,
    storeDeliveries,
    content,
    comparisons,
    requestStep: resubmit,
  });
}
