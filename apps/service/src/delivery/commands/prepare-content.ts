/** The content of a message: a snapshot of the release, and the territories where each store may sell it. */

import { ensureReleaseSnapshot, type Release, type Snapshot } from '../../catalog/face.ts';
import { findOrganization } from '../../identity/face.ts';
import { enforce, type Refusal } from '../../kernel/problem.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { createTerritoryResolver } from '../domain/resolve-territories.ts';

export type PreparedContent = {
  readonly snapshot: Snapshot;
  readonly territoriesByStore: ReadonlyMap<string, readonly TerritoryCode[]>;
};

/** The caller has locked the release. Refuses if a store has no territory. */
export async function prepareContent(
  tx: Tx,
  release: Release,
  stores: readonly Store[],
  requested: readonly TerritoryCode[],
): Promise<PreparedContent> {
  const [organization, snapshot] = await Promise.all([
    findOrganization(tx, tx.orgId),
    ensureReleaseSnapshot(tx, release),
  ]);
  const territoriesByStore = resolveTerritories(
    snapshot,
    stores,
    requested,
    organization?.licensedTerritories ?? [],
  );
  enforce(refuseWithoutTerritories(stores, territoriesByStore));
  return { snapshot, territoriesByStore };
}

function resolveTerritories(
  { release, tracks }: Snapshot,
  stores: readonly Store[],
  requested: readonly TerritoryCode[],
  licensed: readonly TerritoryCode[],
): ReadonlyMap<string, readonly TerritoryCode[]> {
  const resolve = createTerritoryResolver({
    requested,
    licensed,
    release: release.territories,
    tracks: tracks.map(({ territory }) => territory),
  });
  return new Map(stores.map(({ storeId, territoryCodes }) => [storeId, resolve(territoryCodes)]));
}

function refuseWithoutTerritories(
  stores: readonly Store[],
  territoriesByStore: PreparedContent['territoriesByStore'],
): Refusal | undefined {
  const withoutTerritory = stores.filter(
    ({ storeId }) => territoriesByStore.get(storeId)?.length === 0,
  );
  if (withoutTerritory.length === 0) return undefined;
  return {
    code: 'territory_not_supported',
    message: `None of the requested territories is available at these stores: ${withoutTerritory.map(({ storeId }) => storeId).join(', ')}.`,
    details: withoutTerritory.map(({ storeId }) => ({
      field: 'territory_codes',
      issue: `must have a territory that ${storeId}, your licence, the release and all of its tracks have in common`,
    })),
  };
}
