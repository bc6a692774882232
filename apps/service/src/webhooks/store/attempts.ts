import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
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
  /** 1 is the first, 6 the last. */
  readonly number: number;
  readonly retryAt: Date | null;
  readonly createdAt: Date;
};

/** An attempt, and what is to become of what was owed. */
export type SettledAttempt = Omit<RecordedAttempt, 'createdAt'> & {
  readonly status: WebhookDeliveryStatus;
  /** Null when it was the last. */
  readonly nextAttemptId: AttemptId | null;
};

/**
 * Several of one endpoint. Each counts once, however often it was made: a crash may have come between, and whoever
 * was there first has given the next attempt another name.
 */
export function applySettledAttempts(tx: Tx, settled: readonly SettledAttempt[]): void {
  const records = settled.map((attempt) => ({
    event_id: toUuid(attempt.eventId),
    webhook_id: toUuid(attempt.webhookId),
    attempt_id: toUuid(attempt.id),
    next_id: attempt.nextAttemptId === null ? null : toUuid(attempt.nextAttemptId),
    number: attempt.number,
    status: attempt.status,
    status_code: attempt.statusCode,
    failure: attempt.failure,
    response: attempt.response,
    duration_ms: attempt.durationMs,
    retry_at: attempt.retryAt,
  }));
  tx.write(sql`
    with settled as (
      select * from json_to_recordset(${json(records)}) as settled (
        event_id uuid, webhook_id uuid, attempt_id uuid, next_id uuid, number smallint, status text, status_code smallint,
        failure text, response text, duration_ms integer, retry_at timestamptz)
    ), recorded as (
      update webhook_deliveries delivery
         set status = settled.status, attempts = settled.number,
             attempt_id = coalesce(settled.next_id, delivery.attempt_id), next_at = settled.retry_at
        from settled
       where delivery.org_id = ${toUuid(tx.orgId)} and delivery.event_id = settled.event_id
         and delivery.webhook_id = settled.webhook_id and delivery.attempt_id = settled.attempt_id
         and delivery.status = 'pending'
      returning settled.*
    )
    insert into webhook_attempts (org_id, id, event_id, webhook_id, number, status_code, failure, response,
                                  duration_ms, retry_at, created_at)
    select ${toUuid(tx.orgId)}, attempt_id, event_id, webhook_id, number, status_code, failure, response,
           duration_ms, retry_at, ${tx.now}
      from recorded
  `);
}

const attemptsShownMax = 1_000;

/** Of an event the last ones, in the order they were made. */
export async function listAttempts(
  db: Db,
  orgId: OrgId,
  eventId: EventId,
): Promise<RecordedAttempt[]> {
  const rows = await db.query<{
    id: string;
    webhook_id: string;
    number: number;
    status_code: number | null;
    failure: string | null;
    response: string | null;
    duration_ms: number;
    retry_at: Date | null;
    created_at: Date;
  }>(sql`
    select id, webhook_id, number, status_code, failure, response, duration_ms, retry_at, created_at
      from webhook_attempts
     where org_id = ${toUuid(orgId)} and event_id = ${toUuid(eventId)}
     order by id desc
     limit ${attemptsShownMax}
  `);
  return rows.toReversed().map((row) => ({
    id: toWire('att', row.id),
    eventId,
    webhookId: toWire('wh', row.webhook_id),
    number: row.number,
    statusCode: row.status_code,
    failure: row.failure,
    response: row.response,
    durationMs: row.duration_ms,
    retryAt: row.retry_at,
    createdAt: row.created_at,
  }));
}
