/**
 * Timers of an organization whose clock is held, and is moved from one that is due to the next. A transaction
 * that found the clock held may commit after it was let go; so it asks the engine itself if the clock runs by
 * then, under a lock that whoever lets the clock go takes alone: one of the two always sees the other.
 */
import { addMs, hourMs } from '../../kernel/duration.ts';
import { type Id, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../db/database.ts';
import { json, sql } from '../db/sql.ts';
import type { EngineMessage, TimerRef } from './outbox.ts';

/** One for each organization, apart from other uses of its number. */
const clockLock = (tx: Tx) => sql`hashtextextended(${tx.orgId}, 12)`;

export type WaitingTimer = {
  readonly name: TimerRef;
  readonly dueAt: Date;
  readonly message: EngineMessage;
};

/** What a timer's row says is to be asked. */
export type Asked = Omit<EngineMessage, 'entityRef'> & { readonly entity_ref: string | null };

export const messageOf = ({ service, key, handler, entity_ref }: Asked): EngineMessage => ({
  service,
  key,
  handler,
  entityRef: entity_ref ?? undefined,
});

export const nameOfTimer = (orgId: OrgId, id: Id<'tmr'>): TimerRef => `${orgId}:${id}`;

type Row = Asked & { readonly id: string; readonly due_at: Date };

const toWaiting = (orgId: OrgId, row: Row): WaitingTimer => ({
  name: nameOfTimer(orgId, toWire('tmr', row.id)),
  dueAt: row.due_at,
  message: messageOf(row),
});

const isOpen = sql`state in ('waiting', 'firing') and not is_real`;

/**
 * What is due next, the clock's own time first; of those that are due together, always the same one first:
 * keys name what was created first before what was created later.
 */
export async function nextTimer(tx: Tx): Promise<WaitingTimer | undefined> {
  const [row] = await tx.query<Row>(sql`
    select id, due_at, service, key, handler, entity_ref from timers
     where org_id = ${toUuid(tx.orgId)} and ${isOpen}
     order by due_at, service collate "C", key collate "C", handler collate "C", id
     limit 1
  `);
  return row && toWaiting(tx.orgId, row);
}

/** Several that ask for the same by then are one: whoever answers the last of them has answered all. */
export function mergeTimers(tx: Tx, { name, dueAt, message }: WaitingTimer): void {
  const kept = name.slice(name.indexOf(':') + 1) as Id<'tmr'>;
  tx.write(sql`
    update timers set state = 'fired', settled_at = ${tx.realNow}
     where org_id = ${toUuid(tx.orgId)} and ${isOpen} and due_at <= ${dueAt} and id <> ${toUuid(kept)}
       and service = ${message.service} and key = ${message.key} and handler = ${message.handler}
       and entity_ref is not distinct from ${message.entityRef ?? null}::text
  `);
}

const dueAtOnceMax = 500;

/** What is due by now, so many at most, in no order: whoever asks has it done, waits for it, and asks again. */
export async function dueTimers(tx: Tx): Promise<readonly WaitingTimer[]> {
  const rows = await tx.query<Row>(sql`
    select id, due_at, service, key, handler, entity_ref from timers
     where org_id = ${toUuid(tx.orgId)} and ${isOpen} and due_at <= ${tx.now}
     limit ${dueAtOnceMax}
  `);
  return rows.map((row) => toWaiting(tx.orgId, row));
}

/** When something is due next, if anything is. */
export async function nextDueAt(db: Db, orgId: OrgId): Promise<Date | null> {
  const [row] = await db.query<{ due_at: Date | null }>(
    sql`select min(due_at) as due_at from timers where org_id = ${toUuid(orgId)} and ${isOpen}`,
  );
  return row?.due_at ?? null;
}

/** For a timer that was set while the clock was held, and was perhaps let go since. */
export function askIfReleased(tx: Tx, id: Id<'tmr'>, { name, dueAt, message }: WaitingTimer): void {
  const lookAt = realTimeOf(tx, dueAt);
  tx.write(sql`select pg_advisory_xact_lock_shared(${clockLock(tx)})`);
  tx.write(sql`
    with released as (
      update timers set recheck_at = ${lookAt}
       where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)}
         and not exists (select from organizations
                          where org_id = ${toUuid(tx.orgId)} and clock_held_at is not null)
      returning id
    )
    insert into outbox (id, service, key, handler, entity_ref, send_at, timer)
    select ${toUuid(tx.newId('msg'))}, ${message.service}, ${message.key}, ${message.handler},
           ${message.entityRef ?? null}, ${lookAt}, ${name}
      from released
  `);
}

/** When it is, if the clock runs on as it does. */
export const realTimeOf = (tx: Tx, dueAt: Date): Date =>
  new Date(tx.realNow.getTime() + Math.max(0, dueAt.getTime() - tx.now.getTime()));

/** Before a clock is let go: nobody sets a timer meanwhile without being seen, or seeing it. */
export async function closeClock(tx: Tx): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${clockLock(tx)})`);
}

/** What is due later is left to the reconciler: a clock may be let go again and again. */
const soonMs = hourMs;

/**
 * The clock runs again from `now` on: the engine is asked to look at each timer when that says so. One that
 * somebody holds is waited for: he may have found the clock held, and have asked nobody.
 */
export async function askForTimers(tx: Tx, now: Date): Promise<void> {
  const rows = await tx.query<Row>(sql`
    select id, due_at, service, key, handler, entity_ref from timers
     where org_id = ${toUuid(tx.orgId)} and ${isOpen}
     order by id
       for update
  `);
  const records = rows.map((row) => {
    const waitMs = Math.max(0, row.due_at.getTime() - now.getTime());
    return {
      ...row,
      message_id: toUuid(tx.newId('msg')),
      recheck_at: addMs(tx.realNow, waitMs),
      timer: toWaiting(tx.orgId, row).name,
    };
  });
  tx.write(sql`
    with asked as (
      select * from json_to_recordset(${json(records)})
        as timer (id uuid, message_id uuid, service text, key text, handler text, entity_ref text,
                  recheck_at timestamptz, timer text)
    ), told as (
      insert into outbox (id, service, key, handler, entity_ref, send_at, timer)
      select message_id, service, key, handler, entity_ref, recheck_at, timer from asked
       where recheck_at <= ${addMs(tx.realNow, soonMs)}
       order by recheck_at
    )
    update timers set recheck_at = asked.recheck_at from asked
     where timers.id = asked.id and timers.org_id = ${toUuid(tx.orgId)}
  `);
}
