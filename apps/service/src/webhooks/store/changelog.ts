import type { CalendarDate } from '../../kernel/calendar-date.ts';
import { toUuid } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

/** Returns false if the entry was announced to this organization before. */
export async function recordAnnouncement(tx: Tx, entry: CalendarDate): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into changelog_announcements (org_id, entry, announced_at)
    values (${toUuid(tx.orgId)}, ${entry}, ${tx.realNow})
    on conflict do nothing
    returning entry
  `);
  return rows.length > 0;
}
