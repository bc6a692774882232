import { toUuid } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

/** A code has one owner: the primary key of `isrc_owners` refuses a second. An organization may have several codes. */
export function insertRegistrant(tx: Tx, registrant: string): void {
  tx.write(sql`
    insert into isrc_owners (registrant, org_id) values (${registrant}, ${toUuid(tx.orgId)})
  `);
  tx.write(sql`
    insert into isrc_registrants (org_id, registrant) values (${toUuid(tx.orgId)}, ${registrant})
  `);
}

export async function hasIsrcRegistrant(tx: Tx): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from isrc_registrants where org_id = ${toUuid(tx.orgId)} limit 1
  `);
  return rows.length > 0;
}
