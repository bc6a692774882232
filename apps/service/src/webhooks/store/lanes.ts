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
import { addMs, minuteMs } from '../../kernel/duration.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import type { TimerId } from '../../platform/engine/timers.ts';
import type { WebhookId } from '../domain/webhook.ts';

/** A handler that was told should have begun by then. */
const toldPatienceMs = 10_000;

/** Longer than an attempt takes, and what comes before and after it. */
const workPatienceMs = minuteMs;

/** Doubted again and again, it is asked less and less often. */
const doubtedPatienceMs = 30_000;
const doublingsMax = 5;

type Row = { readonly webhook_id: string };
const toWebhookIds = (rows: readonly Row[]): WebhookId[] =>
  rows.map(({ webhook_id }) => toWire('wh', webhook_id));

/** Those of them that were idle, or had no lane yet: the engine has to be told. */
export async function tellLanes(tx: Tx, webhookIds: readonly WebhookId[]): Promise<WebhookId[]> {
  const lookAt = addMs(tx.realNow, toldPatienceMs);
  // In one order, whoever asks: two that tell the same lanes must not wait for each other.
  const rows = await tx.query<Row & { was: string | null }>(sql`
    insert into webhook_lanes as lane (org_id, webhook_id, state, busy_since, recheck_at)
    select ${toUuid(tx.orgId)}, webhook_id, 'told', ${tx.realNow}, ${lookAt}
      from unnest(${webhookIds.map(toUuid)}::uuid[]) as webhook_id
     order by webhook_id
    on conflict (org_id, webhook_id) do update
       set state = case lane.state when 'idle' then 'told' else lane.state end,
           busy_since = coalesce(lane.busy_since, excluded.busy_since),
           recheck_at = coalesce(lane.recheck_at, excluded.recheck_at)
    returning webhook_id, old.state as was
  `);
  return toWebhookIds(rows.filter(({ was }) => was === null || was === 'idle'));
}

/** Told, and not begun. */
export async function findToldLanes(tx: Tx): Promise<WebhookId[]> {
  return toWebhookIds(
    await tx.query<Row>(sql`
      select webhook_id from webhook_lanes where org_id = ${toUuid(tx.orgId)} and state = 'told'
    `),
  );
}

/** The timer of an endpoint's earliest retry, and when it is due in business time. */
export type Alarm = { readonly id: TimerId; readonly at: Date };

export type Lane = {
  readonly alarm: Alarm | null;
  /** Pauses one after the other, for failures of ours. */
  readonly ownFailures: number;
  /** Real time: nothing is sent before. */
  readonly pausedUntil: Date | null;
};

export async function lockLane(tx: Tx, webhookId: WebhookId): Promise<Lane | undefined> {
  const [row] = await tx.query<{
    alarm_id: string | null;
    alarm_at: Date | null;
    own_failures: number;
    paused_until: Date | null;
  }>(sql`
    select alarm_id, alarm_at, own_failures, paused_until from webhook_lanes
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)} for update
  `);
  if (row === undefined) return undefined;
  const { alarm_id: id, alarm_at: at } = row;
  return {
    alarm: id === null || at === null ? null : { id: toWire('tmr', id), at },
    ownFailures: row.own_failures,
    pausedUntil: row.paused_until,
  };
}

export const isPaused = (lane: Lane | undefined, realNow: Date): boolean =>
  lane !== undefined && lane.pausedUntil !== null && lane.pausedUntil > realNow;

export function notePause(
  tx: Tx,
  webhookId: WebhookId,
  ownFailures: number,
  pausedUntil: Date,
): void {
  tx.write(sql`
    update webhook_lanes set own_failures = ${ownFailures}, paused_until = ${pausedUntil}
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)}
  `);
}

export function keepWorking(tx: Tx, webhookId: WebhookId): void {
  tx.write(sql`
    update webhook_lanes
       set state = 'working', recheck_count = 0, busy_since = coalesce(busy_since, ${tx.realNow}),
           recheck_at = ${addMs(tx.readClock(), workPatienceMs)}
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)}
  `);
}

/** What is left of earlier failures of ours is forgotten, unless it is paused for one. */
export function rest(tx: Tx, webhookId: WebhookId): void {
  tx.write(sql`
    update webhook_lanes
       set state = 'idle', busy_since = null, recheck_at = null, recheck_count = 0,
           own_failures = case when paused_until > ${tx.realNow} then own_failures else 0 end,
           paused_until = case when paused_until > ${tx.realNow} then paused_until end
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)}
  `);
}

export function noteAlarm(tx: Tx, webhookId: WebhookId, { id, at }: Alarm): void {
  tx.write(sql`
    update webhook_lanes set alarm_id = ${toUuid(id)}, alarm_at = ${at}
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)}
  `);
}

export function closeLane(tx: Tx, webhookId: WebhookId): void {
  tx.write(sql`
    delete from webhook_lanes
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)}
  `);
}

const lateMs = minuteMs;
const lateCountMax = 10_000;

/** Lanes that were doubted a while ago, and still nobody is there. */
export async function countLateLanes(db: Db, clock: Clock): Promise<number> {
  const before = addMs(clock.now(), -lateMs);
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count
      from (select from webhook_lanes where recheck_count > 0 and busy_since < ${before} limit ${lateCountMax}) late
  `);
  return row?.count ?? 0;
}

const doubtedMax = 500;

/** Lanes of which nothing was heard for too long: the engine may have lost its disk. */
export async function findForgottenLanes(
  db: Db,
  clock: Clock,
): Promise<{ readonly orgId: OrgId; readonly webhookId: WebhookId }[]> {
  const now = clock.now();
  const rows = await db.query<Row & { org_id: string }>(sql`
    update webhook_lanes
       set recheck_count = least(recheck_count + 1, ${doublingsMax}),
           recheck_at = ${now}::timestamptz + make_interval(secs => ${doubtedPatienceMs / 1_000} * power(2, recheck_count))
     where (org_id, webhook_id) in (
             select org_id, webhook_id from webhook_lanes
              where recheck_at < ${now} order by recheck_at limit ${doubtedMax} for update skip locked)
    returning org_id, webhook_id
  `);
  return rows.map(({ org_id, webhook_id }) => ({
    orgId: toWire('org', org_id),
    webhookId: toWire('wh', webhook_id),
  }));
}
