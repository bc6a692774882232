import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Release } from '../domain/release.ts';
import { refuseUnready, type Snapshot, snapshotOf } from '../domain/snapshot.ts';
import { findSnapshot, insertSnapshot } from '../store/submissions.ts';
import { findTracksAndAssets } from './submit-release.ts';

/** The release whole, as it is now (contract §3): kept, so that whoever sends it later sends the same. */
export async function ensureReleaseSnapshot(tx: Tx, release: Release): Promise<Snapshot> {
  const known = await findSnapshot(tx, tx.orgId, release.id, release.revision);
  if (known !== undefined) return known;
  const { tracks, assets } = await findTracksAndAssets(tx, release);
  const snapshot = snapshotOf(release, tracks, assets);
  enforce(refuseUnready(snapshot));
  insertSnapshot(tx, snapshot);
  return snapshot;
}
