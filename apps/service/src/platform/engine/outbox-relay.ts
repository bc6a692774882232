/**
 * Moves committed outbox rows to the engine (architecture §1). A relay locks a batch with `skip locked`, so that any
 * number of relays may run, sends each row with its id as idempotency key, and deletes the acknowledged rows. After a
 * crash between the two, the rows are sent again, and the engine recognizes the key.
 */

import type { Clock } from '../../kernel/clock.ts';
import type { Database, Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { EngineRefusal, EngineTimeout, type Ingress } from './ingress.ts';
import type { EngineMessage } from './outbox.ts';

/**
 * Twice the connections of the ingress: on a healthy engine, all are answered long before the 10 s that a transaction may
 * be idle.
 */
const batchMax = 128;
const batchMin = 8;
/** A batch that takes longer, or fails, halves the next: past 10 s PostgreSQL would roll it back, again and again. */
const slowBatchMs = 3_000;

type Row = Omit<EngineMessage, 'entityRef'> & {
  readonly id: string;
  readonly entity_ref: string | null;
  readonly send_at: Date | null;
  readonly timer: string | null;
  readonly trace_parent: string | null;
};

/** A refused row is sent again after 1, 2, 4 … seconds, at most this many, so that it does not block later rows. */
const refusalDelaySecondsMax = 60;
/** A row that the engine did not answer in time: one partition of the engine may be without a leader for a while. */
const timeoutDelaySeconds = 5;

/** Each call moves a batch and returns how many rows were sent. Throws if the engine could not be reached at all. */
export function createOutboxRelay(
  db: Database,
  ingress: Ingress,
  clock: Clock,
): () => Promise<number> {
  let batchSize = batchMax;
  return async () => {
    const begun = performance.now();
    let isFast = false;
    try {
      const sent = await relayBatch(db, ingress, clock, batchSize);
      isFast = performance.now() - begun < slowBatchMs;
      return sent;
    } finally {
      batchSize = isFast ? Math.min(batchSize * 2, batchMax) : Math.max(batchSize / 2, batchMin);
    }
  };
}

function relayBatch(
  db: Database,
  ingress: Ingress,
  clock: Clock,
  batchSize: number,
): Promise<number> {
  return db.transactWithoutTenant(async (tx) => {
    const now = clock.now();
    const rows = await tx.query<Row>(sql`
      select id, service, key, handler, entity_ref, send_at, timer, trace_parent
        from outbox
       where not_before is null or not_before <= ${now}
       order by id limit ${batchSize} for update skip locked
    `);
    const results = await Promise.allSettled(rows.map((row) => sendRow(ingress, row, now)));
    const idsWhere = (matches: (result: PromiseSettledResult<unknown> | undefined) => boolean) =>
      rows.filter((_, i) => matches(results[i])).map(({ id }) => id);
    const idsFailedWith = (Failure: typeof EngineRefusal | typeof EngineTimeout) =>
      idsWhere((result) => result?.status === 'rejected' && result.reason instanceof Failure);
    const sent = idsWhere((result) => result?.status === 'fulfilled');
    const refused = idsFailedWith(EngineRefusal);
    const unanswered = idsFailedWith(EngineTimeout);
    const failure = results.find((result) => result.status === 'rejected');
    if (sent.length + refused.length + unanswered.length === 0 && failure !== undefined) {
      throw failure.reason;
    }
    if (sent.length > 0) await tx.query(sql`delete from outbox where id = any(${sent})`);
    if (refused.length > 0) await rescheduleRefused(tx, refused, now);
    if (unanswered.length > 0) await rescheduleUnanswered(tx, unanswered, now);
    return sent.length;
  });
}

function sendRow(ingress: Ingress, row: Row, now: Date): Promise<unknown> {
  const { id, entity_ref, send_at, timer, trace_parent, ...rest } = row;
  const message = { ...rest, entityRef: entity_ref ?? undefined };
  const delayMs = send_at === null ? 0 : Math.max(0, send_at.getTime() - now.getTime());
  return ingress.send(id, message, {
    delayMs,
    timer: timer ?? undefined,
    traceParent: trace_parent ?? undefined,
  });
}

async function rescheduleRefused(tx: Db, ids: readonly string[], now: Date): Promise<void> {
  await tx.query(sql`
    update outbox
       set refusals = refusals + 1,
           not_before = ${now}::timestamptz
             + make_interval(secs => least(power(2, least(refusals, 10)), ${refusalDelaySecondsMax}))
     where id = any(${ids})
  `);
}

async function rescheduleUnanswered(tx: Db, ids: readonly string[], now: Date): Promise<void> {
  await tx.query(sql`
    update outbox
       set not_before = ${now}::timestamptz + make_interval(secs => ${timeoutDelaySeconds})
     where id = any(${ids})
  `);
}
