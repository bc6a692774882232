/** Moves batches of incoming files on the object store. Every function is safe to repeat. */

import type { Storage } from '../../platform/storage/storage.ts';
import {
  completeBatches,
  countRefused,
  type IncomingBatch,
  incomingPrefix,
  refusedKey,
  semaphoreKey,
} from '../domain/incoming-batch.ts';
import type { ReportFile } from '../domain/store-report.ts';

const keysMax = 20_000;
const batchesMax = 50;

export type FoundBatches = {
  /** The next run finds those above the limit. */
  readonly batches: readonly IncomingBatch[];
  readonly refusedCount: number;
};

export async function findBatches(storage: Storage): Promise<FoundBatches> {
  const keys = await storage.listBelow(incomingPrefix, keysMax);
  return {
    batches: completeBatches(keys).slice(0, batchesMax),
    refusedCount: countRefused(keys),
  };
}

/** To the keys of the report. `files` are in the same order as those of the batch. */
export async function copyFiles(
  storage: Storage,
  { files: incoming }: IncomingBatch,
  files: readonly ReportFile[],
): Promise<void> {
  for (const [i, { objectKey }] of incoming.entries()) {
    const target = files[i];
    if (target !== undefined) await storage.copy(objectKey, target.objectKey);
  }
}

/** The semaphore first: the files that are left of a batch must not look complete. */
export const removeBatch = (storage: Storage, batch: IncomingBatch): Promise<void> =>
  removeKeys(storage, [
    semaphoreKey(batch),
    refusedKey(batch),
    ...batch.files.map(({ objectKey }) => objectKey),
  ]);

export async function removeKeys(storage: Storage, keys: readonly string[]): Promise<void> {
  for (const key of keys) await storage.remove(key);
}

/** Its files stay. The batch is read again when its semaphore is put there again. */
export async function refuseBatch(storage: Storage, batch: IncomingBatch): Promise<void> {
  const isComplete = (await storage.find(semaphoreKey(batch))) !== undefined;
  if (isComplete) await storage.copy(semaphoreKey(batch), refusedKey(batch));
  await storage.remove(semaphoreKey(batch));
}
