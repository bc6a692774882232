/** Checks the territories that a request names for a release or a track, once for creation and PATCH. */

import type { Refusal } from '../../kernel/problem.ts';
import { type TerritoryCode, territoryCodes } from '../../kernel/territory.ts';
import {
  refuseExcludedCodes,
  refuseTerritories,
  type TerritoryAvailability,
} from '../../network/face.ts';
import { refuseExclusions, rightsOfTrack, type TerritoryRights } from '../domain/rights.ts';
import type { TrackEdit } from '../domain/track.ts';

/** Undefined: the request does not name the list. Null: it clears the list. */
type RequestedTerritories = {
  readonly codes: readonly TerritoryCode[] | null | undefined;
  readonly excluded: readonly TerritoryCode[] | null | undefined;
};

export const requestedTerritoriesOf = ({
  territory,
  excludedTerritories,
}: Pick<TrackEdit, 'territory' | 'excludedTerritories'>): RequestedTerritories => ({
  codes: territory,
  excluded: excludedTerritories,
});

/** Exclusions are judged by what they leave, and that may be any territory. */
export const territoriesToLookUp = (
  ...requested: readonly RequestedTerritories[]
): readonly TerritoryCode[] =>
  requested.some(({ excluded }) => excluded)
    ? territoryCodes
    : requested.flatMap(({ codes }) => codes ?? []);

/** `stored`: the territories of the release that PATCH changes, or the default at its creation. */
export const refuseReleaseTerritories = (
  requested: RequestedTerritories,
  stored: readonly TerritoryCode[],
  availability: TerritoryAvailability,
): Refusal | undefined =>
  refuseTerritoryRights(requested, {
    availability,
    rights: {
      territories: requested.codes ?? stored,
      excludedTerritories: requested.excluded ?? null,
    },
    isInherited: false,
    fields: { codes: 'territories', excluded: 'excluded_territories' },
  });

type TrackContext = {
  readonly release: TerritoryRights;
  readonly availability: TerritoryAvailability;
  /** The path of the track in the request. */
  readonly prefix: string;
};

export function refuseTrackTerritories(
  requested: RequestedTerritories,
  stored: readonly TerritoryCode[] | null,
  { release, availability, prefix }: TrackContext,
): Refusal | undefined {
  const territory = requested.codes === undefined ? stored : requested.codes;
  const excludedTerritories = requested.excluded ?? null;
  return refuseTerritoryRights(requested, {
    availability,
    rights: rightsOfTrack({ territory, excludedTerritories }, release),
    isInherited: territory === null,
    fields: { codes: `${prefix}territory`, excluded: `${prefix}excluded_territories` },
  });
}

type TerritoryContext = {
  readonly availability: TerritoryAvailability;
  /** After the request. */
  readonly rights: TerritoryRights;
  readonly isInherited: boolean;
  readonly fields: { readonly codes: string; readonly excluded: string };
};

/** Checks only the lists that the request names: what is stored was accepted before. */
function refuseTerritoryRights(
  { codes, excluded }: RequestedTerritories,
  { availability, rights, isInherited, fields }: TerritoryContext,
): Refusal | undefined {
  const field = fields.excluded;
  return (
    (codes ? refuseTerritories(codes, availability, fields.codes) : undefined) ??
    (excluded
      ? (refuseExcludedCodes(excluded, availability, field) ??
        refuseExclusions(rights, { isInherited, availability, field }))
      : undefined)
  );
}
