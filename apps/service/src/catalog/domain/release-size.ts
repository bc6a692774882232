/**
 * How large a release may become. Preflight, the review and every delivery read a revision whole, with all its tracks,
 * and the worker keeps several of them in memory.
 */

import type { Refusal } from '../../kernel/problem.ts';
import { namesOf } from './optional-fields.ts';
import { type ContentField, type ReleaseContent, unsetReleaseFields } from './release.ts';
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

/** The size of a release without its tracks, or of one track; stored as `content_bytes`. */
export function contentBytesOf(content: ReleaseContent | TrackContent): number {
  const texts = Object.entries(content).filter(
    // The names of unset fields are among the fixed bytes.
    ([field, value]) => value !== null && countedFields.has(field),
  );
  return fixedBytes + Buffer.byteLength(JSON.stringify(texts));
}

/** `bytes`: the size of the release with all its tracks after the change. */
export function refuseTooLarge(bytes: number, field: string): Refusal | undefined {
  if (bytes <= releaseBytesMax) return undefined;
  const issue = `would make the release with its tracks ${bytes} bytes of JSON; at most ${releaseBytesMax} are allowed`;
  return {
    code: 'invalid_field',
    message: `${field} ${issue}. Shorten artists, contributors or metadata, or use more than one release.`,
    details: [{ field, issue }],
  };
}
