import { type Id, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import {
  actorColumns,
  defineColumns,
  insertInto,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import { neverReset, type Reset } from '../domain/reset.ts';

const resets = defineColumns<Reset>({
  status: plain(),
  wantsSeed: plain(),
  wantsRoyalties: plain(),
  isSeeded: plain(),
  problem: plain(),
  startedAt: plain(),
  finishedAt: plain(),
});

export async function findReset(db: Db, orgId: OrgId): Promise<Reset> {
  const [row] = await db.query<Row>(
    sql`select ${resets.names} from sandbox_resets where org_id = ${toUuid(orgId)}`,
  );
  return row === undefined ? neverReset : resets.read(row);
}

export type ResetWishes = Pick<Reset, 'wantsSeed' | 'wantsRoyalties'>;

/** Undefined while a reset runs. Of two concurrent requests, the second waits for the row and finds the first's. */
export async function startReset(tx: Tx, wishes: ResetWishes): Promise<Reset | undefined> {
  const reset: Reset = { ...neverReset, status: 'running', ...wishes, startedAt: tx.realNow };
  const inserted = {
    org_id: toUuid(tx.orgId),
    ...resets.write(reset),
    ...actorColumns(tx),
  };
  const [row] = await tx.query<Row>(sql`
    ${insertInto('sandbox_resets as reset', inserted)}
    on conflict (org_id) do update
       set status = 'running', wants_seed = excluded.wants_seed, wants_royalties = excluded.wants_royalties,
           is_seeded = false, problem = null,
           started_at = excluded.started_at, finished_at = null,
           actor_type = excluded.actor_type, actor_id = excluded.actor_id
     where reset.status <> 'running'
    returning ${resets.names}
  `);
  return row && resets.read(row);
}

/** Ends the reset that started at `startedAt`: repeated, it must not end a later one. */
export function finishReset(
  tx: Tx,
  startedAt: Date,
  isSeeded: boolean,
  problem: string | null,
): void {
  tx.write(sql`
    update sandbox_resets
       set status = ${problem === null ? 'idle' : 'failed'}, is_seeded = ${isSeeded}, problem = ${problem},
           finished_at = ${tx.realNow}
     where org_id = ${toUuid(tx.orgId)} and status = 'running' and started_at = ${startedAt}
  `);
}

/** Removes at most `rowsMax` rows of the organization's catalogue. */
export async function removeRows(
  tx: Tx,
  rowsMax: number,
): Promise<{ readonly wasEmpty: boolean; readonly assetIds: readonly Id<'ast'>[] }> {
  const [row] = await tx.query<{ was_empty: boolean; removed_assets: string[] }>(
    sql`select was_empty, removed_assets from remove_catalogue(${rowsMax})`,
  );
  return {
    wasEmpty: row?.was_empty ?? false,
    assetIds: (row?.removed_assets ?? []).map((id) => toWire('ast', id)),
  };
}
