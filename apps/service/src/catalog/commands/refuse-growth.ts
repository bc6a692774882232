import { enforce } from '../../kernel/problem.ts';
import { toSnakeCase } from '../../kernel/snake-case.ts';
import type { Tx } from '../../platform/db/database.ts';
import { contentBytesOf, refuseTooLarge } from '../domain/release-size.ts';
import type { ContentField, Release, ReleaseContent } from '../domain/release.ts';
import type { TrackContent, TrackField } from '../domain/track.ts';
import { contentBytesOfTracks } from '../store/tracks.ts';

type Growth<Content> = {
  readonly before: Content;
  readonly after: Content;
  readonly changed: readonly (ContentField | TrackField)[];
};

/** Refuses an edit that makes a release with its tracks too large. The caller has locked the release. */
export async function refuseGrowth(
  tx: Tx,
  release: Release,
  { before, after, changed }: Growth<ReleaseContent | TrackContent>,
): Promise<void> {
  const grownBy = contentBytesOf(after) - contentBytesOf(before);
  const [first] = changed;
  if (grownBy <= 0 || first === undefined) return;
  const bytes = contentBytesOf(release) + (await contentBytesOfTracks(tx, release.id));
  const isRelease = after === release;
  enforce(refuseTooLarge(isRelease ? bytes : bytes + grownBy, toSnakeCase(first)));
}
