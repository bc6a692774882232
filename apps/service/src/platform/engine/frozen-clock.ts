/**
 * Timers of an organization whose clock is frozen. The clock workflow of the sandbox moves business time from one due
 * timer to the next and fires each; no messages are enqueued for them.
 *
 * A transaction that read the clock as frozen may commit after the clock was resumed. So after inserting its timer it
 * reads the clock again and enqueues the message if the clock runs, under an advisory lock that it shares and that
 * `lockTimerScheduling` takes exclusively before a resume. Either the transaction sees the running clock, or the resume
 * sees the timer.
 */

import { addMs, hourMs } from '../../kernel/duration.ts';
import { type Id, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../db/database.ts';
import { json, sql } from '../db/sql.ts';
import type { EngineMessage, TimerRef } from './outbox.ts';

/** One lock per organization; the seed 12 separates it from other advisory locks on the same id. */
const schedulingLockKey = (tx: Tx) => sql`hashtextextended(${tx.orgId}, 12)`;

export type OpenTimer = {
  readonly ref: TimerRef;
  readonly dueAt: Date;
  readonly message: EngineMessage;
};

/** The columns of a timer that are its message. */
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

const toOpenTimer = (orgId: OrgId, row: Row): OpenTimer => ({
  ref: timerRefOf(orgId, toWire('tmr', row.id)),
  dueAt: row.due_at,
  message: messageFromRow(row),
});

const isOpen = sql`state in ('waiting', 'firing') and not is_real`;

/**
 * The open timer that is due first. Timers due at the same time are ordered by service, key, handler and id, so that
 * every run fires them in the same order: keys contain ids, which sort by creation. Timers of the services in `except`
 * are left out.
 */
export async function findNextTimer(
  tx: Tx,
  except: readonly string[] = [],
): Promise<OpenTimer | undefined> {
  const [row] = await tx.query<Row>(sql`
    select id, due_at, service, key, handler, entity_ref from timers
     where org_id = ${toUuid(tx.orgId)} and ${isOpen} and service <> all(${except}::text[])
     order by due_at, service collate "C", key collate "C", handler collate "C", id
     limit 1
  `);
  return row && toOpenTimer(tx.orgId, row);
}

/**
 * Marks the other open timers with the same message that are due by then: one run of the handler serves them all. Not if
 * that run has begun, before the clock was frozen: it may have read already.
 */
export function markDuplicateTimersFired(tx: Tx, { ref, dueAt, message }: OpenTimer): void {
  const keptId = ref.slice(ref.indexOf(':') + 1) as Id<'tmr'>;
  tx.write(sql`
    update timers set state = 'fired', settled_at = ${tx.realNow}
     where org_id = ${toUuid(tx.orgId)} and ${isOpen} and due_at <= ${dueAt} and id <> ${toUuid(keptId)}
       and service = ${message.service} and key = ${message.key} and handler = ${message.handler}
       and entity_ref is not distinct from ${message.entityRef ?? null}::text
       and exists (select from timers kept
                    where kept.org_id = ${toUuid(tx.orgId)} and kept.id = ${toUuid(keptId)} and kept.state = 'waiting')
  `);
}

const dueAtOnceMax = 500;

/** Open timers that are due, at most 500, in no order. The caller runs them to completion and calls again. */
export async function findDueTimers(tx: Tx): Promise<readonly OpenTimer[]> {
  const rows = await tx.query<Row>(sql`
    select id, due_at, service, key, handler, entity_ref from timers
     where org_id = ${toUuid(tx.orgId)} and ${isOpen} and due_at <= ${tx.now}
     limit ${dueAtOnceMax}
  `);
  return rows.map((row) => toOpenTimer(tx.orgId, row));
}

/** When the next open timer is due; null if there is none. */
export async function findNextDueAt(db: Db, orgId: OrgId): Promise<Date | null> {
  const [row] = await db.query<{ due_at: Date | null }>(
    sql`select min(due_at) as due_at from timers where org_id = ${toUuid(orgId)} and ${isOpen}`,
  );
  return row?.due_at ?? null;
}

/** For a timer that was set while the clock was frozen: enqueues it if the clock was resumed since. */
export function enqueueTimerIfClockRuns(
  tx: Tx,
  id: Id<'tmr'>,
  { ref, dueAt, message }: OpenTimer,
): void {
  const recheckAt = realTimeOf(tx, dueAt);
  tx.write(sql`select pg_advisory_xact_lock_shared(${schedulingLockKey(tx)})`);
  tx.write(sql`
    with rescheduled as (
      update timers set recheck_at = ${recheckAt}
       where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)}
         and not exists (select from organizations
                          where org_id = ${toUuid(tx.orgId)} and clock_frozen_at is not null)
      returning id
    )
    insert into outbox (id, service, key, handler, entity_ref, send_at, timer)
    select ${toUuid(tx.newId('msg'))}, ${message.service}, ${message.key}, ${message.handler},
           ${message.entityRef ?? null}, ${recheckAt}, ${ref}
      from rescheduled
  `);
}

/** The real time at which business time reaches `dueAt` if the clock runs. */
export const realTimeOf = (tx: Tx, dueAt: Date): Date =>
  new Date(tx.realNow.getTime() + Math.max(0, dueAt.getTime() - tx.now.getTime()));

/** Before a clock is resumed: waits for transactions that set timers and read the clock as frozen. */
export async function lockTimerScheduling(tx: Tx): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${schedulingLockKey(tx)})`);
}

/** Later timers are left to the reconciler: a clock may be resumed often, and each time would enqueue all of them. */
const soonMs = hourMs;

/**
 * The clock runs again from `now` on: gives each open timer its `recheck_at` and enqueues those that are due soon. FOR
 * UPDATE waits for transactions that read the clock as frozen and therefore enqueued nothing.
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
      timer: toOpenTimer(tx.orgId, row).ref,
    };
  });
  tx.write(sql`
    with rescheduled as (
      select * from json_to_recordset(${json(records)})
        as timer (id uuid, message_id uuid, service text, key text, handler text, entity_ref text,
                  recheck_at timestamptz, timer text)
    ), enqueued as (
      insert into outbox (id, service, key, handler, entity_ref, send_at, timer)
      select message_id, service, key, handler, entity_ref, recheck_at, timer from rescheduled
       where recheck_at <= ${addMs(tx.realNow, soonMs)}
       order by recheck_at
    )
    update timers set recheck_at = rescheduled.recheck_at from rescheduled
     where timers.id = rescheduled.id and timers.org_id = ${toUuid(tx.orgId)}
  `);
}
