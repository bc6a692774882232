/**
 * How many messages may wait in memory. Each organization has a maximum. When all together are too many, those are
 * refused that have their share already: an organization below it is never refused because of others.
 */
import type { OrgId } from '../../kernel/ids.ts';

export type WaitingRoom = {
  /** Undefined: it is full. Else what to call when the wait is over. */
  readonly enter: (orgId: OrgId) => (() => void) | undefined;
};

type Room = { readonly total: number; readonly perOrganization: number };

export function createWaitingRoom({ total, perOrganization }: Room): WaitingRoom {
  const waiting = new Map<OrgId, number>();
  let all = 0;
  const add = (orgId: OrgId, count: number): void => {
    all += count;
    const ownNow = (waiting.get(orgId) ?? 0) + count;
    if (ownNow === 0) waiting.delete(orgId);
    else waiting.set(orgId, ownNow);
  };
  return {
    enter: (orgId) => {
      const own = waiting.get(orgId) ?? 0;
      const share = total / Math.max(1, waiting.size);
      if (own >= perOrganization || (all >= total && own >= share)) return undefined;
      add(orgId, 1);
      return () => add(orgId, -1);
    },
  };
}
