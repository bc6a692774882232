/** Sends to stores: what is claimed before them and recorded after them. */

import { findSnapshot, type Snapshot } from '../../catalog/face.ts';
import type { OrgId, ReleaseId } from '../../kernel/ids.ts';
import { findStore, findStoreSettings, type StoreSettings } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { setTimer } from '../../platform/engine/timers.ts';
import { TerminalFailure } from '../../platform/engine/workflow.ts';
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
import { lockDelivery } from '../store/deliveries.ts';
import { insertPausedSimulatedStores, insertPausedStores } from '../store/paused-stores.ts';
import {
  claimMessage,
  claimSimulatedMessages,
  type ClaimedMessage,
  markSent,
} from '../store/sends.ts';

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
  deps: SendDeps,
): Promise<SendAttempt | undefined> {
  const [claimed, store] = await Promise.all([
    claimMessage(tx, id, storeId),
    findStore(tx, storeId),
  ]);
  if (store?.status === 'paused') insertPausedStores(tx, id, [storeId]);
  if (claimed === undefined || store === undefined) return undefined;
  const storeMessage = await loadMessage(tx, id, claimed, store, deps);
  if (store.connector === 'ddex') {
    return { storeMessage, send: await deps.connectors.ddex.prepare(tx, storeMessage, store) };
  }
  const [attempt] = await simulateSends(tx, [storeMessage], deps);
  return attempt;
}

/**
 * Claims the messages of a delivery to simulated stores, all at once: such a store answers in this transaction, so
 * there are no sessions to limit and no store that is slower than another. Undefined if there is nothing to send.
 */
export async function claimSimulatedSends(
  tx: Tx,
  id: DeliveryId,
  deps: SendDeps,
): Promise<readonly SendAttempt[] | undefined> {
  // Several rows are locked: the delivery first, as everywhere.
  const [, claimed] = await Promise.all([lockDelivery(tx, id), claimSimulatedMessages(tx, id)]);
  insertPausedSimulatedStores(tx, id);
  if (claimed.length === 0) return undefined;
  const settings = await findStoreSettings(
    tx,
    claimed.map(({ storeDelivery }) => storeDelivery.storeId),
  );
  const stores = new Map(settings.map((store) => [store.storeId, store]));
  const storeMessages: StoreMessage[] = [];
  for (const each of claimed) {
    const store = stores.get(each.storeDelivery.storeId);
    if (store !== undefined) storeMessages.push(await loadMessage(tx, id, each, store, deps));
  }
  return simulateSends(tx, storeMessages, deps);
}

async function loadMessage(
  tx: Tx,
  deliveryId: DeliveryId,
  { storeDelivery, releaseId }: ClaimedMessage,
  { capabilities: { confirmation } }: StoreSettings,
  { snapshotOf }: SendDeps,
): Promise<StoreMessage> {
  const { storeId, message, expectedBy } = storeDelivery;
  const snapshot = await snapshotOf(tx, tx.orgId, releaseId, targetRevision(storeDelivery));
  const deal = targetDeal(storeDelivery);
  return { deliveryId, storeId, message, deal, expectedBy, confirmation, snapshot };
}

async function simulateSends(
  tx: Tx,
  storeMessages: readonly StoreMessage[],
  { connectors: { simulated } }: SendDeps,
): Promise<readonly SendAttempt[]> {
  const simulations = await simulated.simulate?.(tx, storeMessages);
  return storeMessages.map((storeMessage, i) => {
    const send = storeMessage.message.kind === 'takedown' ? simulated.takeDown : simulated.send;
    return { storeMessage, send: (signal) => send(storeMessage, signal, simulations?.[i]) };
  });
}

/**
 * Sends all of them. Left out of the result are messages that their store does not take now: the delivery is dispatched
 * again later. After any other failure all are sent again, with the same ids.
 */
export async function executeSends(
  attempts: readonly SendAttempt[],
  signal: AbortSignal,
): Promise<readonly ExecutedSend[]> {
  const sent = await Promise.all(
    attempts.map(async ({ storeMessage, send }): Promise<ExecutedSend | undefined> => {
      try {
        return { storeMessage, scheduledAnswers: await send(signal) };
      } catch (error) {
        if (error instanceof TerminalFailure) return undefined;
        throw error;
      }
    }),
  );
  return sent.filter((each) => each !== undefined);
}

type ExecutedSend = {
  readonly storeMessage: StoreMessage;
  readonly scheduledAnswers: readonly ScheduledAnswer[];
};

/** Of one delivery; none if no store has taken its message. */
export async function recordSends(tx: Tx, sent: readonly ExecutedSend[]): Promise<void> {
  const [first] = sent;
  if (first === undefined) return;
  const { deliveryId } = first.storeMessage;
  await Promise.all([lockDelivery(tx, deliveryId), recordSentMessages(tx, deliveryId, sent)]);
}

export const recordSent = (
  tx: Tx,
  { storeMessage }: SendAttempt,
  scheduledAnswers: readonly ScheduledAnswer[],
): Promise<void> =>
  recordSentMessages(tx, storeMessage.deliveryId, [{ storeMessage, scheduledAnswers }]);

/**
 * Marks the messages as sent and stores the scheduled answers of simulated stores, except for messages that were
 * answered or replaced during the send.
 */
async function recordSentMessages(
  tx: Tx,
  deliveryId: DeliveryId,
  sent: readonly ExecutedSend[],
): Promise<void> {
  const marked = await markSent(
    tx,
    deliveryId,
    sent.map(({ storeMessage }) => storeMessage),
  );
  const answers = sent
    .filter(({ storeMessage }) => marked.has(storeMessage.storeId))
    .flatMap(({ storeMessage: { storeId }, scheduledAnswers }) =>
      scheduledAnswers.map(({ dueAt, answer }) => ({
        id: tx.newId('ans'),
        target: { orgId: tx.orgId, deliveryId, storeId },
        answer,
        dueAt,
        recheckAt: null,
      })),
    );
  if (answers.length === 0) return;
  await insertAnswers(tx, answers);
  for (const { dueAt } of answers) {
    setTimer(tx, dueAt, wakeDelivery(tx.orgId, deliveryId, 'applyAnswers'));
  }
}
