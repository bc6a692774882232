/** What is about to be sent: the release frozen as it is, and where each store may sell it. */

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

/** The release is held by the caller. Refused when a store would be left without any territory. */
export async function prepareContent(
  tx: Tx,
  release: Release,
  stores: readonly Store[],
  asked: readonly TerritoryCode[],
): Promise<PreparedContent> {
  const [account, snapshot] = await Promise.all([
    findOrganization(tx, tx.orgId),
    ensureReleaseSnapshot(tx, release),
  ]);
  const territoriesByStore = resolveTerritories(
    snapshot,
    stores,
    asked,
    account?.licensedTerritories ?? [],
  );
  enforce(refuseWithoutTerritories(stores, territoriesByStore));
  return { snapshot, territoriesByStore };
}

function resolveTerritories(
  { release, tracks }: Snapshot,
  stores: readonly Store[],
  asked: readonly TerritoryCode[],
  licensed: readonly TerritoryCode[],
): ReadonlyMap<string, readonly TerritoryCode[]> {
  const resolve = createTerritoryResolver({
    asked,
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
  const nowhere = stores.filter(({ storeId }) => territoriesByStore.get(storeId)?.length === 0);
  if (nowhere.length === 0) return undefined;
  return {
    code: 'territory_not_supported',
    message: 'Of the territories asked for, some stores may sell the release in none.',
    details: nowhere.map(({ storeId }) => ({
      field: 'territory_codes',
      issue: `leaves ${storeId} no territory that your licence, the release, all of its tracks and the store have in common`,
    })),
  };
}
