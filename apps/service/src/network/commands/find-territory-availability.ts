import { findOrganization, isLicensedFor } from '../../identity/face.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type TerritoryAvailability, territoriesIn } from '../domain/territories.ts';
import { findUnsupported } from '../store/stores.ts';

const availableEverywhere: TerritoryAvailability = {
  isSupported: () => true,
  isLicensed: () => true,
};

/** What the network supports and the account is licensed for, as far as these codes go. */
export async function findTerritoryAvailability(
  tx: Tx,
  given: readonly string[],
): Promise<TerritoryAvailability> {
  const codes = territoriesIn(given);
  // `WORLD` means whatever there is: nothing to ask.
  if (codes.length === 0) return availableEverywhere;
  const [account, unsupported] = await Promise.all([
    findOrganization(tx, tx.orgId),
    findUnsupported(tx, codes),
  ]);
  const licensed: readonly TerritoryCode[] = account?.licensedTerritories ?? [];
  return {
    isSupported: (code) => !unsupported.has(code),
    isLicensed: (code) => isLicensedFor(licensed, code),
  };
}
