import type { Clock } from '../../kernel/clock.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Backlog } from '../telemetry/instruments.ts';

const countMax = 10_000;

/** What the relay has not done yet. The age of a row is in its UUIDv7; a delayed one is handed over at once too. */
export async function readBacklog(db: Db, clock: Clock): Promise<Backlog> {
  const now = clock.now();
  const [row] = await db.query<{ oldest: Date | null; unsequenced: number }>(sql`
    select (select uuid_extract_timestamp(id) from outbox order by id limit 1) as oldest,
           (select count(*)::int from (
             (select 1 from events where sequence is null limit ${countMax})
             union all
             (select 1 from audit where sequence is null limit ${countMax})) pending) as unsequenced
  `);
  const oldest = row?.oldest ?? now;
  return {
    outboxAgeSeconds: Math.max(0, (now.getTime() - oldest.getTime()) / 1_000),
    unsequenced: row?.unsequenced ?? 0,
  };
}
