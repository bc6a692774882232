/** The rows of reports that a line item was made from. */

import { secondMs } from '../../kernel/duration.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { runTask } from '../../platform/process/child-task.ts';
import { createSemaphore } from '../../platform/process/semaphore.ts';
import { type Storage, StorageUnavailable } from '../../platform/storage/storage.ts';
import type { SourceKey, SourcePart, SourceRows } from '../domain/source-row.ts';
import type { FindInput, FindResult } from './find-source-rows-task.ts';

/** Each is a process of its own, which reads some megabytes. */
const searchesAtOnce = 2;
/** With the wait for its turn; shorter than a request may take (`handler-timeout.ts`). */
const searchTimeoutMs = 15 * secondMs;
const urlSeconds = 60;

export type FindSourceRows = (
  orgId: OrgId,
  parts: readonly SourcePart[],
  key: SourceKey,
) => Promise<SourceRows>;

/**
 * The process gets signed URLs of these files, and no credential. A search that takes too long, or whose files the
 * storage does not send, is a `StorageUnavailable`: the caller may ask again.
 */
export function createSourceRowFinder(
  storage: Pick<Storage, 'presignGet'>,
  timeoutMs = searchTimeoutMs,
): FindSourceRows {
  const inTurn = createSemaphore({ atOnce: searchesAtOnce });
  return async (orgId, parts, key) => {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await inTurn(orgId, () => search(storage, { parts, key }, signal, timeoutMs), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new StorageUnavailable('a search for source rows took too long', { cause: error });
    }
  };
}

type Search = { readonly parts: readonly SourcePart[]; readonly key: SourceKey };

async function search(
  storage: Pick<Storage, 'presignGet'>,
  { parts, key }: Search,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<SourceRows> {
  const signed = await Promise.all(
    parts.map(async ({ number, objectKey, sizeBytes }) => {
      const url = await storage.presignGet(objectKey, 'part.parquet', urlSeconds);
      return { number, url, sizeBytes };
    }),
  );
  const input: FindInput = { parts: signed, key };
  const task = new URL('./find-source-rows-task.ts', import.meta.url);
  const found = await runTask<FindResult>(task, input, { signal, timeoutMs });
  if ('unavailable' in found) throw new StorageUnavailable(found.unavailable);
  return found;
}
