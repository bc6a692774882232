/**
 * Moves committed outbox rows to the engine (architecture §1). Rows are taken with `skip locked`, so
 * that any number of relays may run, sent with their id as idempotency key, and deleted once
 * acknowledged. A crash between the two sends them again, and the engine knows the key.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Ingress } from './ingress.ts';
import type { Message } from './outbox.ts';

const batchMax = 200;

type Row = Message & {
  readonly id: string;
  readonly send_at: Date | null;
  readonly trace_parent: string | null;
};

/** How many were handed over. Throws when none of a batch could be: the engine is away. */
export async function handOverRound(db: Database, ingress: Ingress, clock: Clock): Promise<number> {
  return db.transactOutside(async (tx) => {
    const rows = await tx.query<Row>(sql`
      select id, service, key, handler, send_at, trace_parent
        from outbox order by id limit ${batchMax} for update skip locked
    `);
    const results = await Promise.allSettled(
      rows.map(({ id, send_at, trace_parent, ...message }) => {
        const delayMs = send_at === null ? 0 : send_at.getTime() - clock.now().getTime();
        return ingress.send(id, message, Math.max(0, delayMs), trace_parent ?? undefined);
      }),
    );
    const sent = rows.filter((_, i) => results[i]?.status === 'fulfilled').map(({ id }) => id);
    const failed = results.find((result) => result.status === 'rejected');
    if (sent.length === 0 && failed !== undefined) throw failed.reason;
    if (sent.length > 0) await tx.query(sql`delete from outbox where id = any(${sent})`);
    return sent.length;
  });
}
