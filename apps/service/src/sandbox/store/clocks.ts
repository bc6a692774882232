import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import { type SandboxClock, defaultClock } from '../domain/clock.ts';

type Row = {
  readonly is_manual: boolean;
  readonly advancing_to: Date | null;
  readonly has_flushed: boolean;
};

const toClock = (row: Row): SandboxClock => ({
  mode: row.is_manual ? 'manual' : 'running',
  advancingTo: row.advancing_to,
  hasFlushed: row.has_flushed,
});

export async function findClock(db: Db, orgId: OrgId): Promise<SandboxClock> {
  const [row] = await db.query<Row>(sql`
    select is_manual, advancing_to, has_flushed from sandbox_clocks where org_id = ${toUuid(orgId)}
  `);
  return row === undefined ? defaultClock : toClock(row);
}

/** Locks the clock's row, and inserts it first if it is missing. */
export async function lockClock(tx: Tx): Promise<SandboxClock> {
  tx.write(sql`
    insert into sandbox_clocks (org_id, is_manual, updated_at, actor_type, actor_id)
    values (${toUuid(tx.orgId)}, false, ${tx.realNow}, ${tx.actor.type}, ${tx.actor.id})
    on conflict (org_id) do nothing
  `);
  const [row] = await tx.query<Row>(sql`
    select is_manual, advancing_to, has_flushed from sandbox_clocks
     where org_id = ${toUuid(tx.orgId)} for update
  `);
  return row === undefined ? defaultClock : toClock(row);
}

export function updateClock(tx: Tx, { mode, advancingTo, hasFlushed }: SandboxClock): void {
  tx.write(sql`
    update sandbox_clocks
       set is_manual = ${mode === 'manual'}, advancing_to = ${advancingTo}, has_flushed = ${hasFlushed},
           updated_at = ${tx.realNow}, actor_type = ${tx.actor.type}, actor_id = ${tx.actor.id}
     where org_id = ${toUuid(tx.orgId)}
  `);
}
