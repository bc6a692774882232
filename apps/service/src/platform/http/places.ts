import type { OrgId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import { type QuotaName, refuseBeyond } from '../../kernel/quota.ts';
import type { Caller } from './caller.ts';

/** Takes a place, or throws 429 `quota_exceeded`. Call the returned function once, when the work has ended. */
export type Places = (caller: Pick<Caller, 'orgId' | 'quotas'>) => () => void;

/** A quota of work that this process does at once: it is counted in memory, in each api for itself. */
export function createPlaces(name: QuotaName): Places {
  const taken = new Map<OrgId, number>();
  return ({ orgId, quotas }) => {
    const count = (taken.get(orgId) ?? 0) + 1;
    enforce(refuseBeyond(quotas, name, count));
    taken.set(orgId, count);
    return () => {
      const left = (taken.get(orgId) ?? 0) - 1;
      if (left > 0) taken.set(orgId, left);
      else taken.delete(orgId);
    };
  };
}
