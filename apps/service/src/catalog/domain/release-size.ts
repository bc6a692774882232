/**
 * How large a release may become. Preflight, the review and every delivery read a revision whole, with all its tracks,
 * and the worker keeps several of them in memory.
 */

import type { ReleaseId } from '../../kernel/ids.ts';
import type { Refusal } from '../../kernel/problem.ts';
import { namesOf } from './optional-fields.ts';
import {
  type ContentField,
  type Release,
  type ReleaseContent,
  unsetReleaseFields,
} from './release.ts';
import { type TrackContent, type TrackField, unsetTrackFields } from './track.ts';

/** A release with its tracks, as JSON. */
const releaseBytesMax = 1024 * 1024;

/** Ids, codes, dates and the names of fields take about this many bytes in each release and track. */
const fixedBytes = 750;

/** Optional fields of a bounded length: dates, words of a short list and ids. An optional field that is not listed here is counted. */
const boundedFields: readonly string[] = [
  'originalReleaseDate',
  'useTypes',
  'releaseAt',
  'preOrderDate',
  'previewStartMs',
  'type',
  'language',
  'explicit',
  'artworkAssetId',
  'audioAssetId',
  'aiUse',
  'labelId',
  'instantGratification',
] satisfies (ContentField | TrackField)[];

/** Fields whose length a partner decides. */
const countedFields: ReadonlySet<string> = new Set<ContentField | TrackField>([
  'metadata',
  'title',
  'artists',
  'contributors',
  'label',
  'territories',
  ...[...namesOf(unsetReleaseFields), ...namesOf(unsetTrackFields)].filter(
    (field) => !boundedFields.includes(field),
  ),
]);

/** Cached by object, because a track of a bulk request is measured when it is checked and when it is stored. */
const sizes = new WeakMap<ReleaseContent | TrackContent, number>();

/** The size of a release without its tracks, or of one track; stored as `content_bytes`. */
export function contentBytesOf(content: ReleaseContent | TrackContent): number {
  const known = sizes.get(content);
  if (known !== undefined) return known;
  const texts = Object.entries(content).filter(
    // The names of unset fields are among the fixed bytes.
    ([field, value]) => value !== null && countedFields.has(field),
  );
  const bytes = fixedBytes + Buffer.byteLength(JSON.stringify(texts));
  sizes.set(content, bytes);
  return bytes;
}

/** What these fields contribute to `contentBytesOf`. */
export function bytesOfFields(content: TrackContent, fields: readonly TrackField[]): number {
  const counted = fields.filter((field) => countedFields.has(field) && content[field] !== null);
  return Buffer.byteLength(JSON.stringify(counted.map((field) => [field, content[field]])));
}

/** `bytes`: the size of the release with all its tracks after the change. */
export function refuseTooLarge(bytes: number, field: string): Refusal | undefined {
  if (bytes <= releaseBytesMax) return undefined;
  const issue = `is too long: the release with its tracks would be ${bytes} bytes of JSON, and at most ${releaseBytesMax} are allowed`;
  return {
    code: 'invalid_field',
    message: `${field} ${issue}. Shorten artists, contributors or metadata, or use more than one release.`,
    details: [{ field, issue }],
  };
}

/** Of each release with all its tracks. */
export function bytesOfReleases(
  releases: readonly Release[],
  tracks: readonly { readonly releaseId: ReleaseId; readonly contentBytes: number }[],
): ReadonlyMap<ReleaseId, number> {
  const bytes = new Map(releases.map((release) => [release.id, contentBytesOf(release)]));
  for (const { releaseId, contentBytes } of tracks) {
    bytes.set(releaseId, (bytes.get(releaseId) ?? 0) + contentBytes);
  }
  return bytes;
}

type Growth = {
  readonly releaseId: ReleaseId;
  /** Negative for a track that becomes smaller. */
  readonly grownBy: number;
  readonly field: string;
};

/**
 * Refuses each track that makes its release too large, together with those before it in the request. Tracks that become
 * smaller count first, because the request is judged as a whole. `bytesBefore`: of each release with all its tracks.
 */
export function refuseGrowths(
  growths: readonly Growth[],
  bytesBefore: ReadonlyMap<ReleaseId, number>,
): readonly (Refusal | undefined)[] {
  const bytes = new Map(bytesBefore);
  const add = ({ releaseId, grownBy }: Growth): number => {
    const total = (bytes.get(releaseId) ?? 0) + grownBy;
    bytes.set(releaseId, total);
    return total;
  };
  for (const growth of growths) if (growth.grownBy < 0) add(growth);
  return growths.map((growth) =>
    growth.grownBy > 0 ? refuseTooLarge(add(growth), growth.field) : undefined,
  );
}
