/** Webhook deliveries: one row for each event that one webhook is to receive. */

import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { AttemptId, WebhookDeliveryStatus, EventId } from '../domain/attempt.ts';
import type { StoredEvent } from '../domain/event.ts';
import type { WebhookId } from '../domain/webhook.ts';
import { eventColumns, type EventRow, toEvent } from './events.ts';

export type WebhookDeliveryKey = { readonly eventId: EventId; readonly webhookId: WebhookId };

export type WebhookDelivery = WebhookDeliveryKey & {
  readonly status: WebhookDeliveryStatus;
  /** All of them, also those before a redelivery was requested. */
  readonly attempts: number;
  /** Null unless it is pending. */
  readonly nextAttemptAt: Date | null;
};

/** Pending deliveries are due now; the others have no next attempt. */
export function insertWebhookDeliveries(
  tx: Tx,
  deliveries: readonly (WebhookDeliveryKey & { readonly status: WebhookDeliveryStatus })[],
): void {
  const records = deliveries.map(({ eventId, webhookId, status }) => ({
    event_id: toUuid(eventId),
    webhook_id: toUuid(webhookId),
    status,
    attempt_id: toUuid(tx.newId('att')),
  }));
  tx.write(sql`
    insert into webhook_deliveries (org_id, event_id, webhook_id, status, attempt_id, next_at)
    select ${toUuid(tx.orgId)}, event_id, webhook_id, status, attempt_id,
           case when status = 'pending' then ${tx.now}::timestamptz end
      from json_to_recordset(${json(records)})
        as delivery (event_id uuid, webhook_id uuid, status text, attempt_id uuid)
    on conflict do nothing
  `);
}

type Row = {
  readonly event_id: string;
  readonly webhook_id: string;
  readonly status: WebhookDeliveryStatus;
  readonly attempts: number;
  readonly next_at: Date | null;
};

const columns = sql`event_id, webhook_id, status, earlier_attempts + attempts as attempts, next_at`;

const toWebhookDelivery = (row: Row): WebhookDelivery => ({
  eventId: toWire('evt', row.event_id),
  webhookId: toWire('wh', row.webhook_id),
  status: row.status,
  attempts: row.attempts,
  nextAttemptAt: row.next_at,
});

export type DueWebhookDelivery = {
  readonly event: StoredEvent;
  readonly attemptId: AttemptId;
  /** Made since the event happened, or since its last redelivery was requested. */
  readonly attempts: number;
  /** Made before that redelivery was requested. */
  readonly earlierAttempts: number;
  readonly redeliveries: number;
};

type DueRow = {
  readonly attempt_id: string;
  readonly attempts: number;
  readonly earlier_attempts: number;
  readonly redeliveries: number;
};

/** How many more attempts may start now: usually, and while the webhook fails. */
export type AttemptSlots = { readonly usual: number; readonly failing: number };

/** Due deliveries of a verified webhook, the longest due first, without the events that are in flight. */
export async function findDueWebhookDeliveries(
  tx: Tx,
  webhookId: WebhookId,
  inFlight: readonly EventId[],
  slots: AttemptSlots,
): Promise<DueWebhookDelivery[]> {
  const rows = await tx.query<EventRow & DueRow>(sql`
    select ${eventColumns}, delivery.attempt_id, delivery.attempts, delivery.earlier_attempts, delivery.redeliveries
      from (select event_id, attempt_id, attempts, earlier_attempts, redeliveries, next_at from webhook_deliveries
             where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)}
               and status = 'pending' and next_at <= ${tx.now}
               and event_id <> all(${inFlight.map(toUuid)})
             order by next_at, event_id
             limit coalesce((select case when failing_since is null then ${slots.usual}::int
                                         else ${slots.failing}::int end
                               from webhooks
                              where org_id = ${toUuid(tx.orgId)} and id = ${toUuid(webhookId)}
                                and status = 'verified'), 0)) delivery
      join events on events.org_id = ${toUuid(tx.orgId)} and events.id = delivery.event_id
     order by delivery.next_at, delivery.event_id
  `);
  return rows.map((row) => ({
    event: toEvent(row),
    attemptId: toWire('att', row.attempt_id),
    attempts: row.attempts,
    earlierAttempts: row.earlier_attempts,
    redeliveries: row.redeliveries,
  }));
}

/** Business time of the webhook's earliest pending attempt. */
export async function findNextRetryAt(tx: Tx, webhookId: WebhookId): Promise<Date | undefined> {
  const [row] = await tx.query<{ next_at: Date }>(sql`
    select next_at from webhook_deliveries
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)} and status = 'pending'
     order by next_at limit 1
  `);
  return row?.next_at;
}

const undeliveredPerBatchMax = 10_000;

/** Ends the pending deliveries of a disabled or deleted webhook. Returns whether there may be more. */
export async function markPendingUndelivered(tx: Tx, webhookId: WebhookId): Promise<boolean> {
  const rows = await tx.query(sql`
    update webhook_deliveries set status = 'undelivered', next_at = null
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)} and status = 'pending'
       and event_id in (select event_id from webhook_deliveries
                         where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)}
                           and status = 'pending'
                         order by next_at limit ${undeliveredPerBatchMax})
    returning event_id
  `);
  return rows.length === undeliveredPerBatchMax;
}

export async function listWebhookDeliveries(
  db: Db,
  orgId: OrgId,
  eventId: EventId,
): Promise<WebhookDelivery[]> {
  const rows = await db.query<Row>(sql`
    select ${columns} from webhook_deliveries
     where org_id = ${toUuid(orgId)} and event_id = ${toUuid(eventId)}
     order by webhook_id
  `);
  return rows.map(toWebhookDelivery);
}

/**
 * Of every event of a page, with one statement; deliveries to deleted webhooks are left out. The range of ids limits
 * the partitions that are read.
 */
export async function listWebhookDeliveriesOfAll(
  db: Db,
  orgId: OrgId,
  eventIds: readonly EventId[],
): Promise<ReadonlyMap<EventId, readonly WebhookDelivery[]>> {
  const ids = eventIds.map(toUuid).toSorted();
  const rows = await db.query<Row>(sql`
    select ${columns} from webhook_deliveries
     where org_id = ${toUuid(orgId)} and event_id = any(${ids})
       and event_id between ${ids.at(0) ?? null} and ${ids.at(-1) ?? null}
       and webhook_id = any(array(select id from webhooks where org_id = ${toUuid(orgId)}))
     order by event_id, webhook_id
  `);
  return Map.groupBy(rows.map(toWebhookDelivery), ({ eventId }) => eventId);
}

/** Longer than the reconciler takes to requeue a dispatcher that the engine has lost (60 s). */
const inFlightMs = 90_000;

/**
 * Whether events of this organization wait for their sequence or their fan-out, or are being sent to an endpoint that
 * is not slow.
 */
export async function hasEventsInFlight(tx: Tx): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from fanout_cursors fanout_cursor
     where fanout_cursor.org_id = ${toUuid(tx.orgId)}
       and (fanout_cursor.fanned_out_upto < fanout_cursor.sequenced_upto
            or exists (select from events where org_id = fanout_cursor.org_id and sequence is null)
            or exists (select from webhook_dispatchers dispatcher
                        where dispatcher.org_id = fanout_cursor.org_id and not dispatcher.is_slow
                          and dispatcher.claimed_at > ${new Date(tx.realNow.getTime() - inFlightMs)}))
  `);
  return rows.length > 0;
}

/**
 * Makes deliveries to verified webhooks pending again, with six more attempts: those of one event, or a webhook's
 * undelivered ones since a time, the oldest first. `hasMore`: there are more than `limit`.
 */
export async function requeueWebhookDeliveries(
  tx: Tx,
  which:
    | { readonly eventId: EventId; readonly webhookId: WebhookId | undefined }
    | { readonly webhookId: WebhookId; readonly since: Date },
  limit: number,
): Promise<{ readonly pairs: readonly WebhookDeliveryKey[]; readonly hasMore: boolean }> {
  const found = await tx.query<Row>(sql`
    select ${columns} from webhook_deliveries
     where org_id = ${toUuid(tx.orgId)} and ${'eventId' in which ? ofEvent(which) : undeliveredSince(tx, which)}
       and webhook_id in (select id from webhooks
                           where org_id = ${toUuid(tx.orgId)} and status = 'verified')
     order by event_id limit ${limit + 1} for update
  `);
  const rows = found.slice(0, limit);
  const records = rows.map(({ event_id, webhook_id }) => ({
    event_id,
    webhook_id,
    attempt_id: toUuid(tx.newId('att')),
  }));
  // A pending delivery may be in flight: it keeps its attempt_id, so that this attempt is still recorded.
  tx.write(sql`
    update webhook_deliveries delivery
       set status = 'pending', earlier_attempts = earlier_attempts + attempts, attempts = 0,
           redeliveries = redeliveries + 1, next_at = ${tx.now},
           attempt_id = case status when 'pending' then delivery.attempt_id else requeued.attempt_id end
      from json_to_recordset(${json(records)}) as requeued (event_id uuid, webhook_id uuid, attempt_id uuid)
     where delivery.org_id = ${toUuid(tx.orgId)} and delivery.event_id = requeued.event_id
       and delivery.webhook_id = requeued.webhook_id
  `);
  return { pairs: rows.map(toWebhookDelivery), hasMore: found.length > limit };
}

function ofEvent(which: { readonly eventId: EventId; readonly webhookId: WebhookId | undefined }) {
  const webhookId = which.webhookId === undefined ? null : toUuid(which.webhookId);
  return sql`event_id = ${toUuid(which.eventId)}
             and (${webhookId}::uuid is null or webhook_id = ${webhookId}::uuid)`;
}

/** `created_at` is business time. Ids contain real time: their condition only limits the partitions that are read. */
function undeliveredSince(tx: Tx, which: { readonly webhookId: WebhookId; readonly since: Date }) {
  const aheadMs = tx.now.getTime() - tx.realNow.getTime();
  return sql`webhook_id = ${toUuid(which.webhookId)} and status = 'undelivered'
             and event_id >= ${firstIdAt(which.since.getTime() - aheadMs)}
             and exists (select from events
                          where events.org_id = ${toUuid(tx.orgId)} and events.id = event_id
                            and created_at >= ${which.since})`;
}

/** The smallest id of a millisecond: UUIDv7 begins with its time. */
function firstIdAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

const rescheduledPerBatchMax = 5_000;

/** Makes scheduled retries due now. Returns whether there may be more. */
export async function rescheduleRetriesNow(tx: Tx): Promise<boolean> {
  const rows = await tx.query(sql`
    update webhook_deliveries set next_at = ${tx.now}
     where (org_id, event_id, webhook_id) in (
             select org_id, event_id, webhook_id from webhook_deliveries
              where org_id = ${toUuid(tx.orgId)} and status = 'pending' and next_at > ${tx.now}
              limit ${rescheduledPerBatchMax} for update)
    returning event_id
  `);
  return rows.length === rescheduledPerBatchMax;
}
