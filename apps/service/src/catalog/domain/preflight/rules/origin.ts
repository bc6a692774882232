/** Works and samples of others: where a sale needs a licence, and what must not be claimed in videos of users. */

import { storesOffering } from '../deals.ts';
import type { PreflightInput, PreflightTrack } from '../preflight-input.ts';
import type { RawFinding, Rule } from '../rule.ts';

const prevents = 'rights_conflict';

/** In the US a download needs a mechanical licence that the label obtains; elsewhere societies license the stores. */
const licensedByLabels = 'US';

function checkCover(track: PreflightTrack, input: PreflightInput): RawFinding[] {
  if (track.composition !== 'cover' || track.mechanicalLicence !== null) return [];
  const stores = storesOffering(track, input, 'download', licensedByLabels);
  if (stores.length === 0) return [];
  return [
    {
      track,
      field: 'mechanical_licence',
      message:
        'The track is a cover that is offered for download in the US, and mechanical_licence is missing. Send your license, or remove US or download from the track.',
      measured: null,
      limit: 'a license',
      stores,
    },
  ];
}

function checkUgcPolicy(track: PreflightTrack, input: PreflightInput): RawFinding[] {
  const { ugcPolicy, composition, samples } = track;
  const isShared = samples === 'cleared' || composition === 'public_domain';
  if (ugcPolicy !== 'monetize' || !isShared) return [];
  const stores = storesOffering(track, input, 'ugc');
  if (stores.length === 0) return [];
  const reason =
    samples === 'cleared'
      ? 'The track contains samples, which belong to others too'
      : 'The work is in the public domain, so others have recordings of it too';
  return [
    {
      track,
      field: 'ugc_policy',
      message: `${reason}: monetize would also claim videos with their recordings. Send the ugc_policy track or block.`,
      measured: ugcPolicy,
      limit: 'track, block',
      stores,
      fixes: () => [{ tracks: { [track.id]: { ugcPolicy: 'track' } } }],
    },
  ];
}

export const originRules = {
  cover_licence: {
    description:
      'A cover that is offered for download in the US must have a mechanical license; the law requires it.',
    severity: 'error',
    readsFields: [
      'composition',
      'mechanicalLicence',
      'territories',
      'territory',
      'excludedTerritories',
      'useTypes',
    ],
    inheritedFields: ['territories', 'excludedTerritories', 'useTypes'],
    source: '17 U.S.C. § 115; guides of several stores',
    prevents,
    track: checkCover,
  } satisfies Rule,
  ugc_monetized: {
    description:
      'A track with samples, or of a work in the public domain, must not have the ugc_policy monetize; it would claim videos of others.',
    severity: 'error',
    readsFields: [
      'composition',
      'samples',
      'ugcPolicy',
      'territories',
      'territory',
      'excludedTerritories',
      'useTypes',
    ],
    inheritedFields: ['territories', 'excludedTerritories', 'useTypes'],
    source: "a video store's rules for claims",
    prevents,
    track: checkUgcPolicy,
  } satisfies Rule,
};
