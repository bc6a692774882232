/**
 * How many inbox messages may wait in memory. Each organization has a maximum. When the total is reached,
 * organizations that have used up their equal share are refused: one below its share is never refused because
 * of others.
 */

import type { OrgId } from '../../kernel/ids.ts';

export type Bulkhead = {
  /** Returns a function that releases the place; undefined: there is none. */
  readonly tryAcquire: (orgId: OrgId) => (() => void) | undefined;
};

type BulkheadLimits = { readonly total: number; readonly perOrganization: number };

export function createBulkhead({ total, perOrganization }: BulkheadLimits): Bulkhead {
  const waiting = new Map<OrgId, number>();
  let waitingTotal = 0;
  const add = (orgId: OrgId, count: number): void => {
    waitingTotal += count;
    const ownNow = (waiting.get(orgId) ?? 0) + count;
    if (ownNow === 0) waiting.delete(orgId);
    else waiting.set(orgId, ownNow);
  };
  return {
    tryAcquire: (orgId) => {
      const own = waiting.get(orgId) ?? 0;
      const share = total / Math.max(1, waiting.size);
      if (own >= perOrganization || (waitingTotal >= total && own >= share)) return undefined;
      add(orgId, 1);
      return () => add(orgId, -1);
    },
  };
}
