/** How far an organization's events are sequenced, and how far they became webhook deliveries. */

import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import { claimStaleRows } from '../../platform/engine/recheck.ts';

export type FanoutCursor = { readonly sequencedUpto: number; readonly fannedOutUpto: number };

/** Inserted with the first webhook. It starts at the newest event: earlier events become no webhook deliveries. */
export function insertFanoutCursor(tx: Tx): void {
  tx.write(sql`
    insert into fanout_cursors (org_id, sequenced_upto, fanned_out_upto)
    select ${toUuid(tx.orgId)}, newest, newest
      from (select coalesce(max(sequence), 0) as newest from events where org_id = ${toUuid(tx.orgId)}) events
    on conflict (org_id) do nothing
  `);
}

/** Not locked: the sequencer must not wait for a fan-out. */
export async function findFanoutCursor(tx: Tx): Promise<FanoutCursor | undefined> {
  const [row] = await tx.query<{ sequenced_upto: string; fanned_out_upto: string }>(
    sql`select sequenced_upto, fanned_out_upto from fanout_cursors where org_id = ${toUuid(tx.orgId)}`,
  );
  return (
    row && { sequencedUpto: Number(row.sequenced_upto), fannedOutUpto: Number(row.fanned_out_upto) }
  );
}

/** Returns whether there are more: the sequencer enqueues no message while a fan-out is behind. */
export async function advanceFanoutCursor(tx: Tx, fannedOutUpto: number): Promise<boolean> {
  const [row] = await tx.query<{ is_behind: boolean }>(sql`
    update fanout_cursors
       set fanned_out_upto = greatest(fanned_out_upto, ${fannedOutUpto}),
           recheck_at = case when sequenced_upto > greatest(fanned_out_upto, ${fannedOutUpto}) then ${tx.realNow}::timestamptz end,
           recheck_count = 0
     where org_id = ${toUuid(tx.orgId)}
    returning sequenced_upto > fanned_out_upto as is_behind
  `);
  return row?.is_behind ?? false;
}

/** Organizations whose events were not fanned out for 30 s: the engine may have lost its disk. */
export async function claimStaleFanoutCursors(db: Db, now: Date): Promise<OrgId[]> {
  const rows = await claimStaleRows<{ readonly org_id: string }>(db, now, {
    table: sql`fanout_cursors`,
    key: sql`org_id`,
    returning: sql`org_id`,
    staleAfterMs: 30_000,
    delayMs: 30_000,
    backoff: { doublingsMax: 5, countMax: 5 },
    batchMax: 500,
  });
  return rows.map(({ org_id }) => toWire('org', org_id));
}
