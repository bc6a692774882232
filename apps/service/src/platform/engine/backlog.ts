import type { Clock } from '../../kernel/clock.ts';
import { type OrgId, toWire } from '../../kernel/ids.ts';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Backlog } from '../telemetry/instruments.ts';
import type { EngineMessage } from './outbox.ts';

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

export type Overdue = { readonly service: string; readonly seconds: number };

/**
 * By service, how long its oldest timer has been overdue at least: the reconciler asks after 30 s, and each time after
 * twice as long, up to eight minutes. By how often it has asked, for the business time a timer is due in may be any.
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

/** Organizations with open timers that ask for this, those of the oldest first. */
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
