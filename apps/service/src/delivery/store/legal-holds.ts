import { type ReleaseId, toUuid } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

export type LegalHold = { readonly reason: string };

export async function findLegalHold(tx: Tx, releaseId: ReleaseId): Promise<LegalHold | undefined> {
  const [legalHold] = await tx.query<LegalHold>(sql`
    select reason from legal_holds where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)}
  `);
  return legalHold;
}

export function insertLegalHold(tx: Tx, releaseId: ReleaseId, reason: string): void {
  tx.write(sql`
    insert into legal_holds (org_id, release_id, reason, placed_at, actor_type, actor_id)
    values (${toUuid(tx.orgId)}, ${toUuid(releaseId)}, ${reason}, ${tx.now}, ${tx.actor.type}, ${tx.actor.id})
    on conflict do nothing
  `);
}

/** Whether the release had a legal hold. */
export async function deleteLegalHold(tx: Tx, releaseId: ReleaseId): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from legal_holds
     where org_id = ${toUuid(tx.orgId)} and release_id = ${toUuid(releaseId)}
    returning release_id
  `);
  return rows.length > 0;
}
