import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { withTrackCount } from '../domain/release.ts';
import { refuseTrackDelete, type TrackId, trackNotFound } from '../domain/track.ts';
import { lockReleasesOfTracks, updateRelease } from '../store/releases.ts';
import { insertRevision } from '../store/revisions.ts';
import { findTrack, removeTrack, type TrackView } from '../store/tracks.ts';

/** Only from a draft (contract §4). Returns the deleted track. */
export async function deleteTrack(tx: Tx, id: TrackId): Promise<TrackView> {
  const [[release], track] = await Promise.all([
    lockReleasesOfTracks(tx, [id]),
    findTrack(tx, tx.orgId, id),
  ]);
  // The track may have been deleted while this transaction waited for the lock on its release.
  if (release === undefined || track === undefined) throw trackNotFound();
  enforce(refuseTrackDelete(release));
  removeTrack(tx, id);
  const next = withTrackCount(release, release.trackCount - 1, tx.now);
  updateRelease(tx, next);
  insertRevision(tx, next, ['tracks']);
  return track;
}
