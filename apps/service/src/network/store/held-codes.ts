import { type ReleaseId, toUuid } from '../../kernel/ids.ts';
import {
  everyTerritory,
  type TerritorySet,
  toTerritorySet,
  unpackTerritories,
} from '../../kernel/territory-set.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

/** Another organization has a release with this ISRC or product code live at the store. */
export type HeldCode = {
  readonly storeId: string;
  readonly code: string;
  readonly territories: TerritorySet;
};

/** Without the codes that an operator has granted to the release. Codes as in the directory of what stores have. */
export async function findCodesHeldElsewhere(
  tx: Tx,
  releaseId: ReleaseId,
  storeIds: readonly string[],
  codes: readonly string[],
): Promise<readonly HeldCode[]> {
  const rows = await tx.query<{ store_id: string; code: string; territories: Buffer | null }>(sql`
    select store_id, code, territories
      from codes_held_elsewhere(${toUuid(releaseId)}, ${storeIds}::text[], ${codes}::text[])
  `);
  return rows.map(({ store_id, code, territories }) => ({
    storeId: store_id,
    code,
    territories:
      territories === null ? everyTerritory : toTerritorySet(unpackTerritories(territories)),
  }));
}
