/** What is about to be sent: the release frozen as it is, and where each store may sell it. */
import { freezeRelease, type Release, type Snapshot } from '../../catalog/face.ts';
import { findOrganization } from '../../identity/face.ts';
import { enforce, type Refusal } from '../../kernel/problem.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { resolverOf } from '../domain/resolve-territories.ts';

export type Consigned = {
  readonly snapshot: Snapshot;
  readonly territoriesOf: ReadonlyMap<string, readonly TerritoryCode[]>;
};

/** The release is held by the caller. Refused when a store would be left without any territory. */
export async function consign(
  tx: Tx,
  release: Release,
  stores: readonly Store[],
  asked: readonly TerritoryCode[],
): Promise<Consigned> {
  const [account, snapshot] = await Promise.all([
    findOrganization(tx, tx.orgId),
    freezeRelease(tx, release),
  ]);
  const territoriesOf = territoriesIn(snapshot, stores, asked, account?.licensedTerritories ?? []);
  enforce(refuseNowhere(stores, territoriesOf));
  return { snapshot, territoriesOf };
}

function territoriesIn(
  { release, tracks }: Snapshot,
  stores: readonly Store[],
  asked: readonly TerritoryCode[],
  licensed: readonly TerritoryCode[],
): ReadonlyMap<string, readonly TerritoryCode[]> {
  const resolve = resolverOf({
    asked,
    licensed,
    release: release.territories,
    tracks: tracks.map(({ territory }) => territory),
  });
  return new Map(stores.map(({ storeId, territoryCodes }) => [storeId, resolve(territoryCodes)]));
}

function refuseNowhere(
  stores: readonly Store[],
  territoriesOf: Consigned['territoriesOf'],
): Refusal | undefined {
  const nowhere = stores.filter(({ storeId }) => territoriesOf.get(storeId)?.length === 0);
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
