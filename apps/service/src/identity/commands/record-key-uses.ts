/**
 * When each API key was last used. A request only notes it in memory, at most once a minute for each key; a loop of the
 * api process writes what was noted, with one statement for each organization. A process that is killed loses what it
 * noted since the last write.
 */

import { workflowOwner } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { minuteMs } from '../../kernel/duration.ts';
import type { KeyId, OrgId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/db/database.ts';
import { writeLastUses } from '../store/api-keys.ts';

/** Beyond it the use that was noted first is forgotten, and noted again with the next request. */
const keysMax = 50_000;

export type KeyUses = {
  readonly note: (orgId: OrgId, keyId: KeyId) => void;
  /** Writes what was noted since the last call. If it throws, the rest is written by the next call. */
  readonly flush: () => Promise<void>;
};

export function createKeyUses({
  db,
  clock,
}: {
  readonly db: Pick<Database, 'transact'>;
  readonly clock: Clock;
}): KeyUses {
  const notedAt = new Map<KeyId, number>();
  const pending = new Map<OrgId, Map<KeyId, Date>>();
  return {
    note: (orgId, keyId) => {
      const now = clock.now();
      const before = notedAt.get(keyId);
      if (before !== undefined && Math.abs(now.getTime() - before) < minuteMs) return;
      notedAt.delete(keyId);
      const [oldest] = notedAt.keys();
      if (notedAt.size >= keysMax && oldest !== undefined) notedAt.delete(oldest);
      notedAt.set(keyId, now.getTime());
      const uses = pending.get(orgId) ?? new Map<KeyId, Date>();
      pending.set(orgId, uses.set(keyId, now));
    },
    flush: async () => {
      for (const [orgId, uses] of Array.from(pending)) {
        pending.delete(orgId);
        try {
          await db.transact(workflowOwner(orgId, 'key-uses'), async (tx) =>
            writeLastUses(tx, uses),
          );
        } catch (error) {
          pending.set(orgId, new Map([...uses, ...(pending.get(orgId) ?? [])]));
          throw error;
        }
      }
    },
  };
}
