import { type Asset, findAssets } from '../../assets/face.ts';
import { dayOf } from '../../kernel/calendar-date.ts';
import type { ReleaseId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import {
  refuseResubmit,
  refuseSubmit,
  refuseDuplicate,
  type Release,
  releaseNotFound,
  type ConflictingRelease,
  withSubmission,
} from '../domain/release.ts';
import { requiredAssetsOf } from '../domain/required-assets.ts';
import { snapshotOf } from '../domain/snapshot.ts';
import type { Submission } from '../domain/submission.ts';
import type { Track } from '../domain/track.ts';
import { releaseStatusChanged } from '../events.ts';
import { reviewSubmission } from '../messages.ts';
import { findConflictingReleases, lockRelease, updateRelease } from '../store/releases.ts';
import { insertSnapshot, insertSubmission } from '../store/submissions.ts';
import { listTracksOfRelease } from '../store/tracks.ts';

/** Spec §4.1: `draft` → `submitted`, once every precondition is met. */
export async function submitRelease(tx: Tx, id: ReleaseId): Promise<Submission> {
  const [release, conflicts] = await Promise.all([
    lockRelease(tx, id),
    findConflictingReleases(tx, id, { upc: 'own', ean: undefined, reference: undefined }),
  ]);
  if (release === undefined) throw releaseNotFound();
  enforce(refuseResubmit(release));
  return (await submitLockedRelease(tx, release, conflicts)).submission;
}

/**
 * The caller has locked the release. Every change of a track locks its release too, and a ready asset stays ready, so
 * the preconditions checked here still hold at the commit.
 */
export async function submitLockedRelease(
  tx: Tx,
  release: Release,
  conflicts: readonly ConflictingRelease[],
) {
  const { tracks, assets } = await findTracksAndAssets(tx, release);
  const required = requiredAssetsOf(release, tracks, assets);
  enforce(
    refuseSubmit({ releaseDate: release.releaseDate, ...required }, dayOf(tx.now)) ??
      refuseDuplicate(release, conflicts),
  );
  const submission: Submission = {
    id: tx.newId('sub'),
    releaseId: release.id,
    revision: release.revision,
    submittedAt: tx.now.toISOString(),
    reviewStatus: 'pending',
    findings: [],
  };
  const next = withSubmission(release, submission, tx.now);
  updateRelease(tx, next);
  insertSubmission(tx, submission);
  insertSnapshot(tx, snapshotOf(next, tracks, assets));
  appendEvent(tx, releaseStatusChanged(next, release.status));
  enqueueDurably(tx, reviewSubmission(tx.orgId, submission.id));
  return { release: next, submission };
}

/** The tracks of a release, and every asset it names. */
export async function findTracksAndAssets(
  tx: Tx,
  { id, artworkAssetId }: Release,
): Promise<{ readonly tracks: readonly Track[]; readonly assets: readonly Asset[] }> {
  const tracks = await listTracksOfRelease(tx, tx.orgId, id);
  const assetIds = [artworkAssetId, ...tracks.map(({ audioAssetId }) => audioAssetId)];
  const ids = [...new Set(assetIds.flatMap((assetId) => assetId ?? []))];
  return { tracks, assets: ids.length === 0 ? [] : await findAssets(tx, ids) };
}
