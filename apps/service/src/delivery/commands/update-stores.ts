import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type DeliveryId, refuseLegalHold } from '../domain/delivery.ts';
import { refuseNone, refuseUpdate, updateIssue } from '../domain/sending-anew.ts';
import { requestUpdate, targetRevision } from '../domain/store-delivery.ts';
import { findLegalHold } from '../store/legal-holds.ts';
import { lockChosenStores, lockReleaseOf, findStoresOf } from './lock-chosen-stores.ts';
import { compareRevisions } from './compare-revisions.ts';
import { consign } from './consign.ts';
import type { DeliveryWithStores } from './create-delivery.ts';
import { sendAnew } from './send-anew.ts';

/** Contract §3, §4: a newer revision for stores that hold an older one; they go on selling meanwhile. */
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
  const able = chosen.filter(
    (storeDelivery) => updateIssue(storeDelivery, takesUpdates) === undefined,
  );
  const [release, legalHold] = await Promise.all([
    lockReleaseOf(tx, delivery),
    findLegalHold(tx, delivery.releaseId),
  ]);
  enforce(refuseLegalHold(legalHold));
  const stores = known.filter(({ storeId }) =>
    able.some((storeDelivery) => storeDelivery.storeId === storeId),
  );
  const consigned = await consign(tx, release, stores, delivery.territoryCodes);
  const revisions = able.flatMap((storeDelivery) => [
    storeDelivery.revision,
    targetRevision(storeDelivery),
  ]);
  const compared = await compareRevisions(tx, consigned.snapshot, revisions);
  const storeDeliveries = able.filter(
    (storeDelivery) => compared.get(targetRevision(storeDelivery))?.isSame !== true,
  );
  enforce(refuseNone(storeDeliveries));
  return sendAnew(tx, {
    type: 'update',
    delivery,
    storeDeliveries,
    consigned,
    compared,
    move: requestUpdate,
  });
}
