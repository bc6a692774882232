import { dayOf } from '../../kernel/calendar-date.ts';
import type { Changed } from '../../kernel/changed.ts';
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
import { releaseStatusChanged } from '../events.ts';
import { reviewSubmission } from '../messages.ts';
import { findConflictingReleases } from '../store/release-conflicts.ts';
import { lockRelease, updateRelease } from '../store/releases.ts';
import { findSnapshot, insertSnapshot, insertSubmission } from '../store/submissions.ts';
import { findSnapshotRows } from './find-snapshot-rows.ts';
import { haveArtistsChanged, reviseArtists } from './revise-artists.ts';

export type SubmittedRelease = Changed<Release> & { readonly submission: Submission };

/** Spec §4.1: `draft` → `submitted`, once every precondition is met. */
export async function submitRelease(tx: Tx, id: ReleaseId): Promise<SubmittedRelease> {
  const [release, conflicts] = await Promise.all([
    lockRelease(tx, id),
    findConflictingReleases(tx, id, { upc: 'own', ean: undefined, reference: undefined }),
  ]);
  if (release === undefined) throw releaseNotFound();
  enforce(refuseResubmit(release));
  const submitted = await submitLockedRelease(tx, release, conflicts);
  return { before: release, after: submitted.release, submission: submitted.submission };
}

/**
 * The caller has locked the release. Every change of a track locks its release too, and a ready asset stays ready, so
 * the preconditions checked here still hold at the commit.
 */
export async function submitLockedRelease(
  tx: Tx,
  locked: Release,
  conflicts: readonly ConflictingRelease[],
) {
  const rows = await findSnapshotRows(tx, locked);
  const release = await reviseResubmitted(tx, locked);
  const required = requiredAssetsOf(release, rows.tracks, rows.assets);
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
  insertSnapshot(tx, snapshotOf(next, rows));
  appendEvent(tx, releaseStatusChanged(next, release.status));
  enqueueDurably(tx, reviewSubmission(tx.orgId, submission.id));
  return { release: next, submission };
}

/** A second submission of the same revision has the first one's snapshot, unless its artists have changed since. */
async function reviseResubmitted(tx: Tx, release: Release): Promise<Release> {
  if (release.submission === null) return release;
  const stored = await findSnapshot(tx, tx.orgId, release.id, release.revision);
  const isChanged = stored !== undefined && (await haveArtistsChanged(tx, stored));
  return isChanged ? reviseArtists(tx, release) : release;
}
