/**
 * Partitions are made and dropped by the database's clock (ADR 0014): a worker passes no time. Each table has its own
 * statement: it locks that table ACCESS EXCLUSIVE, and two such locks are never held together.
 */

import type { Db } from './database.ts';
import { removeInBatches } from './remove-in-batches.ts';
import { sql } from './sql.ts';

const rowsPerBatch = 5_000;

export async function maintainPartitions(db: Db): Promise<void> {
  const tables = await db.query<{ name: string }>(
    sql`select name from partitioned_tables order by name`,
  );
  for (const { name } of tables) {
    await db.query(sql`select ensure_partitions_of(${name})`);
    await db.query(sql`select drop_expired_partitions_of(${name})`);
    await removeInBatches(rowsPerBatch, async (limit) => {
      const [row] = await db.query<{ removed: number }>(
        sql`select remove_expired_defaults_of(${name}, ${limit}) as removed`,
      );
      return row?.removed ?? 0;
    });
  }
}

/** Days until some table has no partition for new rows, which then go to its default partition. */
export async function readPartitionDaysAhead(db: Db): Promise<number> {
  const [row] = await db.query<{ days: number }>(sql`select partitions_ahead_days() as days`);
  return row?.days ?? 0;
}
