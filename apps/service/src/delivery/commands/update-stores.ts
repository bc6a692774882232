import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type DeliveryId, refuseHeld } from '../domain/delivery.ts';
import { refuseNone, refuseUpdate, updateIssue } from '../domain/sending-anew.ts';
import { requestUpdate, sentRevision } from '../domain/store-part.ts';
import { findHold } from '../store/holds.ts';
import { chooseParts, lockItsRelease, storesOf } from './choose-parts.ts';
import { compareRevisions } from './compare-revisions.ts';
import { consign } from './consign.ts';
import type { WholeDelivery } from './create-delivery.ts';
import { sendAnew } from './send-anew.ts';

/** Contract §3, §4: a newer revision for stores that hold an older one; they go on selling meanwhile. */
export async function updateStores(
  tx: Tx,
  id: DeliveryId,
  named: readonly string[] | undefined,
): Promise<WholeDelivery> {
  const { delivery, parts: chosen } = await chooseParts(tx, id, named);
  const known = await storesOf(tx, chosen);
  const takesUpdates = new Set(
    known.filter(({ capabilities }) => capabilities.update).map(({ storeId }) => storeId),
  );
  enforce(refuseUpdate(chosen, named, takesUpdates));
  const able = chosen.filter((part) => updateIssue(part, takesUpdates) === undefined);
  const [release, hold] = await Promise.all([
    lockItsRelease(tx, delivery),
    findHold(tx, delivery.releaseId),
  ]);
  enforce(refuseHeld(hold));
  const stores = known.filter(({ storeId }) => able.some((part) => part.storeId === storeId));
  const consigned = await consign(tx, release, stores, delivery.territoryCodes);
  const revisions = able.flatMap((part) => [part.revision, sentRevision(part)]);
  const compared = await compareRevisions(tx, consigned.snapshot, revisions);
  const parts = able.filter((part) => compared.get(sentRevision(part))?.isSame !== true);
  enforce(refuseNone(parts));
  return sendAnew(tx, {
    type: 'update',
    delivery,
    parts,
    consigned,
    compared,
    move: requestUpdate,
  });
}
