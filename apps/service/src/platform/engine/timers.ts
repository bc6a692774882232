/**
 * Timers, one primitive for every slice. Set in a transaction; when one is due in its organization's
 * business time, the handler it names runs:
 *
 *   waiting → firing → fired     due, and its handler runs; its handler has finished
 *   waiting → canceled
 *
 * The engine only says when to look. Its message goes to the handler itself and names the timer; before the
 * handler runs, the timer is looked at. Of one that is settled nothing happens, one looked at too early
 * asks to be looked at again, and one that stays open past its time, because the engine lost its disk or a
 * handler was cut, is found by the reconciler. So a timer's handler runs at least once and, as every
 * handler, looks before it writes.
 *
 * While the sandbox's clock is held, nobody is asked: whoever moves the clock fires what is due, in order
 * (`frozen-clock.ts`). Timers of what happens in the real world run on real time, whatever that clock says.
 */

import { workflowOwner } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { addMs, dayMs } from '../../kernel/duration.ts';
import { type Id, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Database, Db, Tx } from '../db/database.ts';
import { removeInBatches } from '../db/remove-in-batches.ts';
import { sql } from '../db/sql.ts';
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

/** While a clock is held, the engine is not doubted. */
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

/** Real time: for what the sandbox's clock has no power over, such as files. */
export function setRealTimer(tx: Tx, dueAt: Date, message: EngineMessage): TimerId {
  const id = insertTimer(tx, message, dueAt, dueAt, true);
  enqueueMessage(tx, message, { sendAt: dueAt, timer: timerRefOf(tx.orgId, id) });
  return id;
}

function insertTimer(
  tx: Tx,
  { service, key, handler, entityRef: subject }: EngineMessage,
  dueAt: Date,
  recheckAt: Date,
  isReal: boolean,
): TimerId {
  const id = tx.newId('tmr');
  tx.write(sql`
    insert into timers (id, org_id, due_at, recheck_at, service, key, handler, entity_ref, is_real, state)
    values (${toUuid(id)}, ${toUuid(tx.orgId)}, ${dueAt}, ${recheckAt}, ${service}, ${key}, ${handler},
            ${subject ?? null}, ${isReal}, 'waiting')
  `);
  return id;
}

/**
 * Work that must be done even if the engine forgets it: a timer that is due at once. A plain message is
 * for what something else would notice.
 */
export const enqueueDurably = (tx: Tx, message: EngineMessage): TimerId =>
  setTimer(tx, tx.now, message);

/** The same, for what does not wait for the sandbox's clock. */
export const enqueueDurablyInRealTime = (tx: Tx, message: EngineMessage): TimerId =>
  setRealTimer(tx, tx.realNow, message);

/** Whether its handler has not begun, also where it is late. */
export async function isTimerWaiting(tx: Tx, id: TimerId): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from timers
     where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)} and state = 'waiting'
  `);
  return rows.length > 0;
}

/** Whether it was still waiting. */
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

/** While its clock is held, only who moves the clock fires it. */
const isTimerFrozen = (tx: Tx, { is_real }: Row): boolean => tx.isClockFrozen && !is_real;

/** Whether its handler is to run now; if it is too early, asks to be looked at again. */
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
  const again = addMs(tx.realNow, earlyMs);
  tx.write(
    sql`update timers set recheck_at = ${again} where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)}`,
  );
  enqueueMessage(tx, messageFromRow(timer), { sendAt: again, timer: timerRefOf(tx.orgId, id) });
  return false;
}

async function markFired(tx: Tx, id: TimerId): Promise<void> {
  tx.write(sql`
    update timers set state = 'fired', settled_at = now()
     where id = ${toUuid(id)} and org_id = ${toUuid(tx.orgId)} and state in ('waiting', 'firing')
  `);
}

/** Runs the handler a timer's message has reached, if the timer is due, and settles it afterwards. */
export async function fireTimer(
  run: HandlerContext,
  name: TimerRef,
  handle: () => Promise<void>,
): Promise<void> {
  const [orgId, id] = name.split(':') as [OrgId, TimerId];
  const owner = workflowOwner(orgId, 'timers');
  if (!(await run.step('timer due', owner, (tx) => markFiringIfDue(tx, id, run.isCallerWaiting))))
    return;
  try {
    await handle();
  } catch (error) {
    // Nothing will ever come of it: asked for again, it would be the same.
    if (error instanceof UnreadableMessage) {
      await run.step('timer unreadable', owner, (tx) => markFired(tx, id));
    }
    throw error;
  }
  await run.step('timer fired', owner, (tx) => markFired(tx, id));
}

/** Has a timer looked at now. */
export async function requeueTimer(tx: Tx, id: TimerId): Promise<void> {
  const timer = await findTimer(tx, id);
  if (timer === undefined || isSettled(timer)) return;
  if (isTimerFrozen(tx, timer)) {
    const recheckAt = addMs(tx.realNow, frozenRecheckMs);
    // Unless it was let go since, and the timer asked for.
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

/** Settled timers are kept for a while, to see what happened; then they are removed. */
export const removeSettledTimers = (db: Db): Promise<void> =>
  removeInBatches(timersPerBatch, async (most) => {
    const removed = await db.query(sql`
      delete from timers
       where id in (select id from timers
                     where state in ('fired', 'canceled')
                       and settled_at < now() - make_interval(days => ${keptDays})
                     order by settled_at limit ${most})
      returning id
    `);
    return removed.length;
  });
