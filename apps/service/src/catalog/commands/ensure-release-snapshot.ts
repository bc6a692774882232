import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Release } from '../domain/release.ts';
import { refuseUnready, requiredAssetsOf } from '../domain/required-assets.ts';
import { type Snapshot, snapshotOf } from '../domain/snapshot.ts';
import { findSnapshot, insertSnapshot } from '../store/submissions.ts';
import { findSnapshotRows } from './find-snapshot-rows.ts';
import { haveArtistsChanged, reviseArtists } from './revise-artists.ts';

/**
 * The snapshot of the current revision (contract §3), stored once, so that every later send has the same content. If an
 * artist has changed since, it is the snapshot of a new revision: callers use the revision of the snapshot. During a
 * review the release does not change, so that the review decides on what is sent.
 */
export async function ensureReleaseSnapshot(tx: Tx, release: Release): Promise<Snapshot> {
  const stored = await findSnapshot(tx, tx.orgId, release.id, release.revision);
  const isReviewed = release.submission?.reviewStatus === 'pending';
  if (stored !== undefined && (isReviewed || !(await haveArtistsChanged(tx, stored)))) {
    return stored;
  }
  const rows = await findSnapshotRows(tx, release);
  enforce(refuseUnready(requiredAssetsOf(release, rows.tracks, rows.assets)));
  const revised = stored === undefined ? release : reviseArtists(tx, release);
  const snapshot = snapshotOf(revised, rows);
  insertSnapshot(tx, snapshot);
  return snapshot;
}
