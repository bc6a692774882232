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
const schedulingLockKey = (tx: Tx) => sql`hashtextextended(${tx.orgId}, 12)`;

export type OpenTimer = {
  readonly ref: TimerRef;
  readonly dueAt: Date;
  readonly message: EngineMessage;
};

/** What a timer's row says is to be asked. */
export type TimerMessageRow = Omit<EngineMessage, 'entityRef'> & {
  readonly entity_ref: string | null;
};

export const messageFromRow = ({
  service,
  key,
  handler,
  entity_ref,
}: TimerMessageRow): EngineMessage => ({
  service,
  key,
  handler,
  entityRef: entity_ref ?? undefined,
});

export const timerRefOf = (orgId: OrgId, id: Id<'tmr'>): TimerRef => `${orgId}:${id}`;

type Row = TimerMessageRow & { readonly id: string; readonly due_at: Date };

const toWaiting = (orgId: OrgId, row: Row): OpenTimer => ({
  ref: timerRefOf(orgId, toWire('tmr', row.id)),
  dueAt: row.due_at,
  message: messageFromRow(row),
});

const isOpen = sql`state in ('waiting', 'firing') and not is_real`;

/**
 * What is due next, the clock's own time first; of those that are due together, always the same one first:
 * keys name what was created first before what was created later.
 */
export async function findNextTimer(tx: Tx): Promise<OpenTimer | undefined> {
  const [row] = await tx.query<Row>(sql`
    select id, due_at, service, key, handler, entity_ref from timers
     where org_id = ${toUuid(tx.orgId)} and ${isOpen}
     order by due_at, service collate "C", key collate "C", handler collate "C", id
     limit 1
  `);
  return row && toWaiting(tx.orgId, row);
}

/** Several that ask for the same by then are one: whoever answers the last of them has answered all. */
export function markDuplicateTimersFired(tx: Tx, { ref: name, dueAt, message }: OpenTimer): void {
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
export async function findDueTimers(tx: Tx): Promise<readonly OpenTimer[]> {
  const rows = await tx.query<Row>(sql`
    select id, due_at, service, key, handler, entity_ref from timers
     where org_id = ${toUuid(tx.orgId)} and ${isOpen} and due_at <= ${tx.now}
     limit ${dueAtOnceMax}
  `);
  return rows.map((row) => toWaiting(tx.orgId, row));
}

/** When something is due next, if anything is. */
export async function findNextDueAt(db: Db, orgId: OrgId): Promise<Date | null> {
  const [row] = await db.query<{ due_at: Date | null }>(
    sql`select min(due_at) as due_at from timers where org_id = ${toUuid(orgId)} and ${isOpen}`,
  );
  return row?.due_at ?? null;
}

/** For a timer that was set while the clock was held, and was perhaps let go since. */
export function enqueueTimerIfClockRuns(
  tx: Tx,
  id: Id<'tmr'>,
  { ref: name, dueAt, message }: OpenTimer,
): void {
  const recheckAt = realTimeOf(tx, dueAt);
  tx.write(sql`select pg_advisory_xact_lock_shared(${schedulingLockKey(tx)})`);
  tx.write(sql`
    with released as (
      update timers set recheck_at = ${recheckAt}
       where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)}
         and not exists (select from organizations
                          where org_id = ${toUuid(tx.orgId)} and clock_frozen_at is not null)
      returning id
    )
    insert into outbox (id, service, key, handler, entity_ref, send_at, timer)
    select ${toUuid(tx.newId('msg'))}, ${message.service}, ${message.key}, ${message.handler},
           ${message.entityRef ?? null}, ${recheckAt}, ${name}
      from released
  `);
}

/** When it is, if the clock runs on as it does. */
export const realTimeOf = (tx: Tx, dueAt: Date): Date =>
  new Date(tx.realNow.getTime() + Math.max(0, dueAt.getTime() - tx.now.getTime()));

/** Before a clock is let go: nobody sets a timer meanwhile without being seen, or seeing it. */
export async function lockTimerScheduling(tx: Tx): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${schedulingLockKey(tx)})`);
}

/** What is due later is left to the reconciler: a clock may be let go again and again. */
const soonMs = hourMs;

/**
 * The clock runs again from `now` on: the engine is asked to look at each timer when that says so. One that
 * somebody holds is waited for: he may have found the clock held, and have asked nobody.
 */
export async function rescheduleTimers(tx: Tx, now: Date): Promise<void> {
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
      timer: toWaiting(tx.orgId, row).ref,
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
