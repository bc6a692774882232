/**
 * A fair semaphore: at most `atOnce` pieces of work run, at most `perKeyMax` of them of one key (an organization), and
 * keys that wait are served in rotation. The engine may have thousands of handlers running, and a connection pool gives
 * up on whoever waits for seconds: without turns, a backlog would fail, be tried again, and grow.
 */

import { createFairQueue } from './fair-queue.ts';

type SemaphoreLimits = {
  readonly atOnce: number;
  /** By default a quarter of the places, at least one, is kept from any single key. */
  readonly perKeyMax?: number;
};

/** Rejects with the signal's reason when it is aborted before its turn has come. */
export type Semaphore = <T>(
  key: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;

const perKeyMaxDefault = (atOnce: number): number => Math.max(1, Math.floor((atOnce * 3) / 4));

export function createSemaphore({
  atOnce,
  perKeyMax = perKeyMaxDefault(atOnce),
}: SemaphoreLimits): Semaphore {
  const queue = createFairQueue({ total: atOnce, perKey: perKeyMax });
  return async (key, work, signal) => {
    const release = await queue.acquire(key, { signal });
    try {
      // Aborted between its turn and now: the place is given on.
      signal?.throwIfAborted();
      return await work();
    } finally {
      release();
    }
  };
}
