import { meansWorld, type TerritoryCode } from '../../../../kernel/territory.ts';
import type { PreflightInput, PreflightTrack } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';
import { areDisjoint, isSubset, toCodeSet, resolveWorld, hasCode } from '../territory-codes.ts';

const source = 'Revelator';
const formatCodes = (codes: readonly TerritoryCode[]): string => codes.join(', ');

function checkLicence({ release, licensedTerritories }: PreflightInput): RawFinding[] {
  const codes = resolveWorld(release.territories, licensedTerritories);
  if (!areDisjoint(codes, toCodeSet(licensedTerritories))) return [];
  return [
    {
      field: 'territories',
      message: 'The release is for sale nowhere within your licence.',
      measured: formatCodes(release.territories),
      limit: formatCodes(licensedTerritories),
    },
  ];
}

function checkStores({ release, licensedTerritories, stores }: PreflightInput): RawFinding[] {
  const licensed = toCodeSet(licensedTerritories);
  const codes = resolveWorld(release.territories, licensedTerritories);
  // `territories_unlicensed` reports a release outside the licence.
  if (areDisjoint(codes, licensed)) return [];
  const apart = stores.filter((store) =>
    areDisjoint(codes, licensed, toCodeSet(store.territoryCodes)),
  );
  if (apart.length === 0) return [];
  return [
    {
      field: 'territories',
      message: 'Some stores are in none of the territories of the release.',
      measured: formatCodes(release.territories),
      limit: formatCodes([...new Set(apart.flatMap(({ territoryCodes }) => territoryCodes))]),
      stores: apart.map(({ storeId }) => storeId),
    },
  ];
}

function checkTrack(
  track: PreflightTrack,
  { release, licensedTerritories }: PreflightInput,
): RawFinding[] {
  const { territory } = track;
  if (territory === null) return [];
  const ofRelease = resolveWorld(release.territories, licensedTerritories);
  if (isSubset(resolveWorld(territory, licensedTerritories), ofRelease)) return [];
  const isWorld = territory.some(meansWorld);
  const outside = isWorld ? territory : territory.filter((code) => !hasCode(ofRelease, code));
  const shared = isWorld
    ? release.territories.filter((code) => hasCode(toCodeSet(licensedTerritories), code))
    : territory.filter((code) => hasCode(ofRelease, code));
  return [
    {
      track,
      field: 'territory',
      message: 'The track is for sale where its release is not.',
      measured: formatCodes(outside),
      limit: formatCodes(release.territories),
      // Without a shared territory, the fix gives the track the territories of its release.
      fixes: () => [{ tracks: { [track.id]: { territory: shared.length === 0 ? null : shared } } }],
    },
  ];
}

export const territoryRules = {
  territories_unlicensed: {
    severity: 'error',
    readsFields: ['territories'],
    source,
    prevents: 'no_deal_in_new_release_message',
    release: checkLicence,
  } satisfies Rule,
  territories_of_store: {
    severity: 'error',
    readsFields: ['territories'],
    source,
    prevents: 'no_deal_in_new_release_message',
    release: checkStores,
  } satisfies Rule,
  track_territory: {
    severity: 'error',
    readsFields: ['territories', 'territory'],
    inheritedFields: ['territories'],
    source,
    prevents: 'no_deal_for_track_release',
    track: checkTrack,
  } satisfies Rule,
};
