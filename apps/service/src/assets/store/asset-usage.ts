/** The quotas that the assets of an organization use. Only triggers on `assets` write these counts. */

import { toUuid } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

export type AssetUsage = {
  readonly openUploads: number;
  readonly filesInExamination: number;
  /** Declared bytes of assets that have not failed. */
  readonly storedBytes: number;
};

export async function findAssetUsage(tx: Tx): Promise<AssetUsage> {
  const [row] = await tx.query<{
    open_uploads: number;
    files_in_examination: number;
    stored_bytes: number;
  }>(sql`
    select open_uploads, files_in_examination, stored_bytes::float8
      from asset_usage where org_id = ${toUuid(tx.orgId)}
  `);
  return {
    openUploads: row?.open_uploads ?? 0,
    filesInExamination: row?.files_in_examination ?? 0,
    storedBytes: row?.stored_bytes ?? 0,
  };
}

/**
 * Call it after the write that it checks. `findAssetUsage` takes no lock, so two transactions can both find room. The
 * trigger's update of the `asset_usage` row puts them in order, and here the second one fails with a conflict (SQLSTATE
 * 40001); it runs again and finds the quota used up. So the row is locked only during the commit, not for a round trip
 * of the api.
 */
export function enforceAssetQuotas(tx: Tx, limits: Partial<AssetUsage>): void {
  tx.write(sql`
    select enforce_asset_quotas(${limits.openUploads ?? null}, ${limits.filesInExamination ?? null}, ${limits.storedBytes ?? null})
  `);
}
