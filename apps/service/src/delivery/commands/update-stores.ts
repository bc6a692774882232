import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type DeliveryId, refuseLegalHold } from '../domain/delivery.ts';
import { refuseUnchanged, refuseUpdate, updateIssue } from '../domain/resend-rules.ts';
import { requestUpdate, targetRevision } from '../domain/store-delivery.ts';
import { findLegalHold } from '../store/legal-holds.ts';
import { compareRevisions } from './compare-revisions.ts';
import type { DeliveryWithStores } from './create-delivery.ts';
import { lockChosenStores, lockReleaseOf, findStoresOf } from './lock-chosen-stores.ts';
import { prepareContent } from './prepare-content.ts';
import { resend } from './resend.ts';

/** Contract §3, §4: sends a newer revision to stores that have an older one and sell it until they confirm. */
export async function updateStores(
  tx: Tx,
  id: DeliveryId,
  named: readonly string[] | undefined,
): Promise<DeliveryWithStores> {
  const { delivery, storeDeliveries: chosen } = await lockChosenStores(tx, id, named);
  const known = await findStoresOf(tx, chosen);
  const takesUpdates = new Set(
    known.filter(({ capabilities }) => capabilities.update).map(({ storeId }) => storeId),
  );
  enforce(refuseUpdate(chosen, named, takesUpdates));
  const updatable = chosen.filter(
    (storeDelivery) => updateIssue(storeDelivery, takesUpdates) === undefined,
  );
  const [release, legalHold] = await Promise.all([
    lockReleaseOf(tx, delivery),
    findLegalHold(tx, delivery.releaseId),
  ]);
  enforce(refuseLegalHold(legalHold));
  const stores = known.filter(({ storeId }) =>
    updatable.some((storeDelivery) => storeDelivery.storeId === storeId),
  );
  const content = await prepareContent(tx, release, stores, delivery.territoryCodes);
  const revisions = updatable.flatMap((storeDelivery) => [
    storeDelivery.revision,
    targetRevision(storeDelivery),
  ]);
  const comparisons = await compareRevisions(tx, content.snapshot, revisions);
  const storeDeliveries = updatable.filter(
    (storeDelivery) => comparisons.get(targetRevision(storeDelivery))?.isSame !== true,
  );
  enforce(refuseUnchanged(storeDeliveries));
  return resend(tx, {
    type: 'update',
    delivery,
    storeDeliveries,
    content,
    comparisons,
    requestStep: requestUpdate,
  });
}
