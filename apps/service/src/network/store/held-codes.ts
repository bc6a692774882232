import { type ReleaseId, toUuid } from '../../kernel/ids.ts';
import { everyTerritory, setOfPacked, type TerritorySet } from '../../kernel/territory-set.ts';
import type { Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql.ts';

/** Other organizations have releases with this ISRC or product code live at the store, where this one has none. */
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
  const rows = await tx.query<HolderRow>(sql`
    select store_id, code, territories, is_own
      from holders_of_codes(${toUuid(releaseId)}, ${storeIds}::text[], ${codes}::text[])
  `);
  return [...Map.groupBy(rows, ({ store_id, code }) => `${store_id} ${code}`).values()]
    .map((holders): HeldCode => {
      const { store_id: storeId = '', code = '' } = holders[0] ?? {};
      const others = territoriesOf(holders.filter(({ is_own }) => !is_own));
      const own = territoriesOf(holders.filter(({ is_own }) => is_own));
      return { storeId, code, territories: others & ~own };
    })
    .filter(({ territories }) => territories !== 0n);
}

type HolderRow = {
  readonly store_id: string;
  readonly code: string;
  readonly territories: Buffer | null;
  readonly is_own: boolean;
};

const territoriesOf = (holders: readonly HolderRow[]): TerritorySet =>
  holders.reduce(
    (all, { territories }) =>
      all | (territories === null ? everyTerritory : setOfPacked(territories)),
    0n,
  );
