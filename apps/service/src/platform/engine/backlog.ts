import type { Clock } from '../../kernel/clock.ts';
import { type OrgId, toWire } from '../../kernel/ids.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Backlog } from '../telemetry/instruments.ts';
import type { EngineMessage } from './outbox.ts';

const countMax = 10_000;

/**
 * The rows that the relay has not processed yet. The age of an outbox row is in its UUIDv7 id. A row with a later
 * `send_at` counts too: the relay sends it at once, with a delay for the engine.
 */
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

export type Overdue = { readonly service: string; readonly seconds: number };

/**
 * For each service, a lower bound of how long its oldest timer has been overdue, computed from the timer's
 * `recheck_count`: the reconciler requeues after 30 s, then after twice as long each time, up to 8 minutes. `due_at` is
 * business time, which does not compare with real time.
 */
export async function readOverdueTimers(db: Db, clock: Clock): Promise<readonly Overdue[]> {
  return db.query<Overdue>(sql`
    select service,
           max(30 * power(2, least(recheck_count, 5) - 1) + 480 * greatest(recheck_count - 5, 0))::float8 as seconds
      from timers
     where state in ('waiting', 'firing') and recheck_count > 0
       and recheck_at < ${clock.now()}::timestamptz + interval '10 minutes'
     group by service
  `);
}

/** Organizations with open timers for this handler, that of the oldest timer first. */
export async function findOrganizationsWithTimers(
  db: Db,
  { service, handler }: Pick<EngineMessage, 'service' | 'handler'>,
  limit: number,
): Promise<readonly OrgId[]> {
  const rows = await db.query<{ org_id: string }>(sql`
    select org_id from timers
     where state in ('waiting', 'firing') and service = ${service} and handler = ${handler}
     group by org_id order by min(due_at) limit ${limit}
  `);
  return rows.map(({ org_id }) => toWire('org', org_id));
}
