import { type OrgId, toUuid } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { given, listPage } from '../../platform/db/list-page.ts';
import { json, sql } from '../../platform/db/sql.ts';
import type { DeliveryId } from '../domain/delivery.ts';
import type { TimelineEntry } from '../domain/timeline.ts';

export type StoredTimelineEntry = {
  readonly type: TimelineEntry['type'];
  readonly storeId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
};

export function appendTimelineEntries(
  tx: Tx,
  id: DeliveryId,
  entries: readonly TimelineEntry[],
): void {
  const records = entries.map(({ type, storeId, data }) => ({
    id: toUuid(tx.newId('tle')),
    store_id: storeId,
    type,
    data,
  }));
  tx.write(sql`
    insert into delivery_timeline (org_id, id, delivery_id, store_id, type, data, created_at)
    select ${toUuid(tx.orgId)}, entry.id, ${toUuid(id)}, entry.store_id, entry.type, entry.data, ${tx.now}
      from json_to_recordset(${json(records)}) as entry (id uuid, store_id text, type text, data jsonb)
  `);
}

/**
 * Newest first. Entries are younger than their delivery, with a day of tolerance for different clocks: the query skips
 * older partitions.
 */
export function listTimelineEntries(
  db: Db,
  orgId: OrgId,
  id: DeliveryId,
  storeId: string | undefined,
  page: PageRequest,
): Promise<Page<StoredTimelineEntry>> {
  return listPage(
    db,
    {
      orgId,
      from: sql`delivery_timeline`,
      columns: sql`id, type, store_id, data, created_at`,
      always: [
        sql`delivery_id = ${toUuid(id)}`,
        sql`id > uuid7_floor(uuid_extract_timestamp(${toUuid(id)}::uuid) - interval '1 day')`,
      ],
      filters: [given(storeId, (value) => sql`(store_id = ${value} or store_id is null)`)],
      by: 'id',
      read: toStoredEntry,
    },
    page,
  );
}

type EntryRow = {
  readonly type: TimelineEntry['type'];
  readonly store_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
};

const toStoredEntry = ({ type, store_id, data, created_at }: EntryRow): StoredTimelineEntry => ({
  type,
  storeId: store_id,
  data,
  createdAt: created_at,
});
