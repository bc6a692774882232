/**
 * At most so many at once; the others wait for their turn, however long, and on their turn see whether they
 * are still wanted. The engine may have thousands of handlers running, and a connection pool gives up on
 * whoever waits for seconds: without turns, a backlog would fail, be tried again, and grow.
 */
export function createTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
