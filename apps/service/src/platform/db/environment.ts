import type { Db } from './database.ts';
import { sql } from './sql.ts';

const undefinedTable = '42P01';

/** The environment for which the database was migrated; undefined if it was not migrated yet. */
export async function readEnvironment(db: Db): Promise<string | undefined> {
  try {
    const [row] = await db.query<{ name: string }>(sql`select name from environment`);
    return row?.name;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === undefinedTable)
      return undefined;
    throw error;
  }
}
