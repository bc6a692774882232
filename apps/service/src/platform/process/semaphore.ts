/**
 * A fair semaphore: at most `atOnce` pieces of work run, at most `perKeyMax` of them of one key (an organization), and
 * waiting keys are served in rotation. The engine may run thousands of handlers, and a connection pool refuses a request
 * that waits for seconds: without the semaphore, a backlog would fail, be retried, and grow.
 */

import { createFairQueue } from './fair-queue.ts';

type SemaphoreLimits = {
  readonly atOnce: number;
  /** By default three quarters: a single key never has all places (unless there is only one). */
  readonly perKeyMax?: number;
};

/** Rejects with the signal's reason if it is aborted while the work waits. */
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
      // Aborted between being admitted and now: `finally` releases the place.
      signal?.throwIfAborted();
      return await work();
    } finally {
      release();
    }
  };
}
