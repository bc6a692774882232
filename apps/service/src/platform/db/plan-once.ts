import type { Tx } from './database.ts';
import { sql } from './sql.ts';

/**
 * From here on, PostgreSQL plans each statement of this transaction once for each connection, and not again for other
 * parameters. Only for statements whose conditions have one index that is right for all parameters.
 */
export const planOnce = (tx: Tx): void =>
  tx.write(sql`set local plan_cache_mode = force_generic_plan`);
