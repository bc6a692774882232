/**
 * Where and how a store may offer a release (catalogue §1.1, §2). The release's deal is what was requested ∩ licensed ∩
 * set on the release ∩ supported by the store. A track's deal is that ∩ what is set on the track.
 */

import type { TrackId } from '../../catalog/face.ts';
import { memoize } from '../../kernel/memoize.ts';
import {
  codesOfSet,
  everyTerritory,
  type TerritorySet,
  toTerritorySet,
} from '../../kernel/territory-set.ts';
import { meansWorld, type TerritoryCode } from '../../kernel/territory.ts';
import { type UseType, useTypes } from '../../kernel/use-type.ts';

type Rights = {
  readonly territoryCodes: readonly TerritoryCode[];
  readonly useTypes: readonly UseType[];
};

/** Without territories and use types, the track is left out at the store. */
export type TrackDeal = Rights & { readonly trackId: TrackId };

export type Deal = Rights & {
  /** All territories of the store, requested with the word `WORLDWIDE`. */
  readonly isWorldwide: boolean;
  /** Only the tracks whose rights differ from those of the release. */
  readonly tracks: readonly TrackDeal[];
};

type OwnRights = {
  readonly excludedTerritories: readonly TerritoryCode[] | null;
  readonly useTypes: readonly UseType[] | null;
};

export type DealLimits = {
  readonly licensed: readonly TerritoryCode[];
  readonly release: OwnRights & { readonly territories: readonly TerritoryCode[] };
  readonly tracks: readonly (OwnRights & {
    readonly id: TrackId;
    readonly territory: readonly TerritoryCode[] | null;
  })[];
};

type StoreLimits = {
  readonly territoryCodes: readonly TerritoryCode[];
  readonly useTypes: readonly UseType[];
};

/** Why a store cannot be offered the release. */
export type NoDeal = 'no_use_type' | 'no_territory' | 'no_track';

export type ResolveDeal = (
  store: StoreLimits,
  requested: readonly TerritoryCode[],
) => Deal | NoDeal;

/** Created once for a request, called for each of its stores, which share a few lists and sets. */
export function createDealResolver({ licensed, release, tracks }: DealLimits): ResolveDeal {
  const codesOf = memoize(codesOfSet);
  const toSet = memoize(toTerritorySet);
  const ofRelease = toSet(licensed) & toSet(release.territories) & ~excluded(release);
  // A track without rights of its own has those of the release at every store.
  const narrowed = tracks.filter((track) => !hasSameRights(track));
  const ownSets = new Map(
    narrowed.map((track) => [
      track.id,
      (track.territory === null ? everyTerritory : toSet(track.territory)) & ~excluded(track),
    ]),
  );
  return (store, requested) => {
    const uses = commonUseTypes(store.useTypes, release.useTypes);
    if (uses.length === 0) return 'no_use_type';
    const ofStore = toSet(store.territoryCodes);
    const territories = toSet(requested) & ofRelease & ofStore;
    if (territories === 0n) return 'no_territory';
    const trackDeals = narrowed.flatMap(({ id, useTypes: own }): TrackDeal[] => {
      const ofTrack = territories & (ownSets.get(id) ?? 0n);
      const usesOfTrack = commonUseTypes(uses, own);
      if (ofTrack === territories && usesOfTrack.length === uses.length) return [];
      const isLeftOut = ofTrack === 0n || usesOfTrack.length === 0;
      return isLeftOut
        ? [{ trackId: id, territoryCodes: [], useTypes: [] }]
        : [{ trackId: id, territoryCodes: codesOf(ofTrack), useTypes: usesOfTrack }];
    });
    if (trackDeals.filter(isLeftOutTrack).length === tracks.length) return 'no_track';
    return {
      territoryCodes: codesOf(territories),
      isWorldwide: territories === ofStore && requested.some(meansWorld),
      useTypes: uses,
      tracks: trackDeals,
    };
  };
}

export const isLeftOutTrack = ({ territoryCodes }: TrackDeal): boolean =>
  territoryCodes.length === 0;

const excluded = ({ excludedTerritories }: OwnRights): TerritorySet =>
  toTerritorySet(excludedTerritories ?? []);

const hasSameRights = ({
  territory,
  excludedTerritories,
  useTypes: own,
}: DealLimits['tracks'][number]): boolean =>
  territory === null && excludedTerritories === null && own === null;

/** In the order of `useTypes`. Null narrows nothing. */
const commonUseTypes = (
  uses: readonly UseType[],
  own: readonly UseType[] | null,
): readonly UseType[] =>
  useTypes.filter((use) => uses.includes(use) && (own === null || own.includes(use)));

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, i) => value === other[i]);

const hasEqualRights = (one: Rights, other: Rights): boolean =>
  isSameList(one.territoryCodes, other.territoryCodes) && isSameList(one.useTypes, other.useTypes);

/** Whether a store would be sent the same deals. */
export const isSameDeal = (one: Deal, other: Deal): boolean =>
  hasEqualRights(one, other) &&
  one.tracks.length === other.tracks.length &&
  one.tracks.every((track, i) => {
    const counterpart = other.tracks[i];
    return (
      counterpart !== undefined &&
      track.trackId === counterpart.trackId &&
      hasEqualRights(track, counterpart)
    );
  });
