/**
 * Direct sends (ADR 0055): a worker takes new events of many organizations in one transaction, sends them to idle,
 * healthy endpoints itself, and records what was delivered in another. Meanwhile it holds the endpoint's dispatcher
 * (`is_direct`), until `recheck_at`: then the reconciler hands the dispatcher to the engine. The SQL functions open
 * each organization in turn, under row-level security.
 */

import { addMs } from '../../kernel/duration.ts';
import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { AttemptId, AttemptOutcome, EventId } from '../domain/attempt.ts';
import type { StoredEvent } from '../domain/event.ts';
import type { WebhookId } from '../domain/webhook.ts';
import { type EventRow, toEvent } from './events.ts';
import { queuedTimeoutMs } from './webhook-dispatchers.ts';
import type { SealedSecrets } from './webhooks.ts';

export type DispatcherKey = { readonly orgId: OrgId; readonly webhookId: WebhookId };

/** The first attempt at a new event, by the worker that took it. */
export type TakenAttempt = DispatcherKey & {
  readonly url: string;
  readonly sealed: SealedSecrets;
  readonly attemptId: AttemptId;
  readonly event: StoredEvent;
};

export type FanOutRound = {
  readonly attempts: readonly TakenAttempt[];
  /** These left idle, for the engine: the caller enqueues a message for each in the same transaction. */
  readonly queued: readonly DispatcherKey[];
};

type Row = Omit<EventRow, 'id'> & {
  readonly org_id: string;
  readonly webhook_id: string;
  readonly url: string;
  readonly sealed_secret: Buffer;
  readonly sealed_old_secret: Buffer | null;
  readonly old_secret_until: Date | null;
  readonly attempt_id: string | null;
  readonly id: string;
};

type KeyRow = Pick<Row, 'org_id' | 'webhook_id'>;
const toKey = ({ org_id, webhook_id }: KeyRow): DispatcherKey => ({
  orgId: toWire('org', org_id),
  webhookId: toWire('wh', webhook_id),
});

/** Past it, the reconciler hands the dispatcher to the engine. Renewed while an attempt is in flight. */
const leaseMs = 15_000;

export async function hasEventsToFanOut(db: Db): Promise<boolean> {
  const rows = await db.query(sql`select 1 from fanout_cursors where recheck_at <= now() limit 1`);
  return rows.length > 0;
}

/** Makes the webhook deliveries of new events, and takes the dispatchers of idle, healthy endpoints. */
export async function fanOutRound(
  db: Db,
  realNow: Date,
  limits: {
    readonly organizations: number;
    readonly attempts: number;
    readonly attemptsPerEndpoint: number;
    readonly enterpriseTypes: ReadonlySet<string>;
  },
): Promise<FanOutRound> {
  const rows = await db.query<Row>(sql`
    select * from fan_out_round(${realNow}, ${limits.organizations}, ${limits.attempts},
      ${limits.attemptsPerEndpoint}, ${[...limits.enterpriseTypes]},
      ${leaseMs / 1_000} * interval '1 second')
  `);
  return {
    attempts: rows.flatMap((row) =>
      row.attempt_id === null ? [] : toAttempt(row, row.attempt_id),
    ),
    queued: rows.filter(({ attempt_id }) => attempt_id === null).map(toKey),
  };
}

const toAttempt = (row: Row, attemptId: string): TakenAttempt => ({
  ...toKey(row),
  url: row.url,
  sealed: {
    current: row.sealed_secret,
    old: row.sealed_old_secret,
    oldUntil: row.old_secret_until,
  },
  attemptId: toWire('att', attemptId),
  event: toEvent(row),
});

export type DeliveredAttempt = DispatcherKey & {
  readonly eventId: EventId;
  readonly attemptId: AttemptId;
  /** Of the next attempt, if a redelivery was requested meanwhile. */
  readonly nextAttemptId: AttemptId;
  readonly outcome: AttemptOutcome;
};

/**
 * Records successful attempts, all those of a dispatcher together, and ends its lease. Returns the dispatchers with
 * more to send: the caller enqueues a message for each in the same transaction.
 */
export async function settleDirectSends(
  db: Db,
  realNow: Date,
  delivered: readonly DeliveredAttempt[],
): Promise<readonly DispatcherKey[]> {
  const records = delivered.map(({ orgId, webhookId, eventId, outcome, ...ids }) => ({
    org_id: toUuid(orgId),
    webhook_id: toUuid(webhookId),
    event_id: toUuid(eventId),
    id: toUuid(ids.attemptId),
    next_id: toUuid(ids.nextAttemptId),
    status_code: outcome.statusCode,
    response: outcome.response,
    duration_ms: outcome.durationMs,
  }));
  const rows = await db.query<KeyRow>(
    sql`select * from settle_direct_sends(${realNow}, ${json(records)})`,
  );
  return rows.map(toKey);
}

/** `isSlow`: the endpoint has not answered for a while, and the sandbox's clock does not wait for it. */
export async function renewLeases(
  db: Db,
  realNow: Date,
  held: readonly (DispatcherKey & { readonly isSlow: boolean })[],
): Promise<void> {
  const records = held.map((each) => ({
    org_id: toUuid(each.orgId),
    webhook_id: toUuid(each.webhookId),
    is_slow: each.isSlow,
  }));
  await db.query(sql`
    update webhook_dispatchers dispatcher
       set recheck_at = ${addMs(realNow, leaseMs)}, is_slow = dispatcher.is_slow or held.is_slow
      from json_to_recordset(${json(records)}) as held (org_id uuid, webhook_id uuid, is_slow boolean)
     where dispatcher.org_id = held.org_id and dispatcher.webhook_id = held.webhook_id
       and is_direct and recheck_count = 0
  `);
}

/** Hands a dispatcher that the caller holds to the engine; false if it was handed over already. */
export async function queueDirectDispatcher(tx: Tx, webhookId: WebhookId): Promise<boolean> {
  const rows = await tx.query(sql`
    update webhook_dispatchers
       set state = 'queued', is_direct = false, has_more = false, recheck_count = 0,
           recheck_at = ${addMs(tx.realNow, queuedTimeoutMs)}
     where org_id = ${toUuid(tx.orgId)} and webhook_id = ${toUuid(webhookId)} and is_direct
    returning 1
  `);
  return rows.length > 0;
}
