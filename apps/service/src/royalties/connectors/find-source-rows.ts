/** The rows of reports that a line item was made from. */

import { secondMs } from '../../kernel/duration.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { runTask } from '../../platform/process/child-task.ts';
import { createSemaphore } from '../../platform/process/semaphore.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { SourceKey, SourcePart, SourceRows } from '../domain/source-row.ts';
import type { FindInput } from './find-source-rows-task.ts';

/** Each is a process of its own, which reads some megabytes. */
const searchesAtOnce = 2;
const timeoutMs = 30 * secondMs;
const urlSeconds = 60;

export type FindSourceRows = (
  orgId: OrgId,
  parts: readonly SourcePart[],
  key: SourceKey,
) => Promise<SourceRows>;

/** The process gets signed URLs of these files, and no credential. */
export function createSourceRowFinder(storage: Storage): FindSourceRows {
  const inTurn = createSemaphore({ atOnce: searchesAtOnce });
  return (orgId, parts, key) =>
    inTurn(orgId, async () => {
      const signed = await Promise.all(
        parts.map(async ({ number, objectKey, sizeBytes }) => {
          const url = await storage.presignGet(objectKey, 'part.parquet', urlSeconds);
          return { number, url, sizeBytes };
        }),
      );
      const input: FindInput = { parts: signed, key };
      const task = new URL('./find-source-rows-task.ts', import.meta.url);
      return runTask<SourceRows>(task, input, {
        signal: AbortSignal.timeout(timeoutMs),
        timeoutMs,
      });
    });
}
