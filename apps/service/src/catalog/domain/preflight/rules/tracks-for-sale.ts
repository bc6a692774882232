/** A store gets the tracks that it can sell, and needs at least one. Withdrawn tracks are sent to no store. */

import { isWithdrawn } from '../../availability.ts';
import { rightsOfTrack } from '../../rights.ts';
import {
  shareUseType,
  storeDeals,
  territoriesOfRelease,
  territoriesOfTrack,
  useTypesOfRelease,
} from '../deals.ts';
import type { PreflightInput, PreflightTrack } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';
import { formatRights } from '../territory-codes.ts';

const source = "a distributor's guide; a video store's rules";
const prevents = 'no_deal_for_track_release';

function checkTerritories(track: PreflightTrack, input: PreflightInput): RawFinding[] {
  if (track.territory === null && track.excludedTerritories === null) return [];
  const territories = territoriesOfTrack(track, input);
  // `track_territory` reports a track that is wholly outside its release.
  const isOutside = (territories & territoriesOfRelease(input)) === 0n;
  if (track.territory !== null && isOutside) return [];
  const stores = storeDeals(input)
    .filter((deal) => (deal.territories & territories) === 0n)
    .map(({ storeId }) => storeId);
  if (stores.length === 0) return [];
  return [
    {
      track,
      field: 'territory',
      message:
        'The track has no territory of some stores, so it is left out there. Add a territory of theirs if they should have it.',
      measured: formatRights(rightsOfTrack(track, input.release)),
      limit: 'a territory of the store',
      stores,
    },
  ];
}

function checkUseTypes(track: PreflightTrack, input: PreflightInput): RawFinding[] {
  const { useTypes } = track;
  // `track_use_types` reports a track that is wholly outside its release.
  if (useTypes === null || !shareUseType(useTypes, useTypesOfRelease(input))) return [];
  const stores = storeDeals(input)
    .filter((deal) => !shareUseType(deal.useTypes, useTypes))
    .map(({ storeId }) => storeId);
  if (stores.length === 0) return [];
  return [
    {
      track,
      field: 'use_types',
      message:
        'The track has no use type of some stores, so it is left out there. Add a use type of theirs if they should have it.',
      measured: useTypes.join(', '),
      limit: 'a use type of the store',
      stores,
    },
  ];
}

function checkStores(input: PreflightInput): RawFinding[] {
  const forSale = input.tracks.filter((track) => !isWithdrawn(track));
  // `tracks_withdrawn` reports that none is for sale; a submission requires a track.
  if (forSale.length === 0) return [];
  const offers = forSale.map((track) => ({
    territories: territoriesOfTrack(track, input),
    useTypes: track.useTypes ?? useTypesOfRelease(input),
  }));
  const stores = storeDeals(input)
    .filter(
      (deal) =>
        !offers.some(
          (offer) =>
            (offer.territories & deal.territories) !== 0n &&
            shareUseType(offer.useTypes, deal.useTypes),
        ),
    )
    .map(({ storeId }) => storeId);
  if (stores.length === 0) return [];
  const message =
    'Some stores cannot sell any track of the release. Add territories or use types of theirs, or leave these stores out.';
  return [{ field: 'tracks', message, measured: 0, limit: 1, stores }];
}

function checkWithdrawn({ tracks }: PreflightInput): RawFinding[] {
  if (tracks.length === 0 || !tracks.every(isWithdrawn)) return [];
  const message =
    'Every track is withdrawn, so stores would get nothing. Send use_types for a track, or take the release down.';
  return [{ field: 'tracks', message, measured: 0, limit: 1 }];
}

export const tracksForSaleRules = {
  track_left_out: {
    description:
      'A track should be available at each store that gets the release; it is left out where it has no territory or use type of the store.',
    severity: 'warning',
    readsFields: ['territories', 'territory', 'excludedTerritories', 'useTypes'],
    inheritedFields: ['territories', 'excludedTerritories', 'useTypes'],
    source,
    prevents,
    track: (track, input) =>
      isWithdrawn(track) ? [] : [...checkTerritories(track, input), ...checkUseTypes(track, input)],
  } satisfies Rule,
  tracks_of_store: {
    description:
      'At least one track must be available at the store; otherwise the store has nothing to sell.',
    unit: 'tracks',
    severity: 'error',
    readsFields: ['territories', 'territory', 'excludedTerritories', 'useTypes'],
    source,
    prevents,
    release: checkStores,
  } satisfies Rule,
  tracks_withdrawn: {
    description:
      'At least one track must not be withdrawn; otherwise stores would get a release without tracks.',
    unit: 'tracks',
    severity: 'error',
    readsFields: ['useTypes'],
    source,
    prevents,
    release: checkWithdrawn,
  } satisfies Rule,
};
