import type { FeatureName } from '../../kernel/deprecation.ts';
import { type OrgId, type RequestId, toUuid, toWire } from '../../kernel/ids.ts';
import { actorColumns, insertInto } from '../../platform/db/columns.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

export function recordUse(tx: Tx, feature: FeatureName, requestId: RequestId): void {
  const row = insertInto('deprecated_uses', {
    org_id: toUuid(tx.orgId),
    feature,
    ...actorColumns(tx),
    first_used_at: tx.realNow,
    last_used_at: tx.realNow,
    last_request_id: toUuid(requestId),
  });
  tx.write(sql`
    ${row}
    on conflict (org_id, feature, actor_type, actor_id) do update
      set last_used_at = excluded.last_used_at, last_request_id = excluded.last_request_id
      where deprecated_uses.last_used_at < excluded.last_used_at
  `);
}

export type RecordedUse = {
  readonly feature: string;
  readonly actor: { readonly type: string; readonly id: string };
  readonly firstUsedAt: Date;
  readonly lastUsedAt: Date;
  readonly lastRequestId: RequestId;
};

/** The latest first. */
export async function listUses(db: Db, orgId: OrgId, limit: number): Promise<RecordedUse[]> {
  const rows = await db.query<{
    feature: string;
    actor_type: string;
    actor_id: string;
    first_used_at: Date;
    last_used_at: Date;
    last_request_id: string;
  }>(sql`
    select feature, actor_type, actor_id, first_used_at, last_used_at, last_request_id
      from deprecated_uses
     where org_id = ${toUuid(orgId)}
     order by last_used_at desc
     limit ${limit}
  `);
  return rows.map((row) => ({
    feature: row.feature,
    actor: { type: row.actor_type, id: row.actor_id },
    firstUsedAt: row.first_used_at,
    lastUsedAt: row.last_used_at,
    lastRequestId: toWire('req', row.last_request_id),
  }));
}
