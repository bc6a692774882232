import { type Id, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';
import { neverReset, type Reset, type ResetStatus } from '../domain/reset.ts';

type Row = {
  readonly status: ResetStatus;
  readonly wants_seed: boolean;
  readonly is_seeded: boolean;
  readonly problem: string | null;
  readonly started_at: Date;
  readonly finished_at: Date | null;
};

const columns = sql`status, wants_seed, is_seeded, problem, started_at, finished_at`;

const toReset = (row: Row): Reset => ({
  status: row.status,
  wantsSeed: row.wants_seed,
  isSeeded: row.is_seeded,
  problem: row.problem,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
});

export async function findReset(db: Db, orgId: OrgId): Promise<Reset> {
  const [row] = await db.query<Row>(
    sql`select ${columns} from sandbox_resets where org_id = ${toUuid(orgId)}`,
  );
  return row === undefined ? neverReset : toReset(row);
}

/** Undefined where one is running: of two who ask at once, the second waits, and finds the first's. */
export async function startReset(tx: Tx, wantsSeed: boolean): Promise<Reset | undefined> {
  const [row] = await tx.query<Row>(sql`
    insert into sandbox_resets as reset (org_id, ${columns}, actor_type, actor_id)
    values (${toUuid(tx.orgId)}, 'running', ${wantsSeed}, false, null, ${tx.realNow}, null,
            ${tx.actor.type}, ${tx.actor.id})
    on conflict (org_id) do update
       set status = 'running', wants_seed = excluded.wants_seed, is_seeded = false, problem = null,
           started_at = excluded.started_at, finished_at = null,
           actor_type = excluded.actor_type, actor_id = excluded.actor_id
     where reset.status <> 'running'
    returning ${columns}
  `);
  return row && toReset(row);
}

/** The one that began then: said twice, it must not end another. */
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

/** Of the organization's catalogue, so many rows at most. */
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
