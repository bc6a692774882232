/**
 * A fair semaphore. At most `atOnce` pieces of work run, at most `perKeyMax` of them of one key (an organization),
 * and keys that wait are served in rotation: however much one organization has waiting, the next free place goes to
 * another. The engine may have thousands of handlers running, and a connection pool gives up on whoever waits for
 * seconds: without turns, a backlog would fail, be tried again, and grow.
 */
type Limits = {
  readonly atOnce: number;
  /** By default a quarter of the places, at least one, is kept from any single key. */
  readonly perKeyMax?: number;
};

/** Rejects with the signal's reason when it is aborted before its turn has come. */
export type Turns = <T>(key: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

const shareOf = (atOnce: number): number => Math.max(1, Math.floor((atOnce * 3) / 4));

export function createTurns({ atOnce, perKeyMax = shareOf(atOnce) }: Limits): Turns {
  let free = atOnce;
  const running = new Map<string, number>();
  const queue = createQueue();

  const runningOf = (key: string): number => running.get(key) ?? 0;
  const mayBegin = (key: string): boolean => free > 0 && runningOf(key) < perKeyMax;

  const begin = (key: string): void => {
    free--;
    running.set(key, runningOf(key) + 1);
  };

  const end = (key: string): void => {
    free++;
    if (runningOf(key) > 1) running.set(key, runningOf(key) - 1);
    else running.delete(key);
    // The next one counts as running before it wakes up.
    queue.wakeNext(mayBegin, begin);
  };

  return async (key, work, signal) => {
    signal?.throwIfAborted();
    if (mayBegin(key)) begin(key);
    else await queue.wait(key, signal);
    try {
      // Aborted between its wake-up and now: the place is given on.
      signal?.throwIfAborted();
      return await work();
    } finally {
      end(key);
    }
  };
}

/** Waiters by key. The keys are in the order in which they are served; one that was served moves to the end. */
function createQueue() {
  const waiting = new Map<string, Set<() => void>>();

  const leave = (key: string, waiter: () => void): void => {
    const waiters = waiting.get(key);
    waiters?.delete(waiter);
    if (waiters?.size === 0) waiting.delete(key);
  };

  return {
    wait: async (key: string, signal: AbortSignal | undefined): Promise<void> => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.set(key, (waiting.get(key) ?? new Set()).add(resolve));
      const onAbort = () => {
        leave(key, resolve);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        await promise;
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    },
    /** Wakes the first waiter of the first key that may begin. Few are passed over: those at their maximum. */
    wakeNext: (mayBegin: (key: string) => boolean, begin: (key: string) => void): void => {
      for (const [key, waiters] of waiting) {
        const [waiter] = waiters;
        if (waiter === undefined || !mayBegin(key)) continue;
        leave(key, waiter);
        if (waiting.delete(key)) waiting.set(key, waiters);
        begin(key);
        waiter();
        return;
      }
    },
  };
}
