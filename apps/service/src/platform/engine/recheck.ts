/**
 * Re-checks: how work survives an engine that lost it. A row with work for the engine has a `recheck_at`, the real time
 * by which its handler should have run. The handler clears it (or deletes or settles the row). A row whose `recheck_at`
 * has passed is stale: the engine lost its disk, or the handler failed until it was given up or killed. The reconciler
 * of the worker claims a batch of stale rows here and enqueues their messages again.
 *
 * Claiming moves `recheck_at`, so that other workers and later rounds leave the row alone until the next delay has
 * passed. A handler that failed may fail for long, so each delay can be twice the one before (`recheck_count`).
 */

import { addMs } from '../../kernel/duration.ts';
import type { Db } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';

export type RecheckedRows = {
  readonly table: Sql;
  readonly key: Sql;
  /** Which rows have work for the engine. Omitted: those whose `recheck_at` is not null. */
  readonly where?: Sql;
  /** A row is stale once its `recheck_at` is this long ago. */
  readonly staleAfterMs: number;
  readonly batchMax: number;
};

export type RecheckPolicy = RecheckedRows & {
  readonly returning: Sql;
  /** From a claim until the row is stale again, before any doubling. */
  readonly delayMs: number;
  /** Omitted: the table has no `recheck_count`, and every delay is `delayMs`. */
  readonly backoff?: Backoff;
};

type Backoff = {
  readonly doublingsMax: number;
  /** Where `recheck_count` stops, for a smallint. Omitted: it counts every claim. */
  readonly countMax?: number;
};

/** Claims the rows that have been stale for longest, up to `batchMax`. Rows locked by others are skipped. */
export function claimStaleRows<Row>(db: Db, now: Date, policy: RecheckPolicy): Promise<Row[]> {
  const staleBefore = addMs(now, -policy.staleAfterMs);
  return db.query<Row>(sql`
    update ${policy.table}
       set ${nextRecheck(now, policy)}
     where ${isInBatch(policy, sql`recheck_at < ${staleBefore}`)}
    returning ${policy.returning}
  `);
}

/**
 * Makes rows stale at once that would be stale within `staleAfterMs`, up to `batchMax`: for rows whose handler is known
 * to have ended early. The next round of the reconciler claims them.
 */
export async function makeRowsStale(db: Db, now: Date, rows: RecheckedRows): Promise<void> {
  const stale = addMs(now, -rows.staleAfterMs - 1);
  await db.query(sql`
    update ${rows.table} set recheck_at = ${stale}
     where ${isInBatch(rows, sql`recheck_at between ${stale} and ${now}`)}
  `);
}

const isInBatch = ({ table, key, where = sql`true`, batchMax }: RecheckedRows, range: Sql): Sql =>
  sql`(${key}) in (select ${key} from ${table}
                    where ${where} and ${range}
                    order by recheck_at limit ${batchMax} for update skip locked)`;

function nextRecheck(now: Date, { delayMs, staleAfterMs, backoff }: RecheckPolicy): Sql {
  if (backoff === undefined) return sql`recheck_at = ${addMs(now, delayMs - staleAfterMs)}`;
  const { doublingsMax, countMax } = backoff;
  const count =
    countMax === undefined ? sql`recheck_count + 1` : sql`least(recheck_count + 1, ${countMax})`;
  return sql`recheck_count = ${count},
           recheck_at = ${addMs(now, -staleAfterMs)}::timestamptz
             + make_interval(secs => ${delayMs / 1_000} * power(2, least(recheck_count, ${doublingsMax})))`;
}
