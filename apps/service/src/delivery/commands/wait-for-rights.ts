import type { ReleaseId } from '../../kernel/ids.ts';
import { findCodesHeldElsewhere } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type CodeConflict,
  codesIn,
  type CodesByRevision,
  findConflicts,
} from '../domain/code-conflicts.ts';
import { wait } from '../domain/send-again.ts';
import type { StoreDelivery } from '../domain/store-delivery.ts';
import { openRightsReviews } from '../store/rights-reviews.ts';
import type { DeliveryChange } from './delivery-change.ts';

/**
 * Lets the messages wait that would bring a store a code that another organization has live there, in a territory of both,
 * and returns the others. Otherwise anyone could stop the income of a recording by delivering its ISRC: rows of usage with
 * two holders go to suspense. A takedown never waits, and neither does a message that is in its lane already.
 */
export async function waitForRights(
  tx: Tx,
  change: DeliveryChange,
  releaseId: ReleaseId,
  accepted: readonly StoreDelivery[],
  codesByRevision: CodesByRevision,
): Promise<readonly StoreDelivery[]> {
  const bringing = accepted.filter(
    ({ message }) => message.kind !== 'takedown' && message.state === 'queued',
  );
  const conflicts = await findCodeConflicts(tx, releaseId, bringing, codesByRevision);
  if (conflicts.length === 0) return accepted;
  await openRightsReviews(tx, releaseId, conflicts);
  const stores = new Set(conflicts.map(({ storeId }) => storeId));
  const waiting = new Set(bringing.filter(({ storeId }) => stores.has(storeId)));
  for (const storeDelivery of waiting) {
    const step = wait(storeDelivery, tx.now, 'rights_review');
    if (step !== undefined) change.applyStep(storeDelivery, step);
  }
  return accepted.filter((storeDelivery) => !waiting.has(storeDelivery));
}

/** What these store deliveries would bring to stores where another organization has it. */
export async function findCodeConflicts(
  tx: Tx,
  releaseId: ReleaseId,
  storeDeliveries: readonly StoreDelivery[],
  codesByRevision: CodesByRevision,
): Promise<readonly CodeConflict[]> {
  if (storeDeliveries.length === 0) return [];
  const storeIds = storeDeliveries.map(({ storeId }) => storeId);
  const held = await findCodesHeldElsewhere(tx, releaseId, storeIds, codesIn(codesByRevision));
  return findConflicts(storeDeliveries, codesByRevision, held);
}
