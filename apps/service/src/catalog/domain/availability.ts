/** From when a release, and whether a track, is for sale (catalogue §2). */

import type { Release } from './release.ts';
import type { Track } from './track.ts';

/** The same moment everywhere, or the start of the release date in UTC, which stands for local midnight. */
export const releaseStartsAt = ({
  releaseDate,
  releaseAt,
}: Pick<Release, 'releaseDate' | 'releaseAt'>): Date =>
  new Date(releaseAt ?? `${releaseDate}T00:00:00Z`);

/** A withdrawn track is sent to no store; null means the use types of the release. */
export const isWithdrawn = ({ useTypes }: Pick<Track, 'useTypes'>): boolean =>
  useTypes !== null && useTypes.length === 0;
