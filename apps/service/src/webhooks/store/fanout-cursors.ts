/** How far an organization's events are sequenced, and how far they became webhook deliveries. */

import { toUuid } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

/** Inserted with the first webhook. It starts at the newest event: earlier events become no webhook deliveries. */
export function insertFanoutCursor(tx: Tx): void {
  tx.write(sql`
    insert into fanout_cursors (org_id, sequenced_upto, fanned_out_upto)
    select ${toUuid(tx.orgId)}, newest, newest
      from (select coalesce(max(sequence), 0) as newest from events where org_id = ${toUuid(tx.orgId)}) events
    on conflict (org_id) do nothing
  `);
}
