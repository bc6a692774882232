/**
 * A queue for something there is only so much of (connections, bytes), shared by keys that must not crowd each other
 * out: organizations. Each key has at most `perKey` of it, all together `total`; a request that finds none waits. What
 * becomes free goes to the keys in turn, one waiting request each: a key that waits for its first is never behind the
 * thousands of another.
 */
export type Capacity = { readonly total: number; readonly perKey: number };

/** Gives back what was taken; called again it does nothing. */
export type ReleaseCapacity = () => void;

export type FairQueue = {
  /** Waits for as long as it takes; rejects with the reason of `signal`. A size above `perKey` counts as `perKey`. */
  readonly acquire: (key: string, options?: AcquireOptions) => Promise<ReleaseCapacity>;
};

type AcquireOptions = { readonly size?: number; readonly signal?: AbortSignal | undefined };

type Waiter = { readonly size: number; readonly start: () => void };

export function createFairQueue(share: Capacity): FairQueue {
  const usage = createUsage(share);
  const line = createLine();

  const startWaiting = (): void => {
    for (let next = line.next(usage); next !== undefined; next = line.next(usage)) {
      line.leave(next.key, next.waiter);
      line.moveToEnd(next.key);
      next.waiter.start();
    }
  };
  const taken = (key: string, size: number): ReleaseCapacity => {
    usage.add(key, size);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      usage.add(key, -size);
      startWaiting();
    };
  };

  const take: FairQueue['acquire'] = async (key, { size: wanted = 1, signal } = {}) => {
    signal?.throwIfAborted();
    const size = Math.min(wanted, share.perKey, share.total);
    const { promise, resolve, reject } = Promise.withResolvers<ReleaseCapacity>();
    const waiter: Waiter = {
      size,
      start: () => {
        signal?.removeEventListener('abort', giveUp);
        resolve(taken(key, size));
      },
    };
    const giveUp = (): void => {
      line.leave(key, waiter);
      reject(signal?.reason);
      startWaiting();
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    line.join(key, waiter);
    startWaiting();
    return promise;
  };
  return { acquire: take };
}

type Usage = ReturnType<typeof createUsage>;

function createUsage({ total, perKey }: Capacity) {
  let used = 0;
  const usedBy = new Map<string, number>();
  return {
    add: (key: string, size: number): void => {
      used += size;
      const usedNow = (usedBy.get(key) ?? 0) + size;
      if (usedNow === 0) usedBy.delete(key);
      else usedBy.set(key, usedNow);
    },
    fits: (size: number): boolean => used + size <= total,
    fitsKey: (key: string, size: number): boolean => (usedBy.get(key) ?? 0) + size <= perKey,
  };
}

function createLine() {
  /** Keys in the order of their turns, each with its requests in the order they came. */
  const waiting = new Map<string, Set<Waiter>>();
  return {
    join: (key: string, waiter: Waiter): void => {
      const others = waiting.get(key);
      if (others === undefined) waiting.set(key, new Set([waiter]));
      else others.add(waiter);
    },
    leave: (key: string, waiter: Waiter): void => {
      const others = waiting.get(key);
      others?.delete(waiter);
      if (others?.size === 0) waiting.delete(key);
    },
    moveToEnd: (key: string): void => {
      const waiters = waiting.get(key);
      if (waiters !== undefined && waiting.delete(key)) waiting.set(key, waiters);
    },
    /** The first of the first key that may have more; a large one keeps its turn, else smaller ones would pass for ever. */
    next: ({
      fits,
      fitsKey,
    }: Usage): { readonly key: string; readonly waiter: Waiter } | undefined => {
      for (const [key, [waiter]] of waiting) {
        if (waiter === undefined || !fitsKey(key, waiter.size)) continue;
        return fits(waiter.size) ? { key, waiter } : undefined;
      }
      return undefined;
    },
  };
}
