/** Rights and windows (catalogue §2): where a track may be sold, and which values go together. */

import { addMs, dayMs, hourMs } from '../../kernel/duration.ts';
import { type Refusal, invalidField } from '../../kernel/problem.ts';
import { meansWorld, type TerritoryCode, territoryCodes } from '../../kernel/territory.ts';
import type { TerritoryAvailability } from '../../network/face.ts';
import type { Release } from './release.ts';
import type { Track } from './track.ts';

/** `WORLD` except the excluded territories, or a list of codes. */
export type TerritoryRights = Pick<Release, 'territories' | 'excludedTerritories'>;

/** A track without its own territories has those of its release, except what the release or the track excludes. */
export function rightsOfTrack(
  { territory, excludedTerritories }: Pick<Track, 'territory' | 'excludedTerritories'>,
  release: TerritoryRights,
): TerritoryRights {
  if (territory !== null) return { territories: territory, excludedTerritories };
  if (excludedTerritories === null) return release;
  const both = new Set([...(release.excludedTerritories ?? []), ...excludedTerritories]);
  return { territories: release.territories, excludedTerritories: [...both] };
}

type ExclusionContext = {
  /** Whether the territories are those of the release, and not the track's own. */
  readonly isInherited: boolean;
  readonly availability: TerritoryAvailability;
  readonly field: string;
};

/** Exclusions narrow `WORLD`, or what a track inherits, and leave something to sell. */
export function refuseExclusions(
  { territories, excludedTerritories }: TerritoryRights,
  { isInherited, availability: { isSupported, isLicensed }, field }: ExclusionContext,
): Refusal | undefined {
  const isWorld = territories.some(meansWorld);
  if (!isWorld && !isInherited) {
    const cure = 'leave these codes out of the territories instead';
    return invalidField(field, `is allowed only with WORLD; ${cure}`);
  }
  const excluded = new Set(excludedTerritories);
  const isLeft = (code: TerritoryCode) =>
    !excluded.has(code) && isSupported(code) && isLicensed(code);
  if ((isWorld ? territoryCodes : territories).some(isLeft)) return undefined;
  return invalidField(
    field,
    'must leave at least one territory that you are licensed for; exclude fewer',
  );
}

/** A track may have an empty list, which withdraws it; a release may not. */
export const refuseUseTypes = (useTypes: Release['useTypes'] | undefined): Refusal | undefined =>
  useTypes?.length === 0
    ? invalidField('use_types', 'must have at least one use type; send null for all of them')
    : undefined;

/** The date line: somewhere a day begins 14 hours before it does in UTC, and elsewhere ends 12 hours after. */
const earliestZoneMs = 14 * hourMs;
const latestZoneMs = 12 * hourMs;

type Window = Pick<Release, 'releaseDate' | 'releaseAt' | 'preOrderDate'>;

/** A change of the release date is refused too, when the other two no longer fit it. */
export const refuseWindow = (window: Window): readonly (Refusal | undefined)[] => [
  refuseReleaseAt(window),
  refusePreOrderDate(window),
];

function refuseReleaseAt({ releaseDate, releaseAt }: Window): Refusal | undefined {
  if (releaseAt === null) return undefined;
  const day = new Date(`${releaseDate}T00:00:00Z`);
  const [begin, end] = [addMs(day, -earliestZoneMs), addMs(day, dayMs + latestZoneMs)];
  const at = new Date(releaseAt);
  if (at >= begin && at < end) return undefined;
  return invalidField(
    'release_at',
    `must be on release_date, which is ${releaseDate}, in some time zone; correct one of them, or send null for local midnight of release_date`,
  );
}

function refusePreOrderDate({ releaseDate, preOrderDate }: Window): Refusal | undefined {
  if (preOrderDate === null || preOrderDate < releaseDate) return undefined;
  return invalidField(
    'pre_order_date',
    `must be before release_date, which is ${releaseDate}; send an earlier date, or null for no pre-orders`,
  );
}

/** The duration is null until the audio is ready; preflight judges it again then. */
export function refusePreviewStart(
  previewStartMs: number | null | undefined,
  durationMs: number | null,
  field: string,
): Refusal | undefined {
  if (previewStartMs === null || previewStartMs === undefined) return undefined;
  if (durationMs === null || previewStartMs < durationMs) return undefined;
  return invalidField(
    field,
    `must be less than ${durationMs}, the duration of the audio in milliseconds`,
  );
}
