/**
 * A snapshot belongs to a revision. When an artist has changed since, for example its page at a store, the same entries
 * mean something else, and stores need a message: the release gets a new revision.
 */

import type { Tx } from '../../platform/db/database.ts';
import { toCreditedArtists } from '../domain/credited-artists.ts';
import { isDeepEqual, type Release, withTrackCount } from '../domain/release.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { findArtistsAndSurvivors } from '../store/artists.ts';
import { updateReleaseRevision } from '../store/releases.ts';
import { insertRevision } from '../store/revisions.ts';

/** Whether stores would get other artists now than with this snapshot. */
export async function haveArtistsChanged(tx: Tx, { artists }: Snapshot): Promise<boolean> {
  const ids = artists.map(({ id }) => id);
  const found = await findArtistsAndSurvivors(tx, ids);
  return !isDeepEqual(artists, toCreditedArtists(ids, found));
}

/** A new revision with the same content. The caller has locked the release. */
export function reviseArtists(tx: Tx, release: Release): Release {
  const next = withTrackCount(release, release.trackCount, tx.now);
  updateReleaseRevision(tx, next);
  insertRevision(tx, next, ['artists']);
  return next;
}
