import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { isSameDeal } from '../domain/deal.ts';
import { type DeliveryId, refuseLegalHold } from '../domain/delivery.ts';
import {
  refuseResubmit,
  refuseUnchanged,
  resubmitIssue,
  selectStores,
  skip,
  unchangedIssue,
} from '../domain/resend-rules.ts';
import { resubmit } from '../domain/send-again.ts';
import { findLegalHold } from '../store/legal-holds.ts';
import { compareRevisions } from './compare-revisions.ts';
import { lockChosenStores, lockReleaseOf, findStoresOf } from './lock-chosen-stores.ts';
import { prepareContent } from './prepare-content.ts';
import { type ChangedDelivery, resend, type Resend } from './resend.ts';
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
): Promise<ChangedDelivery> {
  const { delivery, storeDeliveries, before } = await lockChosenStores(tx, id, named);
  const selection = selectStores(storeDeliveries, resubmitIssue);
  enforce(refuseResubmit(selection, named));
  const { applicable } = selection;
  const [release, stores, legalHold] = await Promise.all([
    lockReleaseOf(tx, delivery),
    findStoresOf(tx, applicable),
    findLegalHold(tx, delivery.releaseId),
  ]);
  enforce(refuseLegalHold(legalHold));
  enforce(refuseRejectedByReview(reviewGate(release, release.revision)));
  const requested = new Map(applicable.map((each) => [each.storeId, each.requestedTerritoryCodes]));
  const { snapshot, dealsByStore } = await prepareContent(tx, {
    release,
    stores,
    named,
    territoriesFor: (storeId) => requested.get(storeId) ?? delivery.territoryCodes,
  });
  const revisions = applicable.map(({ revision }) => revision);
  const comparisons = await compareRevisions(tx, snapshot, revisions);
  const candidates = applicable.map((storeDelivery): Resend => {
    const { storeId, requestedTerritoryCodes } = storeDelivery;
    const deal = dealsByStore.get(storeId) ?? storeDelivery.deal;
    return {
      storeDelivery,
      content: { revision: snapshot.release.revision, deal, requestedTerritoryCodes },
    };
  });
  const isUnchanged = ({ storeDelivery, content }: Resend): boolean =>
    !force &&
    comparisons.get(storeDelivery.revision)?.isSame === true &&
    isSameDeal(storeDelivery.deal, content.deal);
  const resends = candidates.filter((each) => !isUnchanged(each));
  const unchanged = candidates.filter(isUnchanged);
  const skipped = [
    ...selection.skipped,
    ...unchanged.map(({ storeDelivery }) => skip(storeDelivery, unchangedIssue)),
  ];
  enforce(refuseUnchanged(resends, skipped, named));
  return resend(tx, {
    type: 'resubmission',
    delivery,
    before,
    revision: snapshot.release.revision,
    resends,
    skipped,
    comparisons,
    requestStep: resubmit,
  });
}
