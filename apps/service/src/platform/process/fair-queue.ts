/**
 * A queue for a limited capacity (connections, bytes) that keys share: organizations, which must not crowd each other
 * out. Each key has at most `perKey` of it, all keys together `total`; other requests wait. Released capacity goes to
 * the keys in rotation, one waiting request each, so the first request of a key is never behind thousands of another.
 */
export type Capacity = {
  readonly total: number;
  readonly perKey: number;
  /** More requests of one key than this do not wait: they are rejected with `QueueFull`. Omitted: all wait. */
  readonly waitingPerKey?: number;
};

export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/** Releases the acquired capacity; a second call does nothing. */
export type ReleaseCapacity = () => void;

export type FairQueue = {
  /** Waits without a time limit; rejects with the reason of `signal`. A size above `perKey` counts as `perKey`. */
  readonly acquire: (key: string, options?: AcquireOptions) => Promise<ReleaseCapacity>;
  /**
   * Acquires one place without waiting and without a promise. Undefined if no place is free, the key has its share, or
   * earlier requests of the key wait: then call `acquire`.
   */
  readonly tryAcquire: (key: string) => ReleaseCapacity | undefined;
};

type AcquireOptions = { readonly size?: number; readonly signal?: AbortSignal | undefined };

type Waiter = { readonly size: number; readonly start: () => void };

export function createFairQueue(capacity: Capacity): FairQueue {
  const usage = createUsage(capacity);
  const line = createLine();

  const startWaiting = (): void => {
    for (let next = line.next(usage); next !== undefined; next = line.next(usage)) {
      line.leave(next.key, next.waiter);
      line.moveToEnd(next.key);
      next.waiter.start();
    }
  };
  const reserve = (key: string, size: number): ReleaseCapacity => {
    usage.add(key, size);
    let isReserved = true;
    return () => {
      if (!isReserved) return;
      isReserved = false;
      usage.add(key, -size);
      startWaiting();
    };
  };

  const acquire: FairQueue['acquire'] = async (key, { size: wanted = 1, signal } = {}) => {
    signal?.throwIfAborted();
    const size = Math.min(wanted, capacity.perKey, capacity.total);
    const { promise, resolve, reject } = Promise.withResolvers<ReleaseCapacity>();
    const waiter: Waiter = {
      size,
      start: () => {
        signal?.removeEventListener('abort', giveUp);
        resolve(reserve(key, size));
      },
    };
    const giveUp = (): void => {
      line.leave(key, waiter);
      reject(signal?.reason);
      startWaiting();
    };
    if (line.length(key) >= (capacity.waitingPerKey ?? Infinity)) {
      throw new QueueFull(`${key} has ${capacity.waitingPerKey} requests waiting`);
    }
    signal?.addEventListener('abort', giveUp, { once: true });
    line.join(key, waiter);
    startWaiting();
    return promise;
  };
  const tryAcquire: FairQueue['tryAcquire'] = (key) =>
    line.length(key) === 0 && usage.fits(1) && usage.fitsKey(key, 1) ? reserve(key, 1) : undefined;
  return { acquire, tryAcquire };
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
  /** Keys in rotation order, each with its requests in the order of arrival. */
  const waiting = new Map<string, Set<Waiter>>();
  return {
    join: (key: string, waiter: Waiter): void => {
      const others = waiting.get(key);
      if (others === undefined) waiting.set(key, new Set([waiter]));
      else others.add(waiter);
    },
    length: (key: string): number => waiting.get(key)?.size ?? 0,
    leave: (key: string, waiter: Waiter): void => {
      const others = waiting.get(key);
      others?.delete(waiter);
      if (others?.size === 0) waiting.delete(key);
    },
    moveToEnd: (key: string): void => {
      const waiters = waiting.get(key);
      if (waiters !== undefined && waiting.delete(key)) waiting.set(key, waiters);
    },
    /** The first request of the first key below its share. A large one keeps its turn: smaller ones do not overtake it. */
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
