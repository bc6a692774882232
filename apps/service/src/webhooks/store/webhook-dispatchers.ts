/**
 * The lane of an endpoint: whether somebody sends what it is owed.
 *
 *   idle → told      the engine was told that there is something
 *   told → working   its handler has begun
 *   working → idle   it found nothing more that is due
 *
 * Whoever adds to what an endpoint is owed tells its lane in the same transaction, and the engine only if it was idle.
 * The row is locked by both sides, so nothing is added unseen.
 */

import type { Clock } from '../../kernel/clock.ts';
import { addMs, minuteMs } from '../../kernel/duration.ts';
import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import { claimStaleRows } from '../../platform/engine/recheck.ts';
import type { TimerId } from '../../platform/engine/timers.ts';
import type { WebhookId } from '../domain/webhook.ts';

/** A handler that was told should have begun by then. */
const queuedTimeoutMs = 10_000;

/** Longer than an attempt takes, and what comes before and after it. */
const runningTimeoutMs = minuteMs;

type Row = { readonly webhook_id: string };
const toWebhookIds = (rows: readonly Row[]): WebhookId[] =>
  rows.map(({ webhook_id }) => toWire('wh', webhook_id));

/** Those of them that were idle, or had no lane yet: the engine has to be told. */
export async function markDispatchersQueued(
  tx: Tx,
  webhookIds: readonly WebhookId[],
): Promise<WebhookId[]> {
  const recheckAt = addMs(tx.realNow, queuedTimeoutMs);
  // In one order, whoever asks: two that tell the same lanes must not wait for each other.
  const rows = await tx.query<Row & { was: string | null }>(sql`
    insert into webhook_dispatchers as dispatcher (org_id, webhook_id, state, claimed_at, recheck_at)
    select ${toUuid(tx.orgId)}, webhook_id, 'told', ${tx.realNow}, ${recheckAt}
      from unnest(${webhookIds.map(toUuid)}::uuid[]) as webhook_id
     order by webhook_id
    on conflict (org_id, webhook_id) do update
       set state = case dispatcher.state when 'idle' then 'told' else dispatcher.state end,
           claimed_at = coalesce(dispatcher.claimed_at, excluded.claimed_at),
           recheck_at = coalesce(dispatcher.recheck_at, excluded.recheck_at)
    returning webhook_id, old.state as was
  `);
  return toWebhookIds(rows.filter(({ was }) => was === null || was === 'idle'));
}

/** Told, and not begun. */
export async function listQueuedDispatchers(tx: Tx): Promise<WebhookId[]> {
  return toWebhookIds(
    await tx.query<Row>(sql`
      select webhook_id from webhook_dispatchers where org_id = ${toUuid(tx.orgId)} and state = 'told'
    `),
  );
}

/** The timer of an endpoint's earliest retry, and when it is due in business time. */
export type RetryTimer = { readonly id: TimerId; readonly at: Date };

export type WebhookDispatcher = {
  readonly retryTimer: RetryTimer | null;
  /** Pauses one after the other, for failures of ours. */
  readonly ownFailures: number;
  /** Real time: nothing is sent before. */
  readonly pausedUntil: Date | null;
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
  }>(sql`
    select retry_timer_id, retry_timer_at, own_failures, paused_until from webhook_dispatchers
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)} for update
  `);
  if (row === undefined) return undefined;
  const { retry_timer_id: id, retry_timer_at: at } = row;
  return {
    retryTimer: id === null || at === null ? null : { id: toWire('tmr', id), at },
    ownFailures: row.own_failures,
    pausedUntil: row.paused_until,
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

export function markDispatcherRunning(tx: Tx, webhookId: WebhookId): void {
  tx.write(sql`
    update webhook_dispatchers
       set state = 'working', recheck_count = 0, claimed_at = coalesce(claimed_at, ${tx.realNow}),
           recheck_at = ${addMs(tx.readClock(), runningTimeoutMs)}
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)}
  `);
}

/** What is left of earlier failures of ours is forgotten, unless it is paused for one. */
export function markDispatcherIdle(tx: Tx, webhookId: WebhookId): void {
  tx.write(sql`
    update webhook_dispatchers
       set state = 'idle', claimed_at = null, recheck_at = null, recheck_count = 0,
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

/** Lanes that were doubted a while ago, and still nobody is there. */
export async function countLateDispatchers(db: Db, clock: Clock): Promise<number> {
  const before = addMs(clock.now(), -lateMs);
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count
      from (select from webhook_dispatchers where recheck_count > 0 and claimed_at < ${before} limit ${lateCountMax}) late
  `);
  return row?.count ?? 0;
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
