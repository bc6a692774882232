import { toUuid } from '../../kernel/ids.ts';
import type { Isrc } from '../../kernel/isrc.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

/**
 * Reserves the named codes, and allocates `count` codes of the organization's registrants that no track has or had; fewer
 * when they are used up.
 */
export async function allocateIsrcs(
  tx: Tx,
  count: number,
  named: readonly Isrc[],
): Promise<readonly Isrc[]> {
  if (count + named.length === 0) return [];
  const year = tx.now.getUTCFullYear() % 100;
  const rows = await tx.query<{ isrc: string }>(
    sql`select allocate_isrcs(${toUuid(tx.orgId)}, ${year}, ${count}, ${named}) as isrc`,
  );
  return rows.map(({ isrc }) => isrc);
}
