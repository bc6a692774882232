import type { Tx } from './database.ts';
import { sql } from './sql.ts';

/**
 * From here on, statements of this transaction are planned once for each connection. PostgreSQL would plan some of them at
 * each execution, because it takes a plan for the very values to be cheaper than one for any. Only for statements that
 * find their rows by a key, whatever the values.
 */
export const planOnce = (tx: Tx): void =>
  tx.write(sql`set local plan_cache_mode = force_generic_plan`);
