import { type OrgId, toUuid } from '../../kernel/ids.ts';
import { defineColumns, idColumn, plain, type Row } from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type {
  AttemptId,
  WebhookDeliveryStatus,
  EventId,
  AttemptOutcome,
} from '../domain/attempt.ts';
import type { WebhookId } from '../domain/webhook.ts';

export type RecordedAttempt = Omit<AttemptOutcome, 'retryAfterSeconds'> & {
  readonly id: AttemptId;
  readonly eventId: EventId;
  readonly webhookId: WebhookId;
  /** Since the event happened, or since its last redelivery was requested: 1 is the first, 6 the last. */
  readonly number: number;
  /** Made before that redelivery was requested. */
  readonly earlierAttempts: number;
  /** Requested before this attempt was claimed; 0: it is no redelivery. */
  readonly redeliveries: number;
  readonly retryAt: Date | null;
  readonly createdAt: Date;
};

const attempts = defineColumns<RecordedAttempt>({
  id: idColumn('att'),
  eventId: idColumn('evt'),
  webhookId: idColumn('wh'),
  number: plain(),
  earlierAttempts: plain(),
  redeliveries: plain(),
  statusCode: plain(),
  failure: plain(),
  response: plain(),
  durationMs: plain(),
  retryAt: plain(),
  createdAt: plain(),
});

/** An attempt that has ended, and the new status of its webhook delivery. */
export type SettledAttempt = Omit<RecordedAttempt, 'createdAt'> & {
  readonly status: WebhookDeliveryStatus;
  /** Unused if this attempt is the last. */
  readonly nextAttemptId: AttemptId;
};

/**
 * Records attempts at one webhook. An attempt that was repeated after a crash counts once: the first
 * transaction gives the delivery another `attempt_id`, so the second finds no row to update and inserts
 * nothing.
 *
 * If a redelivery was requested while the attempt was in flight, the delivery stays pending and due: the redelivery has
 * six attempts of its own, and this one was made before them.
 */
export function applySettledAttempts(tx: Tx, settled: readonly SettledAttempt[]): void {
  const records = settled.map(({ status, nextAttemptId, ...attempt }) => {
    const { retry_at: next_at, ...row } = attempts.write({ ...attempt, createdAt: tx.now });
    return { ...row, status, next_at, next_id: toUuid(nextAttemptId) };
  });
  tx.write(sql`
    with settled as (
      select * from json_to_recordset(${json(records)}) as settled (
        id uuid, event_id uuid, webhook_id uuid, number smallint, earlier_attempts integer, redeliveries integer,
        status_code smallint, failure text, response text, duration_ms integer, created_at timestamptz, status text,
        next_at timestamptz, next_id uuid)
    ), recorded as (
      update webhook_deliveries delivery
         set status = case delivery.redeliveries when settled.redeliveries then settled.status else 'pending' end,
             attempts = case delivery.redeliveries when settled.redeliveries then settled.number else 0 end,
             next_at = case delivery.redeliveries when settled.redeliveries then settled.next_at else delivery.next_at end,
             earlier_attempts = delivery.earlier_attempts + (delivery.redeliveries <> settled.redeliveries)::int,
             attempt_id = settled.next_id
        from settled
       where delivery.org_id = ${toUuid(tx.orgId)} and delivery.event_id = settled.event_id
         and delivery.webhook_id = settled.webhook_id and delivery.attempt_id = settled.id
         and delivery.status = 'pending'
      returning settled.*, delivery.next_at as retry_at
    )
    insert into webhook_attempts (org_id, ${attempts.names})
    select ${toUuid(tx.orgId)}, ${attempts.names} from recorded
  `);
}

const attemptsShownMax = 1_000;

/** The last attempts of an event, oldest first. */
export async function listAttempts(
  db: Db,
  orgId: OrgId,
  eventId: EventId,
): Promise<RecordedAttempt[]> {
  const rows = await db.query<Row>(sql`
    select ${attempts.names} from webhook_attempts
     where org_id = ${toUuid(orgId)} and event_id = ${toUuid(eventId)}
     order by id desc
     limit ${attemptsShownMax}
  `);
  return rows.toReversed().map(attempts.read);
}

/** The last attempts of several events, oldest first. */
export async function listAttemptsOfAll(
  db: Db,
  orgId: OrgId,
  eventIds: readonly EventId[],
): Promise<ReadonlyMap<EventId, readonly RecordedAttempt[]>> {
  if (eventIds.length === 0) return new Map();
  const rows = await db.query<Row>(sql`
    select ${attempts.names} from webhook_attempts
     where org_id = ${toUuid(orgId)} and event_id = any(${eventIds.map(toUuid)})
     order by id desc
     limit ${attemptsShownMax}
  `);
  return Map.groupBy(rows.toReversed().map(attempts.read), ({ eventId }) => eventId);
}
