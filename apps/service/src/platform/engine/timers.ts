/**
 * Timers, one primitive for every slice. A timer is set in a transaction; when it is due in its organization's business
 * time, the handler it names runs:
 *
 *   waiting → firing → fired     it is due and its handler begins; its handler has ended
 *   waiting → canceled
 *
 * Setting a timer also enqueues a delayed message to its handler, with the timer in a header. When the message arrives,
 * the first step reads the timer. A settled timer ends the handler; a timer that is not due yet enqueues a later
 * message; otherwise the handler runs. The reconciler requeues a timer that is open 30 s past its time, because the
 * engine lost its disk or the handler was given up or killed. So a timer's handler runs at least once and, as every
 * handler, reads its row before it writes.
 *
 * While the sandbox clock of an organization is frozen, its timers enqueue no messages: the clock workflow fires them in
 * order (`frozen-clock.ts`). Real timers (`is_real`) ignore the sandbox clock.
 */

import { workflowOwner } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { addMs, dayMs } from '../../kernel/duration.ts';
import { type Id, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Database, Db, Tx } from '../db/database.ts';
import { removeInBatches } from '../db/remove-in-batches.ts';
import { type Sql, sql } from '../db/sql.ts';
import {
  enqueueTimerIfClockRuns,
  type TimerMessageRow,
  messageFromRow,
  timerRefOf,
  realTimeOf,
} from './frozen-clock.ts';
import { UnreadableMessage } from './lanes.ts';
import { enqueueMessage, type EngineMessage, type TimerRef } from './outbox.ts';
import { claimStaleRows, makeRowsStale, type RecheckPolicy } from './recheck.ts';
import type { HandlerContext } from './workflow.ts';

export type TimerId = Id<'tmr'>;

/** How the reconciler re-checks open timers: 30 s after their time, then after 30 s, 1, 2, 4 and 8 minutes. */
const rechecks = {
  table: sql`timers`,
  key: sql`id`,
  where: sql`state in ('waiting', 'firing')`,
  returning: sql`id, org_id`,
  staleAfterMs: 30_000,
  delayMs: 30_000,
  // `readOverdueTimers` derives the age of a timer from its count.
  backoff: { doublingsMax: 4 },
  batchMax: 500,
} satisfies RecheckPolicy;

/** While the clock is frozen, the reconciler re-checks a timer once a day. */
const frozenRecheckMs = dayMs;

/** Business time. */
export function setTimer(tx: Tx, dueAt: Date, message: EngineMessage): TimerId {
  if (tx.isClockFrozen) {
    const id = insertTimer(tx, message, dueAt, addMs(tx.realNow, frozenRecheckMs), false);
    enqueueTimerIfClockRuns(tx, id, { ref: timerRefOf(tx.orgId, id), dueAt, message });
    return id;
  }
  const recheckAt = realTimeOf(tx, dueAt);
  const id = insertTimer(tx, message, dueAt, recheckAt, false);
  enqueueMessage(tx, message, { sendAt: recheckAt, timer: timerRefOf(tx.orgId, id) });
  return id;
}

/** Real time: for work that the sandbox clock does not move, such as uploads. */
export function setRealTimer(tx: Tx, dueAt: Date, message: EngineMessage): TimerId {
  const id = insertTimer(tx, message, dueAt, dueAt, true);
  enqueueMessage(tx, message, { sendAt: dueAt, timer: timerRefOf(tx.orgId, id) });
  return id;
}

function insertTimer(
  tx: Tx,
  { service, key, handler, entityRef }: EngineMessage,
  dueAt: Date,
  recheckAt: Date,
  isReal: boolean,
): TimerId {
  const id = tx.newId('tmr');
  tx.write(sql`
    insert into timers (id, org_id, due_at, recheck_at, service, key, handler, entity_ref, is_real, state)
    values (${toUuid(id)}, ${toUuid(tx.orgId)}, ${dueAt}, ${recheckAt}, ${service}, ${key}, ${handler},
            ${entityRef ?? null}, ${isReal}, 'waiting')
  `);
  return id;
}

/**
 * For work that must be done even if the engine loses its disk: a timer that is due at once. A plain message
 * (`enqueueMessage`) is for work whose row is re-checked in another way.
 */
export const enqueueDurably = (tx: Tx, message: EngineMessage): TimerId =>
  setTimer(tx, tx.now, message);

/** As `enqueueDurably`, also while the sandbox clock is frozen. */
export const enqueueDurablyInRealTime = (tx: Tx, message: EngineMessage): TimerId =>
  setRealTimer(tx, tx.realNow, message);

/** Whether its handler has not begun, even if it is due. */
export const isTimerWaiting = (tx: Tx, id: TimerId): Promise<boolean> =>
  isTimerWaitingAnd(tx, id, sql`true`);

/**
 * Whether its handler has not begun and will soon. False if the timer is not due, and once the reconciler has re-checked
 * it: its message may be lost with the engine's disk, and each re-check waits longer.
 */
export const isTimerOnItsWay = (tx: Tx, id: TimerId): Promise<boolean> =>
  isTimerWaitingAnd(tx, id, sql`due_at <= ${tx.now} and recheck_count = 0`);

async function isTimerWaitingAnd(tx: Tx, id: TimerId, condition: Sql): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from timers
     where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)} and state = 'waiting' and ${condition}
  `);
  return rows.length > 0;
}

/** False if it was not waiting any more. */
export async function cancelTimer(tx: Tx, id: TimerId): Promise<boolean> {
  const rows = await tx.query(sql`
    update timers set state = 'canceled', settled_at = now()
     where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)} and state = 'waiting'
    returning id
  `);
  return rows.length > 0;
}

type Row = TimerMessageRow & {
  readonly state: string;
  readonly due_at: Date;
  readonly is_real: boolean;
};

const findTimer = async (tx: Tx, id: TimerId): Promise<Row | undefined> => {
  const [timer] = await tx.query<Row>(sql`
    select service, key, handler, entity_ref, state, due_at, is_real from timers
     where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)} for update
  `);
  return timer;
};

const isSettled = ({ state }: Row): boolean => state === 'fired' || state === 'canceled';

/** While the clock is frozen, only the clock workflow fires it. */
const isTimerFrozen = (tx: Tx, { is_real }: Row): boolean => tx.isClockFrozen && !is_real;

/** Whether its handler must run now. If the timer is not due yet, enqueues a message for when it is. */
async function markFiringIfDue(tx: Tx, id: TimerId, isCallerWaiting: boolean): Promise<boolean> {
  const timer = await findTimer(tx, id);
  if (timer === undefined || isSettled(timer)) return false;
  if (isTimerFrozen(tx, timer) && !isCallerWaiting) return false;
  const now = timer.is_real ? tx.realNow : tx.now;
  const earlyMs = timer.due_at.getTime() - now.getTime();
  if (earlyMs <= 0) {
    tx.write(
      sql`update timers set state = 'firing' where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)}`,
    );
    return true;
  }
  if (isTimerFrozen(tx, timer)) return false;
  const dueAt = addMs(tx.realNow, earlyMs);
  tx.write(
    sql`update timers set recheck_at = ${dueAt} where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)}`,
  );
  enqueueMessage(tx, messageFromRow(timer), { sendAt: dueAt, timer: timerRefOf(tx.orgId, id) });
  return false;
}

async function markFired(tx: Tx, id: TimerId): Promise<void> {
  tx.write(sql`
    update timers set state = 'fired', settled_at = now()
     where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)} and state in ('waiting', 'firing')
  `);
}

/** Runs the handler that received a timer's message if the timer is due, and marks the timer as fired afterwards. */
export async function fireTimer(
  run: HandlerContext,
  timer: TimerRef,
  handle: () => Promise<void>,
): Promise<void> {
  const [orgId, id] = timer.split(':') as [OrgId, TimerId];
  const owner = workflowOwner(orgId, 'timers');
  if (!(await run.step('timer due', owner, (tx) => markFiringIfDue(tx, id, run.isCallerWaiting))))
    return;
  try {
    await handle();
  } catch (error) {
    // A requeued message would be unreadable too.
    if (error instanceof UnreadableMessage) {
      await run.step('timer unreadable', owner, (tx) => markFired(tx, id));
    }
    throw error;
  }
  await run.step('timer fired', owner, (tx) => markFired(tx, id));
}

/** Enqueues the message of an open timer again, to be read at once. */
export async function requeueTimer(tx: Tx, id: TimerId): Promise<void> {
  const timer = await findTimer(tx, id);
  if (timer === undefined || isSettled(timer)) return;
  if (isTimerFrozen(tx, timer)) {
    const recheckAt = addMs(tx.realNow, frozenRecheckMs);
    // Unless the clock was resumed since, which has enqueued the timer.
    tx.write(sql`
      update timers set recheck_at = ${recheckAt}, recheck_count = 0
       where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)}
         and exists (select from organizations
                      where org_id = ${toUuid(tx.orgId)} and clock_frozen_at is not null)
    `);
    return;
  }
  enqueueMessage(tx, messageFromRow(timer), { timer: timerRefOf(tx.orgId, id) });
}

/** The reconciler of timers: requeues open timers whose time has passed (`recheck.ts`). Returns how many. */
export async function reconcileTimers(db: Database, clock: Clock): Promise<number> {
  type StaleTimer = { readonly id: string; readonly org_id: string };
  const stale = await claimStaleRows<StaleTimer>(db.withoutTenant, clock.now(), rechecks);
  for (const { id, org_id } of stale) {
    const owner = workflowOwner(toWire('org', org_id), 'reconciler');
    await db.transact(owner, (tx) => requeueTimer(tx, toWire('tmr', id)));
  }
  return stale.length;
}

/**
 * After invocations were killed: the next round of the reconciler requeues the timers whose handler has begun and not
 * ended, instead of 30 s after their time. If such a handler still runs elsewhere, the second message finds the timer
 * fired.
 */
export const expediteFiringTimers = (db: Database, clock: Clock): Promise<void> =>
  makeRowsStale(db.withoutTenant, clock.now(), { ...rechecks, where: sql`state = 'firing'` });

const keptDays = 30;
const timersPerBatch = 5_000;

/** Settled timers are kept for 30 days, so that operators can see what happened. */
export const removeSettledTimers = (db: Db): Promise<void> =>
  removeInBatches(timersPerBatch, async (limit) => {
    const removed = await db.query(sql`
      delete from timers
       where id in (select id from timers
                     where state in ('fired', 'canceled')
                       and settled_at < now() - make_interval(days => ${keptDays})
                     order by settled_at limit ${limit})
      returning id
    `);
    return removed.length;
  });
