import { toUuid } from '../../kernel/ids.ts';
import { insertInto, updateWhere } from '../../platform/db/columns.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

/** When the next month of the organization closes, business time; undefined: the clock closes none. */
export async function findClosing(tx: Tx): Promise<Date | undefined> {
  const [row] = await tx.query<{ closes_at: Date }>(
    sql`select closes_at from sandbox_closings where org_id = ${toUuid(tx.orgId)}`,
  );
  return row?.closes_at;
}

export const insertClosing = (tx: Tx, closesAt: Date): void =>
  tx.write(insertInto('sandbox_closings', { org_id: toUuid(tx.orgId), closes_at: closesAt }));

export const updateClosing = (tx: Tx, closesAt: Date): void =>
  tx.write(updateWhere('sandbox_closings', { closes_at: closesAt }, { org_id: toUuid(tx.orgId) }));
