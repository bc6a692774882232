/** One message on its way to one store: what is said before it is sent, and after. */
import { addMs } from '../../kernel/duration.ts';
import { findSnapshot, type Snapshot } from '../../catalog/face.ts';
import type { OrgId, ReleaseId } from '../../kernel/ids.ts';
import { findStore, type Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { setTimer } from '../../platform/engine/timers.ts';
import type {
  ComingAnswer,
  Connectors,
  Consignment,
  Foreseen,
} from '../connectors/store-connector.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import { targetRevision } from '../domain/store-delivery.ts';
import { lookAtDelivery } from '../messages.ts';
import { insertAnswers } from '../store/answers.ts';
import { park } from '../store/parking.ts';
import { claimMessage, noteSent } from '../store/store-deliveries.ts';

export type FindSnapshot = (
  tx: Tx,
  orgId: OrgId,
  releaseId: ReleaseId,
  revision: number,
) => Promise<Snapshot>;

/** A snapshot never changes, and is sent to hundreds of stores: the last few are kept at hand. */
export function createSnapshotShelf(snapshotsMax: number): FindSnapshot {
  const shelf = new Map<string, Snapshot>();
  return async (tx, orgId, releaseId, revision) => {
    const key = `${orgId}/${releaseId}/${revision}`;
    const found = shelf.get(key) ?? (await findSnapshot(tx, orgId, releaseId, revision));
    if (found === undefined) throw new Error(`${releaseId} has no snapshot ${revision}`);
    shelf.delete(key);
    shelf.set(key, found);
    const [oldest] = shelf.keys();
    if (shelf.size > snapshotsMax && oldest !== undefined) shelf.delete(oldest);
    return found;
  };
}

export type Trip = {
  readonly store: Store;
  readonly consignment: Consignment;
  readonly foreseen: Foreseen | undefined;
};

export type SendDeps = {
  readonly snapshotOf: FindSnapshot;
  readonly connectors: Connectors;
};

/** Undefined when there is nothing to send, or not now. It touches the store's part and nothing else. */
export async function beginSending(
  tx: Tx,
  id: DeliveryId,
  storeId: string,
  { snapshotOf, connectors }: SendDeps,
): Promise<Trip | undefined> {
  const [claimed, store] = await Promise.all([
    claimMessage(tx, id, storeId),
    findStore(tx, storeId),
  ]);
  if (store?.status === 'paused') park(tx, id, [storeId]);
  if (claimed === undefined || store === undefined) return undefined;
  const { storeDelivery, releaseId } = claimed;
  const { message, expectedBy } = storeDelivery;
  const territoryCodes = storeDelivery.pendingTerritoryCodes ?? storeDelivery.territoryCodes;
  const snapshot = await snapshotOf(tx, tx.orgId, releaseId, targetRevision(storeDelivery));
  const consignment = { deliveryId: id, storeId, message, territoryCodes, expectedBy, snapshot };
  const foreseen = await connectors[store.connector].foresee?.(tx, consignment);
  return { store, consignment, foreseen };
}

/**
 * It has left. What a simulated store is going to answer is kept until it is due, unless somebody was quicker and
 * has answered for it.
 */
export async function finishSending(
  tx: Tx,
  { consignment }: Trip,
  coming: readonly ComingAnswer[],
): Promise<void> {
  const { deliveryId, storeId, message } = consignment;
  const isSent = await noteSent(tx, deliveryId, { storeId, message });
  if (!isSent || coming.length === 0) return;
  const answers = coming.map(({ afterMs, answer }) => ({
    id: tx.newId('ans'),
    target: { messageId: message.id, orgId: tx.orgId, deliveryId, storeId },
    answer,
    dueAt: addMs(tx.now, afterMs),
    recheckAt: null,
  }));
  await insertAnswers(tx, answers);
  for (const { dueAt } of answers) {
    setTimer(tx, dueAt, lookAtDelivery(tx.orgId, deliveryId, 'hear'));
  }
}
