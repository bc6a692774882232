import type { TerritoryCode } from '../../kernel/territory.ts';
import { findOrganization, isLicensedFor } from '../../identity/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Reach, territoriesIn } from '../domain/territories.ts';
import { findUnsupported } from '../store/stores.ts';

const everywhere: Reach = { isSupported: () => true, isLicensed: () => true };

/** What the network supports and the account is licensed for, as far as these codes go. */
export async function findReach(tx: Tx, given: readonly string[]): Promise<Reach> {
  const codes = territoriesIn(given);
  // `WORLD` means whatever there is: nothing to ask.
  if (codes.length === 0) return everywhere;
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
