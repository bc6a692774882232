/**
 * How many messages may wait in memory. Each organization has a maximum. When all together are too many, those are
 * refused that have their share already: an organization below it is never refused because of others.
 */

import type { OrgId } from '../../kernel/ids.ts';

export type Bulkhead = {
  /** Undefined: it is full. Else what to call when the wait is over. */
  readonly tryAcquire: (orgId: OrgId) => (() => void) | undefined;
};

type BulkheadLimits = { readonly total: number; readonly perOrganization: number };

export function createBulkhead({ total, perOrganization }: BulkheadLimits): Bulkhead {
  const waiting = new Map<OrgId, number>();
  let all = 0;
  const add = (orgId: OrgId, count: number): void => {
    all += count;
    const ownNow = (waiting.get(orgId) ?? 0) + count;
    if (ownNow === 0) waiting.delete(orgId);
    else waiting.set(orgId, ownNow);
  };
  return {
    tryAcquire: (orgId) => {
      const own = waiting.get(orgId) ?? 0;
      const share = total / Math.max(1, waiting.size);
      if (own >= perOrganization || (all >= total && own >= share)) return undefined;
      add(orgId, 1);
      return () => add(orgId, -1);
    },
  };
}
