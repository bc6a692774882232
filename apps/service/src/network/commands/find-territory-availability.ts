import { findOrganization, isLicensedFor } from '../../identity/face.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type TerritoryAvailability, territoriesIn } from '../domain/territories.ts';
import { findUnsupported } from '../store/stores.ts';

const availableEverywhere: TerritoryAvailability = {
  isSupported: () => true,
  isLicensed: () => true,
};

/** Which of these codes the network supports and the organization is licensed for. */
export async function findTerritoryAvailability(
  tx: Tx,
  requested: readonly string[],
): Promise<TerritoryAvailability> {
  const codes = territoriesIn(requested);
  // `WORLD` alone means all available territories: there is nothing to check.
  if (codes.length === 0) return availableEverywhere;
  const [organization, unsupported] = await Promise.all([
    findOrganization(tx, tx.orgId),
    findUnsupported(tx, codes),
  ]);
  const licensed: readonly TerritoryCode[] = organization?.licensedTerritories ?? [];
  return {
    isSupported: (code) => !unsupported.has(code),
    isLicensed: (code) => isLicensedFor(licensed, code),
  };
}
