import { type OrgId, toUuid } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allOf, json, type Sql, sql } from '../../platform/db/sql.ts';
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
export async function listTimelineEntries(
  db: Db,
  orgId: OrgId,
  id: DeliveryId,
  storeId: string | undefined,
  { limit, after }: PageRequest,
): Promise<Page<StoredTimelineEntry>> {
  const where: [Sql, ...Sql[]] = [
    sql`org_id = ${toUuid(orgId)}`,
    sql`delivery_id = ${toUuid(id)}`,
    sql`id > uuid7_floor(uuid_extract_timestamp(${toUuid(id)}::uuid) - interval '1 day')`,
  ];
  if (storeId !== undefined) where.push(sql`(store_id = ${storeId} or store_id is null)`);
  if (after !== undefined) where.push(sql`id < ${after.id}::uuid`);
  const rows = await db.query<{
    id: string;
    type: TimelineEntry['type'];
    store_id: string | null;
    data: Record<string, unknown>;
    created_at: Date;
  }>(sql`
    select id, type, store_id, data, created_at from delivery_timeline
     where ${allOf(where)}
     order by id desc
     limit ${limit + 1}
  `);
  return toPage(rows, limit, {
    item: (row) => ({
      type: row.type,
      storeId: row.store_id,
      data: row.data,
      createdAt: row.created_at,
    }),
    position: (row) => ({ at: '', id: row.id }),
  });
}
