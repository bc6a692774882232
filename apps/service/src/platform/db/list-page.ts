/** A page of a list of one organization, newest first (contract §1). The one place that writes such a statement. */

import { type OrgId, toUuid } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import type { Row } from './columns.ts';
import type { Db } from './database.ts';
import { allOf, listLimit, type Sql, sql } from './sql.ts';

type List<Item> = {
  readonly orgId: OrgId;
  /** A table with `org_id` and `id`, perhaps with an alias. */
  readonly from: Sql;
  /** They include `id`. */
  readonly columns: Sql;
  /** Conditions of every request. */
  readonly always?: readonly Sql[];
  /** Conditions of this request; undefined: it does not have this one. */
  readonly filters?: readonly (Sql | undefined)[];
  /** `created_at` with `id`, or `id` alone, which is a UUIDv7. By default `created_at`. */
  readonly by?: 'created_at' | 'id';
  readonly read: (row: never) => Item;
};

/** A condition, if the request has this filter. */
export const given = <Value>(
  value: Value | undefined,
  condition: (value: Value) => Sql,
): Sql | undefined => (value === undefined ? undefined : condition(value));

type ListedRow = Row & { readonly id: string; readonly position: string };

const orders = {
  created_at: {
    // Text with all of its microseconds.
    position: sql`created_at::text`,
    by: sql`created_at desc, id desc`,
    after: ({ at, id }: { at: string; id: string }) =>
      sql`(created_at, id) < (${at}::timestamptz, ${id}::uuid)`,
  },
  id: {
    position: sql`''`,
    by: sql`id desc`,
    after: ({ id }: { id: string }) => sql`id < ${id}::uuid`,
  },
};

export async function listPage<Item>(
  db: Db,
  { orgId, from, columns, always = [], filters = [], by = 'created_at', read }: List<Item>,
  { limit, after }: PageRequest,
): Promise<Page<Item>> {
  const order = orders[by];
  const sent = filters.filter((filter) => filter !== undefined);
  const where: [Sql, ...Sql[]] = [sql`org_id = ${toUuid(orgId)}`, ...always, ...sent];
  if (after !== undefined) where.push(order.after(after));
  const rows = await db.query<ListedRow>(sql`
    select ${columns}, ${order.position} as position from ${from}
     where ${allOf(where)}
     order by ${order.by}
     ${listLimit(limit + 1, sent.length > 0)}
  `);
  return toPage(rows, limit, {
    item: (row) => read(row as never),
    position: ({ position, id }) => ({ at: position, id }),
  });
}
