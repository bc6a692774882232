import { type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import {
  actorColumns,
  defineColumns,
  idColumn,
  jsonb,
  plain,
  type Row,
} from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { HoldReason, PayoutHold, PayoutId } from '../domain/payout.ts';

const holds = defineColumns<PayoutHold>({
  id: idColumn('phl'),
  reason: plain(),
  since: plain(),
  requirements: jsonb(),
  dueBy: plain(),
});

/** The open holds of each payout, the oldest first. */
export async function findOpenHolds(
  db: Db,
  orgId: OrgId,
  ids: readonly PayoutId[],
): Promise<ReadonlyMap<PayoutId, readonly PayoutHold[]>> {
  const rows = await db.query<Row & { payout_id: string }>(sql`
    select payout_id, ${holds.names} from payout_holds
     where org_id = ${toUuid(orgId)} and payout_id = any(${ids.map(toUuid)}::uuid[]) and resolution is null
     order by since, id
  `);
  const byUuid = Map.groupBy(rows, ({ payout_id }) => payout_id);
  return new Map(ids.map((id) => [id, (byUuid.get(toUuid(id)) ?? []).map(holds.read)]));
}

export type HoldOfPayout = { readonly payoutId: PayoutId; readonly hold: PayoutHold };

export function insertHolds(tx: Tx, opened: readonly HoldOfPayout[]): void {
  const rows = opened.map(({ payoutId, hold }) => ({
    org_id: toUuid(tx.orgId),
    payout_id: toUuid(payoutId),
    ...holds.toJson(hold),
    ...actorColumns(tx),
  }));
  tx.write(
    sql`insert into payout_holds select * from json_populate_recordset(null::payout_holds, ${json(rows)})`,
  );
}

/** Closes the open hold of this reason. */
export function resolveHold(
  tx: Tx,
  payoutId: PayoutId,
  reason: HoldReason,
  resolution: 'released' | 'rejected' | 'canceled',
): void {
  const { actor_type, actor_id } = actorColumns(tx);
  tx.write(sql`
    update payout_holds
       set resolution = ${resolution}, resolved_at = ${tx.now}, actor_type = ${actor_type}, actor_id = ${actor_id}
     where org_id = ${toUuid(tx.orgId)} and payout_id = ${toUuid(payoutId)}
       and reason = ${reason} and resolution is null
  `);
}

/** When a hold of this reason was released last; undefined if none was. */
export async function findLastRelease(
  tx: Tx,
  payoutId: PayoutId,
  reason: HoldReason,
): Promise<Date | undefined> {
  const [row] = await tx.query<{ resolved_at: Date }>(sql`
    select resolved_at from payout_holds
     where org_id = ${toUuid(tx.orgId)} and payout_id = ${toUuid(payoutId)}
       and reason = ${reason} and resolution = 'released'
     order by resolved_at desc limit 1
  `);
  return row?.resolved_at;
}

/**
 * The next payouts, by id, with an open hold of one of these reasons: at most `limit`, after `after`. The row of a hold
 * is found by the index of open holds.
 */
export async function findHeldPayouts(
  tx: Tx,
  reasons: readonly HoldReason[],
  after: PayoutId | null,
  limit: number,
): Promise<PayoutId[]> {
  const rows = await tx.query<{ payout_id: string }>(sql`
    select distinct payout_id from payout_holds
     where org_id = ${toUuid(tx.orgId)} and reason = any(${reasons}::text[]) and resolution is null
       and (${after && toUuid(after)}::uuid is null or payout_id > ${after && toUuid(after)}::uuid)
     order by payout_id limit ${limit}
  `);
  return rows.map(({ payout_id }) => toWire('pay', payout_id));
}
