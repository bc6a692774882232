/** Contract §4: applies the fixes of some findings as one revision. */

import type { Actor } from '../../kernel/actor.ts';
import type { Changed } from '../../kernel/changed.ts';
import type { OrgId, ReleaseId } from '../../kernel/ids.ts';
import { enforce, enforceAll } from '../../kernel/problem.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { Conflict } from '../../platform/db/failures.ts';
import { applyFix } from '../domain/preflight/apply-fix.ts';
import type { CombinedFix } from '../domain/preflight/combine-fixes.ts';
import type { PreflightInput } from '../domain/preflight/preflight-input.ts';
import { contentBytesOf, refuseTooLarge } from '../domain/release-size.ts';
import {
  applyReleaseEdit,
  type Release,
  releaseNotFound,
  withTrackCount,
} from '../domain/release.ts';
import { refuseWhileReviewed } from '../domain/submission.ts';
import { lockRelease, updateRelease } from '../store/releases.ts';
import { insertRevision } from '../store/revisions.ts';
import { updateTracks } from '../store/tracks.ts';
import { findPreflightInput } from './find-preflight-input.ts';
import { combineFindingFixes } from './run-preflight.ts';

/** The combined fix. It is computed before the release is locked, because that can take long. */
export type PlannedFixes = { readonly input: PreflightInput; readonly combined: CombinedFix };

type PlanFixesRequest = {
  readonly id: ReleaseId;
  readonly findingIds: readonly string[];
  readonly orgId: OrgId;
  readonly actor: Actor;
};

/** Undefined when there is no such release. */
export async function planFixes(
  db: Database,
  { id, findingIds, orgId, actor }: PlanFixesRequest,
): Promise<PlannedFixes | undefined> {
  const input = await db.transact({ orgId, actor }, (tx) => findPreflightInput(tx, id));
  return input && { input, combined: await combineFindingFixes(orgId, input, findingIds) };
}

/** Throws a `Conflict` if the release has changed since `planFixes`: the mutation then plans again. */
export async function applyFixes(
  tx: Tx,
  id: ReleaseId,
  planned: PlannedFixes | undefined,
): Promise<Changed<Release>> {
  const release = await lockRelease(tx, id);
  if (release === undefined || planned === undefined) throw releaseNotFound();
  enforce(refuseWhileReviewed(release.submission));
  const { input, combined } = planned;
  if (release.revision !== input.release.revision) throw new Conflict('the release has changed');
  enforceAll(combined.refusals);
  const current = { ...input, release };
  return {
    before: release,
    after: storeFixedContent(tx, current, applyFix(current, combined.fix)),
  };
}

/** Writes the changed tracks and the release as one revision. */
function storeFixedContent(tx: Tx, before: PreflightInput, after: PreflightInput): Release {
  // applyFix keeps the object of a track that no fix changes.
  const tracks = after.tracks.filter((track, i) => track !== before.tracks[i]);
  const { next, changed } = applyReleaseEdit(before.release, after.release, tx.now);
  if (changed.length + tracks.length === 0) return before.release;
  // A fix that makes the release smaller is accepted, even if it is still too large.
  if (totalContentBytes(after) > totalContentBytes(before))
    enforce(refuseTooLarge(totalContentBytes(after), 'finding_ids'));
  const { trackCount } = before.release;
  const revised = changed.length > 0 ? next : withTrackCount(before.release, trackCount, tx.now);
  if (tracks.length > 0)
    updateTracks(
      tx,
      tracks.map((track) => ({ ...track, updatedAt: revised.updatedAt })),
    );
  updateRelease(tx, revised);
  insertRevision(tx, revised, tracks.length > 0 ? [...changed, 'tracks'] : changed);
  return revised;
}

const totalContentBytes = ({ release, tracks }: PreflightInput): number =>
  tracks.reduce((sum, track) => sum + contentBytesOf(track), contentBytesOf(release));
