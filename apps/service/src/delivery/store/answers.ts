/** Answers of stores, from their arrival until they are applied. */

import { type Id, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import { claimStaleRows } from '../../platform/engine/recheck.ts';
import type { AnswerKind, AnswerLane, StoreAnswer } from '../domain/answer.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import { type MessageId, type Rejection, unspecifiedCode } from '../domain/message.ts';
import type { StoreDeliveryRef } from './messages.ts';

type AnswerId = Id<'ans'>;

export type NewAnswer = {
  readonly id: AnswerId;
  readonly target: StoreDeliveryRef;
  readonly answer: StoreAnswer;
  /** Business time. */
  readonly dueAt: Date;
  /** Real time: when to enqueue the delivery again. Null: a timer wakes the delivery at `dueAt`. */
  readonly recheckAt: Date | null;
};

export type DueAnswer = {
  readonly id: AnswerId;
  readonly storeId: string;
  readonly answer: StoreAnswer;
};

const rejectionOf = (answer: StoreAnswer): Rejection | null =>
  'rejection' in answer ? answer.rejection : null;

export async function insertAnswers(db: Db, answers: readonly NewAnswer[]): Promise<void> {
  const records = answers.map(({ id, target, answer, dueAt, recheckAt }) => ({
    id: toUuid(id),
    org_id: toUuid(target.orgId),
    delivery_id: toUuid(target.deliveryId),
    store_id: target.storeId,
    message_id: answer.messageId && toUuid(answer.messageId),
    kind: answer.kind,
    code: rejectionOf(answer)?.code ?? null,
    reason: rejectionOf(answer)?.reason ?? null,
    url: 'url' in answer ? answer.url : null,
    due_at: dueAt,
    recheck_at: recheckAt,
  }));
  await db.query(sql`
    insert into store_answers (id, org_id, delivery_id, store_id, message_id, kind, code, reason, url, due_at, recheck_at)
    select id, org_id, delivery_id, store_id, message_id, kind, code, reason, url, due_at, recheck_at
      from json_to_recordset(${json(records)})
        as answer (id uuid, org_id uuid, delivery_id uuid, store_id text, message_id uuid, kind text, code text,
                   reason text, url text, due_at timestamptz, recheck_at timestamptz)
  `);
}

type Row = {
  readonly id: string;
  readonly store_id: string;
  readonly message_id: string | null;
  readonly kind: AnswerKind;
  readonly code: string | null;
  readonly reason: string | null;
  readonly url: string | null;
};

function toAnswer(row: Row): StoreAnswer {
  const messageId: MessageId | null =
    row.message_id === null ? null : toWire('msg', row.message_id);
  const rejection: Rejection = { code: row.code ?? unspecifiedCode, reason: row.reason ?? '' };
  switch (row.kind) {
    case 'delivered':
      return { messageId, kind: row.kind, url: row.url };
    case 'acknowledged':
    case 'removed':
      return { messageId, kind: row.kind };
    default:
      return { messageId, kind: row.kind, rejection };
  }
}

/**
 * An answer is recorded with `recheck_at` equal to `due_at`, and the reconciler only moves `recheck_at` forward. So it has
 * arrived even if the clock of this process is behind that of the process that recorded it. A scheduled answer has no
 * `recheck_at`, or one before `due_at` if a version before the sandbox clock scheduled it.
 */
const hasArrived = sql`due_at <= recheck_at`;

/** The due answers of one delivery, in order. One that has arrived is due even if the sandbox clock is behind. */
export async function findDueAnswers(tx: Tx, id: DeliveryId, limit: number): Promise<DueAnswer[]> {
  const rows = await tx.query<Row>(sql`
    select id, store_id, message_id, kind, code, reason, url from store_answers
     where org_id = ${toUuid(tx.orgId)} and delivery_id = ${toUuid(id)} 
       and (due_at <= ${tx.now} or ${hasArrived})
     order by due_at, store_id, id
     limit ${limit}
  `);
  return rows.map((row) => ({
    id: toWire('ans', row.id),
    storeId: row.store_id,
    answer: toAnswer(row),
  }));
}

/** Deliveries of a lane with answers that have arrived, by id, after `after`. */
export async function findAnsweredDeliveries(
  tx: Tx,
  { index, lanes }: AnswerLane,
  after: DeliveryId | null,
  limit: number,
): Promise<DeliveryId[]> {
  const isAfter = after === null ? sql`true` : sql`delivery_id > ${toUuid(after)}`;
  const rows = await tx.query<{ delivery_id: string }>(sql`
    select distinct delivery_id from store_answers
     where org_id = ${toUuid(tx.orgId)} and recheck_at is not null and ${hasArrived} and ${isAfter}
       and get_byte(uuid_send(delivery_id), 15) % ${lanes} = ${index}
     order by delivery_id limit ${limit}
  `);
  return rows.map(({ delivery_id }) => toWire('dlv', delivery_id));
}

export function deleteAnswers(tx: Tx, ids: readonly AnswerId[]): void {
  tx.write(sql`delete from store_answers where id = any(${ids.map(toUuid)}::uuid[])`);
}

/** Deletes the unapplied answers of a store to a delivery, scheduled ones included. */
export function discardPendingAnswers(tx: Tx, id: DeliveryId, storeId: string): void {
  tx.write(sql`select discard_pending_answers(${toUuid(id)}, ${storeId})`);
}

export type DeliveryRef = { readonly orgId: OrgId; readonly deliveryId: DeliveryId };

/** Deliveries with answers that were not applied for 30 s: the engine may have lost its disk. Each delivery once. */
export async function claimStaleAnswers(db: Db, now: Date): Promise<DeliveryRef[]> {
  type StaleAnswer = { readonly org_id: string; readonly delivery_id: string };
  const rows = await claimStaleRows<StaleAnswer>(db, now, {
    table: sql`store_answers`,
    key: sql`id`,
    returning: sql`org_id, delivery_id`,
    staleAfterMs: 30_000,
    delayMs: 30_000,
    batchMax: 500,
  });
  const byDelivery = new Map(rows.map((row) => [row.delivery_id, row]));
  return Array.from(byDelivery.values(), (row) => ({
    orgId: toWire('org', row.org_id),
    deliveryId: toWire('dlv', row.delivery_id),
  }));
}

/** When the oldest unapplied answer arrived; scheduled answers (`recheck_at` null) are not counted. */
export async function findOldestUnappliedAt(db: Db): Promise<Date | null> {
  const [row] = await db.query<{ arrived_at: Date | null }>(sql`
    select min(uuid_extract_timestamp(id)) as arrived_at from store_answers where recheck_at is not null
  `);
  return row?.arrived_at ?? null;
}
