/** The quotas that the artists and labels of an organization use. Only triggers on these tables write the counts. */

import { toUuid } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

export type CatalogUsage = { readonly artists: number; readonly labels: number };

export async function findCatalogUsage(tx: Tx): Promise<CatalogUsage> {
  const [row] = await tx.query<CatalogUsage>(sql`
    select artists, labels from catalog_usage where org_id = ${toUuid(tx.orgId)}
  `);
  return row ?? { artists: 0, labels: 0 };
}

/**
 * Call it after the write that it checks: of two transactions that both found room, the second one fails with a conflict
 * (SQLSTATE 40001), runs again and finds the quota used up.
 */
export function enforceCatalogQuotas(tx: Tx, limits: Partial<CatalogUsage>): void {
  tx.write(sql`select enforce_catalog_quotas(${limits.artists ?? null}, ${limits.labels ?? null})`);
}
