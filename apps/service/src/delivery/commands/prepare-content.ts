/** The content of a message: a snapshot of the release, and the deal of each store. */

import {
  ensureReleaseSnapshot,
  isWithdrawn,
  type Release,
  type Snapshot,
} from '../../catalog/face.ts';
import { findOrganization } from '../../identity/face.ts';
import { enforce, type Refusal, type Violation } from '../../kernel/problem.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import type { Store } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { storeField } from '../domain/chosen-stores.ts';
import { createDealResolver, type Deal, type NoDeal } from '../domain/deal.ts';

export type PreparedContent = {
  /** Its revision may be newer than that of the release that was passed: an artist has changed. */
  readonly snapshot: Snapshot;
  readonly dealsByStore: ReadonlyMap<string, Deal>;
};

export type ContentRequest = {
  readonly release: Release;
  readonly stores: readonly Store[];
  /** The store ids of the request; undefined if it names none. */
  readonly named: readonly string[] | undefined;
  readonly territoriesFor: (storeId: string) => readonly TerritoryCode[];
};

/** The caller has locked the release. Refuses if a store can offer nothing. */
export async function prepareContent(
  tx: Tx,
  { release, stores, named, territoriesFor }: ContentRequest,
): Promise<PreparedContent> {
  const [organization, snapshot] = await Promise.all([
    findOrganization(tx, tx.orgId),
    ensureReleaseSnapshot(tx, release),
  ]);
  enforce(refuseWithdrawn(snapshot));
  const resolve = createDealResolver({
    licensed: organization?.licensedTerritories ?? [],
    release: snapshot.release,
    tracks: snapshot.tracks,
  });
  const resolved = stores.map(({ storeId, territoryCodes, capabilities }) => ({
    storeId,
    deal: resolve({ territoryCodes, useTypes: capabilities.useTypes }, territoriesFor(storeId)),
  }));
  enforce(refuseWithoutDeal(resolved, named));
  return {
    snapshot,
    dealsByStore: new Map(
      resolved.flatMap(({ storeId, deal }): [string, Deal][] =>
        typeof deal === 'string' ? [] : [[storeId, deal]],
      ),
    ),
  };
}

function refuseWithdrawn({ tracks }: Snapshot): Refusal | undefined {
  if (tracks.length === 0 || !tracks.every(isWithdrawn)) return undefined;
  return {
    code: 'invalid_state',
    message: 'Every track of the release is withdrawn. Take the release down instead.',
  };
}

type ResolvedStore = { readonly storeId: string; readonly deal: Deal | NoDeal };

function refuseWithoutDeal(
  resolved: readonly ResolvedStore[],
  named: readonly string[] | undefined,
): Refusal | undefined {
  const withoutUse = resolved
    .filter(({ deal }) => deal === 'no_use_type')
    .map(({ storeId }): Violation => ({
      field: storeField(named, storeId),
      issue: `names ${storeId}, which offers none of the use_types of the release; remove it`,
    }));
  if (withoutUse.length > 0) {
    return {
      code: 'invalid_field',
      message:
        'Some stores offer none of the use_types of the release. Remove these stores, or change use_types.',
      details: withoutUse,
    };
  }
  const unavailable = resolved.filter(({ deal }) => typeof deal === 'string');
  if (unavailable.length === 0) return undefined;
  return {
    code: 'territory_not_supported',
    message: `Nothing of the release is available at these stores: ${unavailable.map(({ storeId }) => storeId).join(', ')}.`,
    details: unavailable.map(({ storeId, deal }) => ({
      field: 'territory_codes',
      issue:
        deal === 'no_track'
          ? `must have a territory in which ${storeId} may offer at least one track`
          : `must have a territory that ${storeId}, your license and the release have in common`,
    })),
  };
}
