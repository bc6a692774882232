/** One send to one store: what is claimed before it and recorded after it. */

import { findSnapshot, type Snapshot } from '../../catalog/face.ts';
import { addMs } from '../../kernel/duration.ts';
import type { OrgId, ReleaseId } from '../../kernel/ids.ts';
import { findStore, type Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { setTimer } from '../../platform/engine/timers.ts';
import type {
  Connectors,
  ScheduledAnswer,
  SendPrepared,
  StoreMessage,
} from '../connectors/store-connector.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import { targetDeal, targetRevision } from '../domain/store-delivery.ts';
import { wakeDelivery } from '../messages.ts';
import { insertAnswers } from '../store/answers.ts';
import { insertPausedStores } from '../store/paused-stores.ts';
import { claimMessage, markSent } from '../store/store-deliveries.ts';

export type FindSnapshot = (
  tx: Tx,
  orgId: OrgId,
  releaseId: ReleaseId,
  revision: number,
) => Promise<Snapshot>;

/** A snapshot never changes and is sent to hundreds of stores, so the latest ones are cached. */
export function createSnapshotCache(snapshotsMax: number): FindSnapshot {
  const cache = new Map<string, Snapshot>();
  return async (tx, orgId, releaseId, revision) => {
    const key = `${orgId}/${releaseId}/${revision}`;
    const found = cache.get(key) ?? (await findSnapshot(tx, orgId, releaseId, revision));
    if (found === undefined) throw new Error(`${releaseId} has no snapshot ${revision}`);
    cache.delete(key);
    cache.set(key, found);
    const [oldest] = cache.keys();
    if (cache.size > snapshotsMax && oldest !== undefined) cache.delete(oldest);
    return found;
  };
}

export type SendAttempt = {
  readonly storeMessage: StoreMessage;
  readonly send: SendPrepared;
};

export type SendDeps = {
  readonly snapshotOf: FindSnapshot;
  readonly connectors: Connectors;
};

/** Undefined if there is nothing to send now. Locks only the store delivery, not the delivery. */
export async function claimSend(
  tx: Tx,
  id: DeliveryId,
  storeId: string,
  { snapshotOf, connectors }: SendDeps,
): Promise<SendAttempt | undefined> {
  const [claimed, store] = await Promise.all([
    claimMessage(tx, id, storeId),
    findStore(tx, storeId),
  ]);
  if (store?.status === 'paused') insertPausedStores(tx, id, [storeId]);
  if (claimed === undefined || store === undefined) return undefined;
  const { storeDelivery, releaseId } = claimed;
  const { message, expectedBy } = storeDelivery;
  const snapshot = await snapshotOf(tx, tx.orgId, releaseId, targetRevision(storeDelivery));
  const deal = targetDeal(storeDelivery);
  const { confirmation } = store.capabilities;
  const storeMessage = {
    deliveryId: id,
    storeId,
    message,
    deal,
    expectedBy,
    confirmation,
    snapshot,
  };
  return { storeMessage, send: await prepareSend(tx, store, storeMessage, connectors) };
}

async function prepareSend(
  tx: Tx,
  store: Store,
  storeMessage: StoreMessage,
  { simulated, ddex }: Connectors,
): Promise<SendPrepared> {
  if (store.connector === 'ddex') return ddex.prepare(tx, storeMessage, store);
  const simulation = await simulated.simulate?.(tx, storeMessage);
  const send = storeMessage.message.kind === 'takedown' ? simulated.takeDown : simulated.send;
  return (signal) => send(storeMessage, signal, simulation);
}

/**
 * Marks the message as sent and stores the scheduled answers of a simulated store, unless the message was answered or
 * replaced during the send.
 */
export async function recordSent(
  tx: Tx,
  { storeMessage }: SendAttempt,
  scheduledAnswers: readonly ScheduledAnswer[],
): Promise<void> {
  const { deliveryId, storeId, message } = storeMessage;
  const isSent = await markSent(tx, deliveryId, { storeId, message });
  if (!isSent || scheduledAnswers.length === 0) return;
  const answers = scheduledAnswers.map(({ afterMs, answer }) => ({
    id: tx.newId('ans'),
    target: { orgId: tx.orgId, deliveryId, storeId },
    answer,
    dueAt: addMs(tx.now, afterMs),
    recheckAt: null,
  }));
  await insertAnswers(tx, answers);
  for (const { dueAt } of answers) {
    setTimer(tx, dueAt, wakeDelivery(tx.orgId, deliveryId, 'applyAnswers'));
  }
}
