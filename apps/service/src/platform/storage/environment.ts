/** The mark of a bucket: an object named for its environment, which the first process puts there. */

import type { Storage } from './storage.ts';

const contentType = 'text/plain';
const putWithinMs = 5_000;

const keyOf = (environment: string): string => `environment/${environment}`;

export const bucketIsOf = async (storage: Storage, environment: string): Promise<boolean> =>
  (await storage.find(keyOf(environment))) !== undefined;

export async function markBucket(storage: Storage, environment: string): Promise<void> {
  const url = await storage.presignPut(keyOf(environment), {
    contentType,
    sizeBytes: environment.length,
    expiresInSeconds: 60,
  });
  const { ok, status } = await fetch(url, {
    method: 'PUT',
    headers: { 'content-type': contentType },
    body: environment,
    signal: AbortSignal.timeout(putWithinMs),
  });
  if (!ok) throw new Error(`the storage answered ${status} to the mark of its environment`);
}
