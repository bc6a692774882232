import { isWithdrawn } from '../../availability.ts';
import { shareUseType, useTypesOfRelease } from '../deals.ts';
import type { PreflightInput, PreflightTrack } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';

const source = 'DDEX ERN 4.3';
const field = 'use_types';

function checkStores(input: PreflightInput): RawFinding[] {
  const allowed = useTypesOfRelease(input);
  const apart = input.stores.filter(({ useTypes }) => !shareUseType(useTypes, allowed));
  if (apart.length === 0) return [];
  return [
    {
      field,
      message:
        'Some stores offer none of the use types of the release. Add a use type of theirs, or leave these stores out.',
      measured: allowed.join(', '),
      limit: [...new Set(apart.flatMap(({ useTypes }) => useTypes))].join(', '),
      stores: apart.map(({ storeId }) => storeId),
    },
  ];
}

function checkTrack(track: PreflightTrack, input: PreflightInput): RawFinding[] {
  const { useTypes } = track;
  if (useTypes === null || isWithdrawn(track)) return [];
  const allowed = useTypesOfRelease(input);
  const shared = useTypes.filter((useType) => allowed.includes(useType));
  if (shared.length === useTypes.length) return [];
  return [
    {
      track,
      field,
      message:
        'The track has use types that its release does not have. Remove them from the track, or add them to the release.',
      measured: useTypes.filter((useType) => !allowed.includes(useType)).join(', '),
      limit: allowed.join(', '),
      // Without a shared use type there is no fix: it would grant a use, or withdraw the track.
      fixes: () => (shared.length === 0 ? [] : [{ tracks: { [track.id]: { useTypes: shared } } }]),
    },
  ];
}

export const useTypeRules = {
  use_types_of_store: {
    description:
      'At least one use type of the release must be one of the store; otherwise the store cannot offer it.',
    severity: 'error',
    readsFields: ['useTypes'],
    source,
    prevents: 'no_deal_in_new_release_message',
    release: checkStores,
  } satisfies Rule,
  track_use_types: {
    description:
      'The use types of a track must be within those of its release; a track has no deal where its release has none.',
    severity: 'error',
    readsFields: ['useTypes'],
    inheritedFields: ['useTypes'],
    source,
    prevents: 'no_deal_for_track_release',
    track: checkTrack,
  } satisfies Rule,
};
