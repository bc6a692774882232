/** Decides a submission: by the rules of preflight, then by a person if the organization has manual review. */

import { findOrganization } from '../../identity/face.ts';
import type { Changed } from '../../kernel/changed.ts';
import { Problem } from '../../kernel/problem.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import { type Release, withReview } from '../domain/release.ts';
import { manualReviewFinding, withReviewDecision, rejectionReasons } from '../domain/review.ts';
import {
  presentSubmission,
  type ReviewFinding,
  type Submission,
  type SubmissionId,
} from '../domain/submission.ts';
import { releaseStatusChanged } from '../events.ts';
import { notifyReleaseReviewed } from '../messages.ts';
import { lockRelease, updateReleaseStatus } from '../store/releases.ts';
import {
  markSubmissionReviewed,
  findSnapshot,
  findReleaseIdOfSubmission,
} from '../store/submissions.ts';
import { auditStatusChange } from './change-release-status.ts';
import { buildPreflightInput } from './find-preflight-input.ts';
import { runPreflight } from './run-preflight.ts';

/** A submission that is already decided does not change. */
export async function reviewAutomatically(tx: Tx, id: SubmissionId): Promise<void> {
  const pending = await lockPendingSubmission(tx, id);
  if (pending === undefined) return;
  const { release, submission } = pending;
  const [findings, account] = await Promise.all([
    findRejectionReasons(tx, submission),
    findOrganization(tx, tx.orgId),
  ]);
  if (findings.length === 0 && account?.manualReview === true) return;
  const decided = recordReviewDecision(tx, release, submission, findings);
  appendAudit(tx, {
    action: `submission.${decided.reviewStatus}`,
    auditedId: id,
    before: presentSubmission(submission),
    after: presentSubmission(decided),
  });
}

export async function reviewManually(
  tx: Tx,
  id: SubmissionId,
  rejectionReason: string | undefined,
): Promise<Changed<Submission>> {
  const pending = await lockPendingSubmission(tx, id);
  if (pending === undefined) {
    throw new Problem('invalid_state', `${id} is not a submission that waits for its review.`);
  }
  const { submission } = pending;
  // A person cannot approve what the rules reject.
  const findings =
    rejectionReason === undefined
      ? await findRejectionReasons(tx, submission)
      : [manualReviewFinding(rejectionReason)];
  return {
    before: submission,
    after: recordReviewDecision(tx, pending.release, submission, findings),
  };
}

/** As of the day of the submission, so that a late review does not find the release date in the past. */
async function findRejectionReasons(
  tx: Tx,
  { id, releaseId, revision, submittedAt }: Submission,
): Promise<readonly ReviewFinding[]> {
  const snapshot = await findSnapshot(tx, tx.orgId, releaseId, revision);
  if (snapshot === undefined) throw new Error(`${id} has no snapshot`);
  const input = await buildPreflightInput(tx, snapshot, submittedAt.slice(0, 10));
  return rejectionReasons(await runPreflight(tx.orgId, input));
}

async function lockPendingSubmission(tx: Tx, id: SubmissionId) {
  const releaseId = await findReleaseIdOfSubmission(tx, id);
  const release = releaseId && (await lockRelease(tx, releaseId));
  const submission = release?.submission;
  const isPending = submission?.id === id && submission.reviewStatus === 'pending';
  return release !== undefined && isPending ? { release, submission } : undefined;
}

function recordReviewDecision(
  tx: Tx,
  release: Release,
  submission: Submission,
  findings: readonly ReviewFinding[],
): Submission {
  const outcome = withReviewDecision(submission, findings);
  const next = withReview(release, outcome, tx.now);
  markSubmissionReviewed(tx, outcome);
  updateReleaseStatus(tx, next);
  if (next.status !== release.status) {
    appendEvent(tx, releaseStatusChanged(next, release.status));
    auditStatusChange(tx, release, next);
  }
  enqueueDurably(tx, notifyReleaseReviewed(tx.orgId, release.id));
  return outcome;
}
