import { meansWorld, type TerritoryCode } from '../../../../kernel/territory.ts';
import { isWithdrawn } from '../../availability.ts';
import type { Release } from '../../release.ts';
import type { TrackEdit } from '../../track.ts';
import { territoriesOfRelease, territoriesOfTrack } from '../deals.ts';
import type { PreflightInput, PreflightTrack } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';
import {
  type CodeSet,
  formatCodes,
  formatRights,
  hasCode,
  listCodes,
  toCodeSet,
} from '../territory-codes.ts';

const source = "a distributor's guide";

function checkLicence(input: PreflightInput): RawFinding[] {
  const { release, licensedTerritories } = input;
  if ((territoriesOfRelease(input) & toCodeSet(licensedTerritories)) !== 0n) return [];
  return [
    {
      field: 'territories',
      message:
        'No territory of the release is within your license. Add a licensed territory, or ask support to license one.',
      measured: formatRights(release),
      limit: formatCodes(licensedTerritories),
    },
  ];
}

function checkStores(input: PreflightInput): RawFinding[] {
  const { release, licensedTerritories, stores } = input;
  const codes = territoriesOfRelease(input) & toCodeSet(licensedTerritories);
  // `territories_unlicensed` reports a release outside the licence.
  if (codes === 0n) return [];
  const apart = stores.filter((store) => (codes & toCodeSet(store.territoryCodes)) === 0n);
  if (apart.length === 0) return [];
  return [
    {
      field: 'territories',
      message:
        'Some stores sell in none of the territories of the release. Add a territory of theirs, or leave these stores out.',
      measured: formatRights(release),
      limit: formatCodes([...new Set(apart.flatMap(({ territoryCodes }) => territoryCodes))]),
      stores: apart.map(({ storeId }) => storeId),
    },
  ];
}

function checkTrack(track: PreflightTrack, input: PreflightInput): RawFinding[] {
  const { territory } = track;
  if (territory === null || isWithdrawn(track)) return [];
  const { release } = input;
  const outside = territoriesOfTrack(track, input) & ~territoriesOfRelease(input);
  if (outside === 0n) return [];
  return [
    {
      track,
      field: 'territory',
      message:
        'The track has territories that its release does not have. Remove them from the track, or add them to the release.',
      measured: describeOutside(territory, outside, release),
      limit: formatRights(release),
      fixes: () => [{ tracks: { [track.id]: narrowRights(track, territory, input) } }],
    },
  ];
}

/** The codes, unless nearly all of the world is outside. */
function describeOutside(
  territory: readonly TerritoryCode[],
  outside: CodeSet,
  { territories }: Release,
): string {
  if (!territory.some(meansWorld)) {
    return formatCodes(territory.filter((code) => hasCode(outside, code)));
  }
  return formatCodes(territories.some(meansWorld) ? listCodes(outside) : territory);
}

/** To what the track shares with its release; if they share nothing, to the territories of the release. */
function narrowRights(
  track: PreflightTrack,
  territory: readonly TerritoryCode[],
  input: PreflightInput,
): Pick<TrackEdit, 'territory' | 'excludedTerritories'> {
  const { release } = input;
  // A PATCH of `territory` clears the exclusions, so a fix of it does the same.
  const cleared = track.excludedTerritories === null ? {} : { excludedTerritories: null };
  const shared = territoriesOfTrack(track, input) & territoriesOfRelease(input);
  if (shared === 0n) return { territory: null, ...cleared };
  if (!territory.some(meansWorld)) {
    return { territory: territory.filter((code) => hasCode(shared, code)), ...cleared };
  }
  if (!release.territories.some(meansWorld)) {
    return { territory: release.territories.filter((code) => hasCode(shared, code)), ...cleared };
  }
  const both = [...(track.excludedTerritories ?? []), ...(release.excludedTerritories ?? [])];
  return { excludedTerritories: [...new Set(both)] };
}

export const territoryRules = {
  territories_unlicensed: {
    description:
      'At least one territory of the release must be within your license; otherwise no store can sell it.',
    severity: 'error',
    readsFields: ['territories', 'excludedTerritories'],
    source,
    prevents: 'no_deal_in_new_release_message',
    release: checkLicence,
  } satisfies Rule,
  territories_of_store: {
    description:
      'At least one territory of the release must be one of the store; otherwise the store cannot sell it.',
    severity: 'error',
    readsFields: ['territories', 'excludedTerritories'],
    source,
    prevents: 'no_deal_in_new_release_message',
    release: checkStores,
  } satisfies Rule,
  track_territory: {
    description:
      'The territories of a track must be within those of its release; a track has no deal where its release has none.',
    severity: 'error',
    readsFields: ['territories', 'territory', 'excludedTerritories', 'useTypes'],
    inheritedFields: ['territories', 'excludedTerritories'],
    source,
    prevents: 'no_deal_for_track_release',
    track: checkTrack,
  } satisfies Rule,
};
