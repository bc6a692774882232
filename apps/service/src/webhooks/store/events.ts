import { type Id, type OrgId, toUuid, toWire } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { Db } from '../../platform/db/database.ts';
import { allOf, type Sql, sql } from '../../platform/db/sql.ts';

export type StoredEvent = {
  readonly id: Id<'evt'>;
  readonly type: string;
  readonly sequence: number;
  readonly createdAt: Date;
  readonly data: unknown;
};

export type EventFilters = {
  readonly type?: string | undefined;
  /** Only events after this sequence, oldest first: how a consumer catches up. */
  readonly after?: number | undefined;
};

type Row = {
  readonly id: string;
  readonly type: string;
  readonly sequence: string;
  readonly created_at: Date;
  readonly data: unknown;
};

/** Sequenced events only: one that commits late gets a late number, so nobody reads past it. */
export async function listEvents(
  db: Db,
  orgId: OrgId,
  { type, after }: EventFilters,
  page: PageRequest,
): Promise<Page<StoredEvent>> {
  const isAscending = after !== undefined;
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`, sql`sequence is not null`];
  if (type !== undefined) where.push(sql`type = ${type}`);
  if (after !== undefined) where.push(sql`sequence > ${after}`);
  if (page.after !== undefined) {
    where.push(isAscending ? sql`sequence > ${page.after.id}` : sql`sequence < ${page.after.id}`);
  }
  const rows = await db.query<Row>(sql`
    select id, type, sequence, created_at, data
      from events
     where ${allOf(where)}
     order by sequence ${isAscending ? sql`asc` : sql`desc`}
     limit ${page.limit + 1}
  `);
  return toPage(rows, page.limit, {
    item: (row) => ({
      id: toWire('evt', row.id),
      type: row.type,
      sequence: Number(row.sequence),
      createdAt: row.created_at,
      data: row.data,
    }),
    position: ({ sequence }) => ({ at: '', id: sequence }),
  });
}
