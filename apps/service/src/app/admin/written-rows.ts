/** What a dry run would write, counted by PostgreSQL: also what triggers write, and what the commands of slices write. */

import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

type WrittenRows = {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
};

/**
 * The counts may include earlier transactions of the connection, so only the difference of two counts of one transaction
 * belongs to it. The rows of a partition belong to its table.
 */
export const countWrittenRows = (tx: Tx): Promise<readonly WrittenRows[]> =>
  tx.query<WrittenRows>(sql`
    select coalesce(inhparent, relid)::regclass::text as table, sum(n_tup_ins)::int as inserted,
           sum(n_tup_upd)::int as updated, sum(n_tup_del)::int as deleted
      from pg_stat_xact_user_tables left join pg_inherits on inhrelid = relid
     group by 1 having sum(n_tup_ins + n_tup_upd + n_tup_del) > 0 order by 1
  `);

export const rowsSince = (
  before: readonly WrittenRows[],
  after: readonly WrittenRows[],
): readonly WrittenRows[] =>
  after
    .map(({ table, inserted, updated, deleted }) => {
      const earlier = before.find((each) => each.table === table);
      return {
        table,
        inserted: inserted - (earlier?.inserted ?? 0),
        updated: updated - (earlier?.updated ?? 0),
        deleted: deleted - (earlier?.deleted ?? 0),
      };
    })
    .filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0);

/** Those that are checked at the commit, which a dry run does not reach. */
export const checkConstraints = (tx: Tx): Promise<unknown> =>
  tx.query(sql`set constraints all immediate`);
