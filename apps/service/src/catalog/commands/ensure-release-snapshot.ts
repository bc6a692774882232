import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Release } from '../domain/release.ts';
import { refuseUnready, requiredAssetsOf } from '../domain/required-assets.ts';
import { type Snapshot, snapshotOf } from '../domain/snapshot.ts';
import { findSnapshot, insertSnapshot } from '../store/submissions.ts';
import { findTracksAndAssets } from './submit-release.ts';

/** The snapshot of the current revision (contract §3), stored once, so that every later send has the same content. */
export async function ensureReleaseSnapshot(tx: Tx, release: Release): Promise<Snapshot> {
  const stored = await findSnapshot(tx, tx.orgId, release.id, release.revision);
  if (stored !== undefined) return stored;
  const { tracks, assets } = await findTracksAndAssets(tx, release);
  enforce(refuseUnready(requiredAssetsOf(release, tracks, assets)));
  const snapshot = snapshotOf(release, tracks, assets);
  insertSnapshot(tx, snapshot);
  return snapshot;
}
