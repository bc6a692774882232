import { enforce } from '../../kernel/problem.ts';
import { toSnakeCase } from '../../kernel/snake-case.ts';
import type { Tx } from '../../platform/db/database.ts';
import { contentBytesOf, refuseTooLarge } from '../domain/release-size.ts';
import type { ContentField, Release } from '../domain/release.ts';
import { contentBytesOfTracks } from '../store/tracks.ts';

type ReleaseGrowth = {
  readonly before: Release;
  readonly after: Release;
  readonly changed: readonly ContentField[];
};

/** Refuses an edit that makes a release with its tracks too large. The caller has locked the release. */
export async function refuseGrowth(
  tx: Tx,
  { before, after, changed }: ReleaseGrowth,
): Promise<void> {
  const bytes = contentBytesOf(after);
  const [first] = changed;
  if (bytes <= contentBytesOf(before) || first === undefined) return;
  enforce(refuseTooLarge(bytes + (await contentBytesOfTracks(tx, after.id)), toSnakeCase(first)));
}
