/**
 * Items that may be lost, written in batches in the background. Adding one costs a push to a list: no timer, no promise
 * and no query of its own. Memory is bounded: beyond it the oldest items of the key that uses most of it are dropped, so
 * that one organization cannot push out the items of others. A batch whose write fails is dropped too, never written
 * again, because the write may have succeeded before the connection was lost.
 */

export type BatchBuffer<Item> = {
  readonly add: (item: Item) => void;
  /** Writes what was added until now. Never rejects. */
  readonly flush: () => Promise<void>;
};

export type BatchBufferOptions<Item> = {
  readonly write: (batch: readonly Item[]) => Promise<void>;
  readonly sizeOf: (item: Item) => number;
  readonly keyOf: (item: Item) => string;
  /** Items of one batch; as many as this cause a write at once. */
  readonly batchMax: number;
  /** Of the items of one batch, if it has more than one: a large batch would keep the process busy for too long. */
  readonly batchSizeMax: number;
  /** How long an item waits for others. Undefined: until the batch is full, or `flush`. */
  readonly everyMs: number | undefined;
  /** Of all items that wait. */
  readonly sizeMax: number;
  readonly onDropped: (count: number, cause?: unknown) => void;
};

const keptShare = 0.9;

/** After a failed write: the database is likely to be away for longer. */
const failurePauseMs = 1_000;

export function createBatchBuffer<Item>(options: BatchBufferOptions<Item>): BatchBuffer<Item> {
  const { write, sizeOf, keyOf, batchMax, batchSizeMax, everyMs, sizeMax, onDropped } = options;
  let waiting: Item[] = [];
  let size = 0;
  let isPaused = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  const take = (count: number): Item[] => {
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    for (const item of batch) size -= sizeOf(item);
    return batch;
  };

  /** A tenth of the memory at once, because it walks through all items. */
  const dropOldest = (): void => {
    const largest = largestKey(waiting, sizeOf, keyOf);
    const before = waiting.length;
    waiting = waiting.filter((item) => {
      if (size <= sizeMax * keptShare || keyOf(item) !== largest) return true;
      size -= sizeOf(item);
      return false;
    });
    onDropped(before - waiting.length);
  };

  const countThatFits = (): number => {
    let batchSize = 0;
    const tooMuch = waiting.findIndex((item) => (batchSize += sizeOf(item)) > batchSizeMax);
    return Math.min(batchMax, tooMuch === -1 ? waiting.length : Math.max(tooMuch, 1));
  };

  const writeBatch = async (): Promise<void> => {
    const batch = take(countThatFits());
    try {
      await write(batch);
      isPaused = false;
    } catch (error) {
      onDropped(batch.length, error);
      isPaused = true;
    }
  };

  const schedule = (): void => {
    if (everyMs === undefined || timer !== undefined || writing !== undefined) return;
    const inMs = isPaused ? failurePauseMs : everyMs;
    timer = setTimeout(() => void startWriting(), inMs);
    timer.unref();
  };

  /** One write at a time: a slow database is not sent a second batch, and uses one connection. */
  const startWriting = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= (async () => {
      await writeBatch();
      writing = undefined;
      if (waiting.length >= batchMax && !isPaused) void startWriting();
      else if (waiting.length > 0) schedule();
    })();
    return writing;
  };

  return {
    add: (item) => {
      waiting.push(item);
      size += sizeOf(item);
      if (size > sizeMax) dropOldest();
      if (waiting.length >= batchMax && everyMs !== undefined && !isPaused) void startWriting();
      else schedule();
    },
    flush: async () => {
      const last = waiting.at(-1);
      const isLastWaiting = () => last !== undefined && waiting.includes(last);
      if (writing !== undefined) await writing;
      while (isLastWaiting()) {
        await startWriting();
        // The other batches would wait for the same time-out, one after the other.
        if (isPaused) onDropped(take(waiting.length).length);
      }
    },
  };
}

/** The key whose items are largest together. */
function largestKey<Item>(
  items: readonly Item[],
  sizeOf: (item: Item) => number,
  keyOf: (item: Item) => string,
): string | undefined {
  const sizes = new Map<string, number>();
  for (const item of items) sizes.set(keyOf(item), (sizes.get(keyOf(item)) ?? 0) + sizeOf(item));
  return [...sizes].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
