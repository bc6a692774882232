/**
 * How many requests a process makes at once, and for which organizations. Three queues, each fair to organizations,
 * acquired in this order:
 *
 * - bytes: the memory of requests in flight.
 * - sockets: connections with a request, however long a receiver hangs; those that are kept have limits of their own
 *   (`kept-connections.ts`). An organization's share is larger than what all of its
 *   failing endpoints use (100 × 4), so that they do not delay one that works, and smaller than the total.
 * - starts: requests in their first 25 ms, in which they cost processor time. A receiver that answers at once is only in
 *   this queue. It keeps the event loop responsive: otherwise hundreds of answers for one organization that arrive
 *   together would be handled before the one of another.
 */

import { createFairQueue, type ReleaseCapacity, type Capacity } from '../process/fair-queue.ts';

export type OutboundLimits = {
  readonly bytes: Capacity;
  readonly sockets: Capacity;
  readonly starts: Capacity;
};

const mebibyte = 1024 * 1024;

export const usualLimits: OutboundLimits = {
  bytes: { total: 64 * mebibyte, perKey: 32 * mebibyte },
  sockets: { total: 1_024, perKey: 512 },
  starts: { total: 128, perKey: 16 },
};

const startingMs = 25;

/** Waits until the request may be made. */
export type Admit = (
  organization: string,
  bytes: number,
  signal: AbortSignal | undefined,
) => Promise<ReleaseCapacity>;

export function createAdmission({ bytes, sockets, starts }: OutboundLimits): Admit {
  const queues = {
    bytes: createFairQueue(bytes),
    sockets: createFairQueue(sockets),
    starts: createFairQueue(starts),
  };
  return async (organization, size, signal) => {
    const acquired: ReleaseCapacity[] = [];
    const releaseAll = (): void => acquired.forEach((release) => release());
    try {
      acquired.push(await queues.bytes.acquire(organization, { size, signal }));
      acquired.push(await queues.sockets.acquire(organization, { signal }));
      acquired.push(releaseSoon(await queues.starts.acquire(organization, { signal })));
      return releaseAll;
    } catch (error) {
      releaseAll();
      throw error;
    }
  };
}

/** Releases after `startingMs`, or when the request ends before that. */
function releaseSoon(release: ReleaseCapacity): ReleaseCapacity {
  const timer = setTimeout(release, startingMs);
  return () => {
    clearTimeout(timer);
    release();
  };
}
