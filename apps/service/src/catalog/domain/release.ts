/**
 * A release (spec §2.1, §3.1; contract §2, §3) and its rules. A draft becomes submitted, and no release becomes a draft
 * again. Every change of content increments `revision`.
 */

import type { AssetId } from '../../assets/face.ts';
import type { CalendarDate } from '../../kernel/calendar-date.ts';
import type { ArtistId, LabelId, ReleaseId } from '../../kernel/ids.ts';
import type { LanguageTag } from '../../kernel/language.ts';
import type { Pairs } from '../../kernel/pairs.ts';
import { Problem, type Refusal, type Violation, invalidField } from '../../kernel/problem.ts';
import { type Ean, shareProductCode } from '../../kernel/product-code.ts';
import { documentedTerritories, type TerritoryCode } from '../../kernel/territory.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import { isUpc } from '../../kernel/upc.ts';
import type { Upc } from '../../kernel/upc.ts';
import type { UseType } from '../../kernel/use-type.ts';
import type { ReleaseAiUse } from './ai-use.ts';
import type { LocalizedTitles } from './localized-titles.ts';
import { namesOf, unset } from './optional-fields.ts';
import { hasUnready, listUnready, type RequiredAssets } from './required-assets.ts';
import type { Submission } from './submission.ts';

export const releaseStatuses = ['draft', 'submitted', 'delivered', 'rejected'] as const;
export type ReleaseStatus = (typeof releaseStatuses)[number];

export const releaseTypes = ['single', 'ep', 'album', 'compilation'] as const;
/** What a download costs, in the price classes of each store. */
export const priceTiers = ['budget', 'mid', 'front', 'premium'] as const;
export const explicitMarks = ['explicit', 'clean', 'none'] as const;
/** How an artist is displayed. All other credits are contributors of the tracks. */
export const artistRoles = ['main', 'featured', 'remixer'] as const;

/** An artist entry of a release or a track. */
export type Artist = {
  /** The artist behind the credit; the name may differ from theirs. */
  readonly artistId?: ArtistId | undefined;
  readonly name: string;
  readonly role: (typeof artistRoles)[number];
  readonly isni?: string | undefined;
  readonly storeProfiles?: Readonly<Record<string, string>> | undefined;
};

/**
 * The fields of a release that a partner may leave out: null until it sends them, and null clears them. A new one takes
 * a line here, a column (store/releases.ts), a schema (http/release-schemas.ts) and a migration; all else follows.
 */
export const unsetReleaseFields = {
  reference: unset<string>(),
  version: unset<string>(),
  originalReleaseDate: unset<CalendarDate>(),
  /** Only with `territories` of `WORLD`: everywhere except here. */
  excludedTerritories: unset<readonly TerritoryCode[]>(),
  /** Null: all. */
  useTypes: unset<readonly UseType[]>(),
  /** The same moment everywhere, in UTC with milliseconds. Null: local midnight of `releaseDate` in every territory. */
  releaseAt: unset<string>(),
  /** Before `releaseDate`. */
  preOrderDate: unset<CalendarDate>(),
  artworkAssetId: unset<AssetId>(),
  /** The label whose name `label` was when the release was written. */
  labelId: unset<LabelId>(),
  genre: unset<string>(),
  language: unset<string>(),
  pLine: unset<string>(),
  explicit: unset<(typeof explicitMarks)[number]>(),
  type: unset<(typeof releaseTypes)[number]>(),
  cLine: unset<string>(),
  catalogNumber: unset<string>(),
  aiUse: unset<ReleaseAiUse>(),
  /** Sent to stores instead of the UPC. */
  ean: unset<Ean>(),
  priceTier: unset<(typeof priceTiers)[number]>(),
  localizedTitles: unset<LocalizedTitles>(),
  subgenre: unset<string>(),
};

/** What a partner can set on a release. */
export type ReleaseContent = Readonly<typeof unsetReleaseFields> & {
  readonly metadata: Pairs;
  readonly title: string;
  readonly artists: readonly Artist[];
  readonly releaseDate: CalendarDate;
  readonly label: string;
  /** Of titles, versions and names. */
  readonly metadataLanguage: LanguageTag;
  readonly territories: readonly TerritoryCode[];
};

export type ContentField = keyof ReleaseContent;

/** Every field that a partner can set, in the order of `changed_fields`. */
export const releaseContentFields: readonly ContentField[] = [
  ...new Set<ContentField>([
    'reference',
    'metadata',
    'title',
    'version',
    'artists',
    'releaseDate',
    'releaseAt',
    'preOrderDate',
    'originalReleaseDate',
    'label',
    'metadataLanguage',
    'territories',
    ...namesOf(unsetReleaseFields),
  ]),
];

/** The fields that a revision can name as changed. */
export type RevisedField = ContentField | 'tracks';

export type Release = ReleaseContent & {
  readonly id: ReleaseId;
  readonly upc: Upc;
  readonly status: ReleaseStatus;
  readonly trackCount: number;
  /** The latest submission; null for a draft. */
  readonly submission: Submission | null;
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type ReleaseEdit = Partial<ReleaseContent>;

/** The release after an edit, and the fields whose values differ. Without a difference there is no new revision. */
export function applyReleaseEdit(
  release: Release,
  edit: ReleaseEdit,
  now: Date,
): { readonly next: Release; readonly changed: readonly ContentField[] } {
  const territories = edit.territories && documentedTerritories(edit.territories);
  // Spec §4.1: territories are replaced in full, with their exclusions.
  const normalized: ReleaseEdit = {
    ...(territories && { excludedTerritories: null }),
    ...edit,
    ...(territories && { territories }),
  };
  const changed = releaseContentFields.filter(
    (field) => field in normalized && !isDeepEqual(release[field], normalized[field]),
  );
  if (changed.length === 0) return { next: release, changed };
  return {
    next: {
      ...release,
      ...normalized,
      revision: release.revision + 1,
      updatedAt: nextUpdatedAt(release, now),
    },
    changed,
  };
}

/** The release after a change of its tracks. */
export const withTrackCount = (release: Release, trackCount: number, now: Date): Release => ({
  ...release,
  trackCount,
  revision: release.revision + 1,
  updatedAt: nextUpdatedAt(release, now),
});

/** Objects are equal when their fields are, in any order: jsonb does not keep the order of keys. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [a, b].map((side) =>
    Object.entries(side).filter(([, value]) => value !== undefined),
  );
  if (left === undefined || right === undefined || left.length !== right.length) return false;
  const other = new Map<string, unknown>(right);
  return left.every(([key, value]) => other.has(key) && isDeepEqual(value, other.get(key)));
}

/** Contract §2: 12 digits with a valid check digit. */
export function refuseUpc(upc: string, field = 'upc'): Refusal | undefined {
  if (isUpc(upc)) return undefined;
  const issue =
    'must be 12 digits, of which the last is the GS1 check digit; omit it to have one assigned';
  return { ...invalidField(field, issue), code: 'invalid_upc' };
}

/** Spec §4.1: at least one artist has the role `main`. */
export function refuseArtists(
  artists: readonly Pick<Artist, 'role'>[],
  field = 'artists',
): Refusal | undefined {
  const issue = artistsIssue(artists);
  if (issue === undefined) return undefined;
  return invalidField(field, issue);
}

/** Bounded, because every track, revision and event has a copy; enough for an orchestra. */
const artistsTextMax = 16_000;

function artistsIssue(artists: readonly Pick<Artist, 'role'>[]): string | undefined {
  if (!artists.some(({ role }) => role === 'main')) {
    return 'must have at least one artist with the role main';
  }
  const isTooLong = JSON.stringify(artists).length > artistsTextMax;
  return isTooLong
    ? `must have at most ${artistsTextMax} characters in total; shorten it`
    : undefined;
}

/** Identifies a submission (spec §4.1). */
export type Fingerprint = Pick<Release, 'upc' | 'ean' | 'label' | 'releaseDate'>;

export type ConflictingRelease = Fingerprint & Pick<Release, 'id' | 'status' | 'reference'>;

/** Contract §3: refuses a fingerprint that another release has, unless that one is a draft. */
export function refuseDuplicate(
  fingerprint: Fingerprint,
  conflicts: readonly ConflictingRelease[],
): Refusal | undefined {
  const duplicate = conflicts.find(
    (conflict) =>
      conflict.status !== 'draft' &&
      shareProductCode(conflict, fingerprint) &&
      conflict.label === fingerprint.label &&
      conflict.releaseDate === fingerprint.releaseDate,
  );
  return (
    duplicate && {
      code: 'duplicate_submission',
      message: `${duplicate.id} was already submitted with this UPC or EAN, label and release date. Use that release, or change one of the three.`,
    }
  );
}

export function refuseTakenReference(
  reference: string | null,
  conflicts: readonly ConflictingRelease[],
): Refusal | undefined {
  const owner = conflicts.find(
    (conflict) => reference !== null && conflict.reference === reference,
  );
  return (
    owner && {
      code: 'invalid_field',
      message: `reference is already used by ${owner.id}. Send another one.`,
      details: [{ field: 'reference', issue: `is already used by ${owner.id}; send another one` }],
    }
  );
}

/** Spec §3.1: `draft` → `submitted`; contract §3: `rejected` → `submitted`. */
export const withSubmission = (release: Release, submission: Submission, now: Date): Release => ({
  ...release,
  status: 'submitted',
  submission,
  updatedAt: nextUpdatedAt(release, now),
});

/** A rejected submission makes the release `rejected`; an approved one leaves its status. */
export const withReview = (release: Release, submission: Submission, now: Date): Release => ({
  ...release,
  status: submission.reviewStatus === 'rejected' ? 'rejected' : release.status,
  submission,
  updatedAt: nextUpdatedAt(release, now),
});

export function refuseResubmit({ status }: Pick<Release, 'status'>): Refusal | undefined {
  if (status === 'draft' || status === 'rejected') return undefined;
  return {
    code: 'invalid_state',
    message: `The release is ${status}; only a draft or a rejected release can be submitted.`,
  };
}

export function refuseDelete(release: Pick<Release, 'status'>): Refusal | undefined {
  if (release.status === 'draft') return undefined;
  return {
    code: 'invalid_state',
    message: `The release is ${release.status}; only a draft can be deleted. Take it down instead.`,
  };
}

export type SubmitCandidate = Pick<Release, 'releaseDate'> & RequiredAssets;

/**
 * Spec §4.1: lists every unmet precondition, in the order of the specification. Contract §7: `asset_not_ready` when a
 * named asset is not ready.
 */
export function refuseSubmit(candidate: SubmitCandidate, today: CalendarDate): Refusal | undefined {
  const { audio, releaseDate } = candidate;
  const unready = listUnready(candidate);
  const details: Violation[] = [
    ...(audio.length === 0
      ? [{ field: 'tracks', issue: 'must have at least one track; add one with POST /v1/tracks' }]
      : []),
    ...unready.details,
    ...(releaseDate <= today
      ? [{ field: 'release_date', issue: 'must be in the future; change it with PATCH' }]
      : []),
  ];
  if (details.length === 0) return undefined;
  return {
    code: hasUnready(candidate) ? 'asset_not_ready' : 'release_not_submittable',
    message: `The release cannot be submitted yet. Meet every condition in details, then submit it again.${unready.unlisted}`,
    details,
  };
}

/** The same message for an unknown id, a malformed id and an id of another organization (contract §5). */
export const releaseNotFound = (): Problem =>
  new Problem('resource_not_found', 'No release of your organization has this id.');
