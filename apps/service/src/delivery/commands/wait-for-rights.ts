import type { SnapshotCodes } from '../../catalog/face.ts';
import type { ReleaseId } from '../../kernel/ids.ts';
import { toTerritorySet } from '../../kernel/territory-set.ts';
import { findCodesHeldElsewhere } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { holdingsOf } from '../domain/holdings.ts';
import { wait } from '../domain/send-again.ts';
import { type StoreDelivery, targetDeal } from '../domain/store-delivery.ts';
import { type Holding, storeCodeKey } from '../store/holdings.ts';
import { openRightsReviews } from '../store/rights-reviews.ts';
import type { DeliveryChange } from './delivery-change.ts';

type CodesOf = (storeDelivery: StoreDelivery) => SnapshotCodes | undefined;

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
  codesOf: CodesOf,
): Promise<readonly StoreDelivery[]> {
  const bringing = accepted.filter(
    ({ message }) => message.kind !== 'takedown' && message.state === 'queued',
  );
  const held = await findHeldCodes(tx, releaseId, bringing, codesOf);
  if (held.length === 0) return accepted;
  await openRightsReviews(tx, releaseId, held);
  const stores = new Set(held.map(({ storeId }) => storeId));
  const waiting = bringing.filter(({ storeId }) => stores.has(storeId));
  for (const storeDelivery of waiting) {
    const step = wait(storeDelivery, tx.now, 'rights_review');
    if (step !== undefined) change.applyStep(storeDelivery, step);
  }
  return accepted.filter((storeDelivery) => !waiting.includes(storeDelivery));
}

/** What these store deliveries would bring to stores where another organization has it. */
export async function findHeldCodes(
  tx: Tx,
  releaseId: ReleaseId,
  storeDeliveries: readonly StoreDelivery[],
  codesOf: CodesOf,
): Promise<readonly Holding[]> {
  const brought = storeDeliveries.flatMap((storeDelivery) => {
    const codes = codesOf(storeDelivery);
    const { storeId } = storeDelivery;
    return codes === undefined
      ? []
      : holdingsOf({ storeId, deal: targetDeal(storeDelivery) }, codes);
  });
  if (brought.length === 0) return [];
  const found = await findCodesHeldElsewhere(
    tx,
    releaseId,
    [...new Set(brought.map(({ storeId }) => storeId))],
    [...new Set(brought.map(({ code }) => code))],
  );
  const foundByKey = Map.groupBy(found, storeCodeKey);
  return brought.filter((holding) => {
    const territories = toTerritorySet(holding.territoryCodes);
    const held = foundByKey.get(storeCodeKey(holding)) ?? [];
    return held.some((each) => (each.territories & territories) !== 0n);
  });
}
