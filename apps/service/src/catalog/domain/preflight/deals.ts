/** Where and how stores could sell a release and its tracks (catalogue §1.1). */

import type { TerritoryCode } from '../../../kernel/territory.ts';
import { type UseType, useTypes } from '../../../kernel/use-type.ts';
import { rightsOfTrack } from '../rights.ts';
import type { PreflightInput, PreflightTrack } from './preflight-input.ts';
import { type CodeSet, hasCode, toCodeSet, toRightsSet } from './territory-codes.ts';

export const territoriesOfRelease = ({ release, licensedTerritories }: PreflightInput): CodeSet =>
  toRightsSet(release, licensedTerritories);

/** They may be more than those of the release, as may the use types. */
export const territoriesOfTrack = (
  track: PreflightTrack,
  { release, licensedTerritories }: PreflightInput,
): CodeSet => toRightsSet(rightsOfTrack(track, release), licensedTerritories);

export const useTypesOfRelease = ({ release }: PreflightInput): readonly UseType[] =>
  release.useTypes ?? useTypes;

export const shareUseType = (a: readonly UseType[], b: readonly UseType[]): boolean =>
  a.some((useType) => b.includes(useType));

export type StoreDeal = {
  readonly storeId: string;
  readonly territories: CodeSet;
  readonly useTypes: readonly UseType[];
};

/** Each track is compared with the deals of all stores. */
const computed = new WeakMap<PreflightInput, readonly StoreDeal[]>();

/** What each store could sell of the release; only stores with at least one territory and one use type. */
export function storeDeals(input: PreflightInput): readonly StoreDeal[] {
  const known = computed.get(input);
  if (known !== undefined) return known;
  const deals = computeStoreDeals(input);
  computed.set(input, deals);
  return deals;
}

function computeStoreDeals(input: PreflightInput): readonly StoreDeal[] {
  const licensed = toCodeSet(input.licensedTerritories);
  const territories = territoriesOfRelease(input) & licensed;
  const allowed = useTypesOfRelease(input);
  return input.stores
    .map((store) => ({
      storeId: store.storeId,
      territories: territories & toCodeSet(store.territoryCodes),
      useTypes: store.useTypes.filter((useType) => allowed.includes(useType)),
    }))
    .filter((deal) => deal.territories !== 0n && deal.useTypes.length > 0);
}

/** The stores that could offer the track in this way; in this territory, if one is named. */
export function storesOffering(
  track: PreflightTrack,
  input: PreflightInput,
  useType: UseType,
  territory?: TerritoryCode,
): readonly string[] {
  if (track.useTypes?.includes(useType) === false) return [];
  const ofTrack = territoriesOfTrack(track, input);
  return storeDeals(input)
    .filter((deal) => {
      const shared = deal.territories & ofTrack;
      const isThere = territory === undefined ? shared !== 0n : hasCode(shared, territory);
      return isThere && deal.useTypes.includes(useType);
    })
    .map(({ storeId }) => storeId);
}
