/**
 * Moves committed outbox rows to the engine (architecture §1). A relay locks a batch with `skip locked`, so that any
 * number of relays may run, sends each row with its id as idempotency key, and deletes the acknowledged rows. After a
 * crash between the two, the rows are sent again, and the engine recognizes the key.
 */

import type { Clock } from '../../kernel/clock.ts';
import type { Database, Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { EngineRefusal, type Ingress } from './ingress.ts';
import type { EngineMessage } from './outbox.ts';

/** Twice the connections of the ingress: all are answered or time out within the 10 s that a transaction may be idle. */
const batchMax = 128;

type Row = Omit<EngineMessage, 'entityRef'> & {
  readonly id: string;
  readonly entity_ref: string | null;
  readonly send_at: Date | null;
  readonly timer: string | null;
  readonly trace_parent: string | null;
};

/** A refused row is sent again after 1, 2, 4 … seconds, at most this many, so that it does not block later rows. */
const refusalDelaySecondsMax = 60;

/** Returns how many rows were sent. Throws if the engine could not be reached at all. */
export async function relayOutboxBatch(
  db: Database,
  ingress: Ingress,
  clock: Clock,
): Promise<number> {
  return db.transactWithoutTenant(async (tx) => {
    const now = clock.now();
    const rows = await tx.query<Row>(sql`
      select id, service, key, handler, entity_ref, send_at, timer, trace_parent
        from outbox
       where not_before is null or not_before <= ${now}
       order by id limit ${batchMax} for update skip locked
    `);
    const results = await Promise.allSettled(rows.map((row) => sendRow(ingress, row, now)));
    const idsWhere = (matches: (result: PromiseSettledResult<unknown> | undefined) => boolean) =>
      rows.filter((_, i) => matches(results[i])).map(({ id }) => id);
    const sent = idsWhere((result) => result?.status === 'fulfilled');
    const refused = idsWhere(
      (result) => result?.status === 'rejected' && result.reason instanceof EngineRefusal,
    );
    const failure = results.find((result) => result.status === 'rejected');
    if (sent.length + refused.length === 0 && failure !== undefined) throw failure.reason;
    if (sent.length > 0) await tx.query(sql`delete from outbox where id = any(${sent})`);
    if (refused.length > 0) await rescheduleRefused(tx, refused, now);
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
