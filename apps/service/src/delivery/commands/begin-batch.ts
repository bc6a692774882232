import type { Tx } from '../../platform/db/database.ts';
import { messageAssets, splitFiles } from '../connectors/ddex/batch-content.ts';
import type { Connection } from '../connectors/ddex/connection.ts';
import type { StoreMessage } from '../connectors/store-connector.ts';
import { type Batch, batchIdOf, purposeOf } from '../domain/batch.ts';
import { purgeDeliveryType } from '../domain/purge.ts';
import {
  endStaleBatches,
  findBatch,
  findLastBatch,
  insertBatch,
  wasSentBefore,
} from '../store/batches.ts';
import { isPurgeMessage } from '../store/messages.ts';
import { takeBatchTime } from '../store/store-connections.ts';

/**
 * The batch of a message, in the transaction that claims the message: the one that an earlier attempt began, or a new
 * one. The unique index refuses a second open batch of the release at the store.
 */
export async function beginBatch(
  tx: Tx,
  connection: Connection,
  storeMessage: StoreMessage,
): Promise<Batch> {
  const { message, storeId, snapshot } = storeMessage;
  const begun = await findBatch(tx, message.id);
  if (begun !== undefined) return begun;
  const releaseAtStore = { storeId, releaseId: snapshot.release.id };
  endStaleBatches(tx, releaseAtStore);
  const last = await findLastBatch(tx, releaseAtStore);
  const heldAssets = last?.state === 'acknowledged' ? last.heldFiles : [];
  const isRepeated = await wasSentBefore(tx, storeMessage.deliveryId, storeId);
  const purpose = purposeOf(message.kind, { wasSentBefore: isRepeated });
  const isPurge = message.kind === 'takedown' && (await isPurgeMessage(tx, message.id));
  const createdAt = await takeBatchTime(tx, storeId);
  const batch: Batch = {
    messageId: message.id,
    deliveryId: storeMessage.deliveryId,
    ...releaseAtStore,
    batchId: batchIdOf(createdAt),
    kind: message.kind,
    deliveryType: isPurge ? purgeDeliveryType : connection.deliveryTypes[purpose],
    state: 'open',
    messageSha256: null,
    messageBytes: null,
    ernVersion: connection.dialect.ernVersion,
    ...splitFiles(storeMessage, heldAssets),
    heldFiles:
      message.kind === 'takedown' ? heldAssets : messageAssets(storeMessage).map(({ id }) => id),
    acknowledgements: [],
    createdAt,
    completedAt: null,
    timesOutAt: null,
  };
  insertBatch(tx, batch);
  return batch;
}
