/**
 * How many requests a process makes at once, and for whom. Three queues, each fair to organizations, taken in this
 * order:
 *
 * - bytes: what requests that are being made hold in memory.
 * - sockets: open connections, however long a receiver hangs. An organization's share is larger than what all of its
 *   endpoints hold while they fail (100 × 4), so that they do not delay one that works; and smaller than the whole.
 * - starts: requests in their first moments, which is when they cost processor time. A receiver that answers at once is
 *   only ever here. It keeps the event loop short for everybody else: hundreds of answers for one organization at the
 *   same moment are handled before the one of another.
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

/** Waits until a request may be made. */
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
    const taken: ReleaseCapacity[] = [];
    const release = (): void => taken.forEach((giveBack) => giveBack());
    try {
      taken.push(await queues.bytes.acquire(organization, { size, signal }));
      taken.push(await queues.sockets.acquire(organization, { signal }));
      taken.push(startingOf(await queues.starts.acquire(organization, { signal })));
      return release;
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** Given back when the request has ended, or has started long ago. */
function startingOf(giveBack: ReleaseCapacity): ReleaseCapacity {
  const timer = setTimeout(giveBack, startingMs);
  return () => {
    clearTimeout(timer);
    giveBack();
  };
}
