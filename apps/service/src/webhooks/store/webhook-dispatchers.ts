/**
 * The dispatcher of a webhook: one row says whether a handler of the engine sends its webhook deliveries.
 *
 *   idle → queued       there is a delivery to send; the same transaction enqueues a message to the engine
 *   queued → running    the handler has begun
 *   running → idle      the handler found nothing more that is due
 *
 * A transaction that adds a webhook delivery marks the dispatcher as queued, and enqueues a message only if the
 * dispatcher was idle. A worker that takes new events of a healthy endpoint marks an idle dispatcher as running, and
 * sends them itself (`direct-sends.ts`). Both sides lock the row, so the handler cannot go idle without having read the new delivery.
 */

import type { Clock } from '../../kernel/clock.ts';
import { addMs, minuteMs } from '../../kernel/duration.ts';
import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import { claimStaleRows } from '../../platform/engine/recheck.ts';
import type { TimerId } from '../../platform/engine/timers.ts';
import type { WebhookId } from '../domain/webhook.ts';

/** The handler of a queued dispatcher must have begun by then; otherwise the reconciler requeues it. */
export const queuedTimeoutMs = 10_000;

/** Longer than an attempt takes, with the transactions before and after it. */
const runningTimeoutMs = minuteMs;

type Row = { readonly webhook_id: string };
const toWebhookIds = (rows: readonly Row[]): WebhookId[] =>
  rows.map(({ webhook_id }) => toWire('wh', webhook_id));

/** Returns those that were idle or had no row: the caller sends each a message. */
export async function markDispatchersQueued(
  tx: Tx,
  webhookIds: readonly WebhookId[],
): Promise<WebhookId[]> {
  const recheckAt = addMs(tx.realNow, queuedTimeoutMs);
  // Ordered: two transactions that mark the same dispatchers must not deadlock.
  const rows = await tx.query<Row & { old_state: string | null }>(sql`
    insert into webhook_dispatchers as dispatcher (org_id, webhook_id, state, claimed_at, recheck_at)
    select ${toUuid(tx.orgId)}, webhook_id, 'queued', ${tx.realNow}, ${recheckAt}
      from unnest(${webhookIds.map(toUuid)}::uuid[]) as webhook_id
     order by webhook_id
    on conflict (org_id, webhook_id) do update
       set state = case dispatcher.state when 'idle' then 'queued' else dispatcher.state end,
           has_more = dispatcher.state <> 'idle',
           claimed_at = coalesce(dispatcher.claimed_at, excluded.claimed_at),
           recheck_at = coalesce(dispatcher.recheck_at, excluded.recheck_at)
    returning webhook_id, old.state as old_state
  `);
  return toWebhookIds(rows.filter(({ old_state: state }) => state === null || state === 'idle'));
}

/** Those that are queued or running. */
export async function listBusyDispatchers(tx: Tx): Promise<WebhookId[]> {
  return toWebhookIds(
    await tx.query<Row>(sql`
      select webhook_id from webhook_dispatchers where org_id = ${toUuid(tx.orgId)} and state <> 'idle'
    `),
  );
}

/** The timer of a webhook's earliest retry; `at` is business time. */
export type RetryTimer = { readonly id: TimerId; readonly at: Date };

export type WebhookDispatcher = {
  readonly retryTimer: RetryTimer | null;
  /** Consecutive pauses after failures of ours. */
  readonly ownFailures: number;
  /** Real time: no attempt is made before. */
  readonly pausedUntil: Date | null;
  /** A worker holds it and sends its deliveries (`direct-sends.ts`), unless the reconciler has found its lease ended. */
  readonly isDirect: boolean;
};

export async function lockDispatcher(
  tx: Tx,
  webhookId: WebhookId,
): Promise<WebhookDispatcher | undefined> {
  const [row] = await tx.query<{
    retry_timer_id: string | null;
    retry_timer_at: Date | null;
    own_failures: number;
    paused_until: Date | null;
    is_direct: boolean;
  }>(sql`
    select retry_timer_id, retry_timer_at, own_failures, paused_until, is_direct and recheck_count = 0 as is_direct
      from webhook_dispatchers
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)} for update
  `);
  if (row === undefined) return undefined;
  const { retry_timer_id: id, retry_timer_at: at } = row;
  return {
    retryTimer: id === null || at === null ? null : { id: toWire('tmr', id), at },
    ownFailures: row.own_failures,
    pausedUntil: row.paused_until,
    isDirect: row.is_direct,
  };
}

export const isDispatcherPaused = (
  dispatcher: WebhookDispatcher | undefined,
  realNow: Date,
): boolean =>
  dispatcher !== undefined && dispatcher.pausedUntil !== null && dispatcher.pausedUntil > realNow;

export function markDispatcherPaused(
  tx: Tx,
  webhookId: WebhookId,
  ownFailures: number,
  pausedUntil: Date,
): void {
  tx.write(sql`
    update webhook_dispatchers set own_failures = ${ownFailures}, paused_until = ${pausedUntil}
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)}
  `);
}

/** An attempt has been in flight for longer than the sandbox's clock waits: it does not wait for this endpoint. */
export function markDispatcherSlow(tx: Tx, webhookId: WebhookId): void {
  tx.write(sql`
    update webhook_dispatchers set is_slow = true
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)} and not is_slow
  `);
}

/** Its endpoint has answered in time again. */
export function clearSlowMark(tx: Tx, webhookId: WebhookId): void {
  tx.write(sql`
    update webhook_dispatchers set is_slow = false
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)} and is_slow
  `);
}

export function markDispatcherRunning(tx: Tx, webhookId: WebhookId): void {
  tx.write(sql`
    update webhook_dispatchers
       set state = 'running', is_direct = false, recheck_count = 0, claimed_at = coalesce(claimed_at, ${tx.realNow}),
           recheck_at = ${addMs(tx.readClock(), runningTimeoutMs)}
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)}
  `);
}

/** Resets `own_failures`, unless the dispatcher is paused. */
export function markDispatcherIdle(tx: Tx, webhookId: WebhookId): void {
  tx.write(sql`
    update webhook_dispatchers
       set state = 'idle', is_direct = false, has_more = false, claimed_at = null, recheck_at = null,
           recheck_count = 0,
           own_failures = case when paused_until > ${tx.realNow} then own_failures else 0 end,
           paused_until = case when paused_until > ${tx.realNow} then paused_until end
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)}
  `);
}

export function updateRetryTimer(tx: Tx, webhookId: WebhookId, { id, at }: RetryTimer): void {
  tx.write(sql`
    update webhook_dispatchers set retry_timer_id = ${toUuid(id)}, retry_timer_at = ${at}
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)}
  `);
}

export function deleteDispatcher(tx: Tx, webhookId: WebhookId): void {
  tx.write(sql`
    delete from webhook_dispatchers
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)}
  `);
}

const lateMs = minuteMs;
const lateCountMax = 10_000;

/**
 * Dispatchers that the reconciler requeued and that are still not idle after a minute, and organizations whose events
 * could not be fanned out, for the metric.
 */
export async function countLateDispatchers(db: Db, clock: Clock): Promise<number> {
  const before = addMs(clock.now(), -lateMs);
  const [row] = await db.query<{ count: number }>(sql`
    select (select count(*) from (select from webhook_dispatchers
                                   where recheck_count > 0 and claimed_at < ${before} limit ${lateCountMax}) late)::int
         + (select count(*) from (select from fanout_cursors
                                   where recheck_at < ${before} or recheck_count > 0 limit ${lateCountMax}) late)::int
           as count
  `);
  return row?.count ?? 0;
}

const expeditedMax = 500;

/**
 * After invocations were killed: the next round of the reconciler requeues the dispatchers that run, instead of a minute
 * after their last claim. If the handler of one still runs, the second message waits behind it and finds nothing due.
 */
export async function expediteRunningDispatchers(db: Db, now: Date): Promise<void> {
  await db.query(sql`
    update webhook_dispatchers set recheck_at = ${addMs(now, -1)}
     where (org_id, webhook_id) in (select org_id, webhook_id from webhook_dispatchers
                                     where state = 'running' and not is_direct and recheck_at >= ${now}
                                     order by recheck_at limit ${expeditedMax} for update skip locked)
  `);
}

/** Dispatchers whose handler is past its time-out: the engine may have lost its disk. */
export async function claimStaleDispatchers(
  db: Db,
  now: Date,
): Promise<{ readonly orgId: OrgId; readonly webhookId: WebhookId }[]> {
  const rows = await claimStaleRows<Row & { readonly org_id: string }>(db, now, {
    table: sql`webhook_dispatchers`,
    key: sql`org_id, webhook_id`,
    returning: sql`org_id, webhook_id`,
    // `recheck_at` already contains the time-out of the state.
    staleAfterMs: 0,
    delayMs: 30_000,
    backoff: { doublingsMax: 5, countMax: 5 },
    batchMax: 500,
  });
  return rows.map(({ org_id, webhook_id }) => ({
    orgId: toWire('org', org_id),
    webhookId: toWire('wh', webhook_id),
  }));
}
