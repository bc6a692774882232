/** A track of a release (spec §2.3, contract §2) and its rules. */

import type { AssetId } from '../../assets/face.ts';
import type { CalendarDate } from '../../kernel/calendar-date.ts';
import { dayMs } from '../../kernel/duration.ts';
import type { Id, ReleaseId } from '../../kernel/ids.ts';
import { type Isrc, parseIsrc } from '../../kernel/isrc.ts';
import type { Iswc } from '../../kernel/iswc.ts';
import type { LanguageTag } from '../../kernel/language.ts';
import type { Pairs } from '../../kernel/pairs.ts';
import { Problem, type Refusal, invalidField } from '../../kernel/problem.ts';
import { documentedTerritories, type TerritoryCode } from '../../kernel/territory.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { UseType } from '../../kernel/use-type.ts';
import type { TrackAiUse } from './ai-use.ts';
import type { Contributor } from './contributor.ts';
import type { LocalizedTitles } from './localized-titles.ts';
import { namesOf, unset } from './optional-fields.ts';
import { type Artist, type explicitMarks, isDeepEqual, type Release } from './release.ts';

export type TrackId = Id<'trk'>;

/** Whether the work is the artist's own, was published by others before, or has no copyright. */
export const compositions = ['original', 'cover', 'public_domain'] as const;
/** Whether the recording contains parts of other recordings; their owners agreed. */
export const sampleUses = ['none', 'cleared'] as const;
/** What stores do with videos of users that contain the recording. */
export const ugcPolicies = ['monetize', 'track', 'block'] as const;

/** The fields of a track that a partner may leave out: null until it sends them, and null clears them. */
export const unsetTrackFields = {
  reference: unset<string>(),
  version: unset<string>(),
  audioAssetId: unset<AssetId>(),
  /** Null: the territories of the release. */
  territory: unset<readonly TerritoryCode[]>(),
  /** Narrow `WORLD` of the track, or the territories of the release if the track has none of its own. */
  excludedTerritories: unset<readonly TerritoryCode[]>(),
  /** Null: those of the release. Empty: the track is withdrawn and sent to no store. */
  useTypes: unset<readonly UseType[]>(),
  /** Within the audio. */
  previewStartMs: unset<number>(),
  genre: unset<string>(),
  language: unset<string>(),
  pLine: unset<string>(),
  explicit: unset<(typeof explicitMarks)[number]>(),
  aiUse: unset<TrackAiUse>(),
  originalReleaseDate: unset<CalendarDate>(),
  iswc: unset<Iswc>(),
  recordingCountry: unset<TerritoryCode>(),
  composition: unset<(typeof compositions)[number]>(),
  samples: unset<(typeof sampleUses)[number]>(),
  /** What allows the sale of a cover as a download, in the partner's words. */
  mechanicalLicence: unset<string>(),
  /** Null: `language`. */
  lyricsLanguage: unset<LanguageTag>(),
  ugcPolicy: unset<(typeof ugcPolicies)[number]>(),
  localizedTitles: unset<LocalizedTitles>(),
  subgenre: unset<string>(),
  /** Buyers of a pre-order get the track at once. */
  instantGratification: unset<boolean>(),
};

/** What a partner can set on a track. */
export type TrackContent = Readonly<typeof unsetTrackFields> & {
  readonly metadata: Pairs;
  readonly title: string;
  readonly artists: readonly Artist[];
  readonly contributors: readonly Contributor[];
  readonly isrc: Isrc;
  readonly disc: number;
  readonly position: number;
};

export type TrackField = keyof TrackContent;

/** Every field that a partner can set, in the order of the wire. */
export const trackContentFields: readonly TrackField[] = [
  ...new Set<TrackField>([
    'reference',
    'metadata',
    'title',
    'version',
    'artists',
    'contributors',
    'isrc',
    'audioAssetId',
    'territory',
    'excludedTerritories',
    'useTypes',
    'disc',
    'position',
    ...namesOf(unsetTrackFields),
  ]),
];

export type Track = TrackContent & {
  readonly id: TrackId;
  readonly releaseId: ReleaseId;
  /** The duration of the audio, null until the asset is ready. */
  readonly durationMs: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type TrackEdit = Partial<TrackContent>;

export const tracksMax = 500;
export const discMax = 99;
export const positionMax = 999;
export const previewStartMsMax = dayMs;

/** Contract §4: tracks in one request. */
export const bulkTracksMax = 100;

/** The track after an edit, and the fields whose values differ. */
export function applyTrackEdit(
  track: Track,
  edit: TrackEdit,
  now: Date,
): { readonly next: Track; readonly changed: readonly TrackField[] } {
  const territory = edit.territory && documentedTerritories(edit.territory);
  // As for a release: territories are replaced in full, with their exclusions.
  const normalized: TrackEdit = {
    ...(edit.territory !== undefined && { excludedTerritories: null }),
    ...edit,
    ...(territory && { territory }),
  };
  const changed = trackContentFields.filter(
    (field) => field in normalized && !isDeepEqual(track[field], normalized[field]),
  );
  if (changed.length === 0) return { next: track, changed };
  return { next: { ...track, ...normalized, updatedAt: nextUpdatedAt(track, now) }, changed };
}

/** Unique within a release. */
export type DiscPosition = Pick<Track, 'disc' | 'position'>;

export function refuseTakenPosition(
  wanted: DiscPosition,
  others: readonly (DiscPosition & Pick<Track, 'id'>)[],
  field: string,
): Refusal | undefined {
  if (wanted.position > positionMax) {
    const issue = `must be at most ${positionMax}`;
    return invalidField(field, issue);
  }
  const taken = others.find(
    ({ disc, position }) => disc === wanted.disc && position === wanted.position,
  );
  if (taken === undefined) return undefined;
  const issue = `must be free: position ${wanted.position} on disc ${wanted.disc} is taken by ${taken.id}`;
  return { code: 'invalid_field', message: `${field} ${issue}.`, details: [{ field, issue }] };
}

/** After the last track of the disc. */
export const nextPosition = (disc: number, others: readonly DiscPosition[]): number =>
  1 + Math.max(0, ...others.filter((other) => other.disc === disc).map(({ position }) => position));

/** Contract §4: only a draft's tracks can be deleted. */
export function refuseTrackDelete(release: Pick<Release, 'status'>): Refusal | undefined {
  if (release.status === 'draft') return undefined;
  return {
    code: 'invalid_state',
    message: `Only tracks of a draft can be deleted; the release is ${release.status}. Withdraw the track with an empty use_types instead.`,
  };
}

export function refuseIsrc(text: string, field: string): Refusal | undefined {
  if (parseIsrc(text) !== undefined) return undefined;
  const issue =
    'must be an ISRC such as "QZ-ABC-26-00001" or "QZABC2600001"; omit it to have one assigned';
  return {
    code: 'invalid_isrc_format',
    message: `${field} ${issue}.`,
    details: [{ field, issue }],
  };
}

export function refuseTrackReference(
  owner: TrackId | undefined,
  field: string,
): Refusal | undefined {
  if (owner === undefined) return undefined;
  const issue = `is already used by ${owner}; send another one`;
  return { code: 'invalid_field', message: `${field} ${issue}.`, details: [{ field, issue }] };
}

export function refuseTooManyTracks(
  others: readonly DiscPosition[],
  field: string,
): Refusal | undefined {
  if (others.length < tracksMax) return undefined;
  const issue = `names a release that already has ${tracksMax} tracks, the most that are allowed; use another release`;
  return { code: 'invalid_field', message: `${field} ${issue}.`, details: [{ field, issue }] };
}

/** The same message for an unknown id, a malformed id and an id of another organization (contract §5). */
export const unknownTrack: Refusal = {
  code: 'resource_not_found',
  message: 'No track of your organization has this id.',
};

export const trackNotFound = (): Problem => new Problem(unknownTrack.code, unknownTrack.message);

/** Contract §1: an id in a body that names nothing is a bad field, not a missing resource. */
export function unknownTrackIn(field: string): Refusal {
  const issue = 'must be the id of a track of yours';
  return invalidField(field, issue);
}

/** Which of two changes of one track should hold is not decided. `earlier`: the path of the first. */
export function refuseRepeatedTrack(
  earlier: string | undefined,
  field: string,
): Refusal | undefined {
  if (earlier === undefined) return undefined;
  const issue = `is the same track as ${earlier}; list each track once`;
  return invalidField(field, issue);
}
