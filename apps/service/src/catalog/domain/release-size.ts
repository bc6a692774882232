/**
 * How large a release may become. Its revision is read whole, with all tracks, by preflight, review and every delivery,
 * and the worker keeps some of them in memory.
 */

import type { Refusal } from '../../kernel/problem.ts';
import type { ReleaseContent } from './release.ts';
import type { TrackContent } from './track.ts';

/** A release with its tracks, as JSON. */
const releaseBytesMax = 1024 * 1024;

/** Ids, codes, dates and the names of fields: about as many in each release and track. */
const fixedBytes = 500;

/** Fields whose length a partner decides. */
const textFields: readonly string[] = [
  'reference',
  'metadata',
  'title',
  'version',
  'artists',
  'label',
  'territories',
  'territory',
  'genre',
  'pLine',
  'cLine',
  'catalogNumber',
] satisfies (keyof ReleaseContent | keyof TrackContent)[];

/** Of a release without its tracks, or of one track. Stored with it as `content_bytes`. */
export function contentBytesOf(content: ReleaseContent | TrackContent): number {
  const texts = Object.entries(content).filter(([field]) => textFields.includes(field));
  return fixedBytes + Buffer.byteLength(JSON.stringify(texts));
}

/** `bytes` of the release with all its tracks, as they would be. */
export function refuseTooLarge(bytes: number, field: string): Refusal | undefined {
  if (bytes <= releaseBytesMax) return undefined;
  const issue = `would make the release with its tracks ${bytes} bytes of JSON; at most ${releaseBytesMax} are allowed`;
  return {
    code: 'invalid_field',
    message: `${field} ${issue}. Shorten artists or metadata, or use more than one release.`,
    details: [{ field, issue }],
  };
}
