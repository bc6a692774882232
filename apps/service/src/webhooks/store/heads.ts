/** How far an organization's events are numbered, and how far its webhooks were given their share. */
import type { Clock } from '../../kernel/clock.ts';
import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

export type Head = { readonly numbered: number; readonly fanned: number };

/** From its first webhook on; what was announced before is owed to nobody. */
export function openHead(tx: Tx): void {
  tx.write(sql`
    insert into webhook_heads (org_id, numbered, fanned)
    select ${toUuid(tx.orgId)}, newest, newest
      from (select coalesce(max(sequence), 0) as newest from events where org_id = ${toUuid(tx.orgId)}) events
    on conflict (org_id) do nothing
  `);
}

/** Not locked: the sequencer is never kept waiting while events are shared out. */
export async function findHead(tx: Tx): Promise<Head | undefined> {
  const [row] = await tx.query<{ numbered: string; fanned: string }>(
    sql`select numbered, fanned from webhook_heads where org_id = ${toUuid(tx.orgId)}`,
  );
  return row && { numbered: Number(row.numbered), fanned: Number(row.fanned) };
}

/** Whether there is more: meanwhile others may have been numbered, of which nobody was told. */
export async function moveHead(tx: Tx, fanned: number): Promise<boolean> {
  const [row] = await tx.query<{ is_behind: boolean }>(sql`
    update webhook_heads
       set fanned = greatest(fanned, ${fanned}),
           recheck_at = case when numbered > greatest(fanned, ${fanned}) then ${tx.realNow}::timestamptz end,
           recheck_count = 0
     where org_id = ${toUuid(tx.orgId)}
    returning numbered > fanned as is_behind
  `);
  return row?.is_behind ?? false;
}

const patienceMs = 30_000;
const doublingsMax = 5;
const doubtedMax = 500;

/** Organizations whose webhooks were not given their share for too long: the engine may have lost its disk. */
export async function findForgottenHeads(db: Db, clock: Clock): Promise<OrgId[]> {
  const now = clock.now();
  const rows = await db.query<{ org_id: string }>(sql`
    update webhook_heads
       set recheck_count = least(recheck_count + 1, ${doublingsMax}),
           recheck_at = ${now}::timestamptz + make_interval(secs => ${patienceMs / 1_000} * (power(2, recheck_count) - 1))
     where org_id in (select org_id from webhook_heads
                       where recheck_at < ${new Date(now.getTime() - patienceMs)}
                       order by recheck_at limit ${doubtedMax} for update skip locked)
    returning org_id
  `);
  return rows.map(({ org_id }) => toWire('org', org_id));
}
