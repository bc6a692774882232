/**
 * A submission (spec §2.3, contract §2, §3): one revision of a release that is reviewed.
 *
 *   pending → approved | rejected
 */

import type { Id, ReleaseId } from '../../kernel/ids.ts';
import type { Refusal } from '../../kernel/problem.ts';

export const reviewStatuses = ['pending', 'approved', 'rejected'] as const;
type ReviewStatus = (typeof reviewStatuses)[number];

export type SubmissionId = Id<'sub'>;

/** Why the review rejected the submission. */
export type ReviewFinding = {
  readonly rule: string;
  /** Empty: all stores. */
  readonly stores: readonly string[];
  readonly pointer: string;
  readonly message: string;
};

/** Stored as JSON in the release, and part of each of its events: its time is text. */
export type Submission = {
  readonly id: SubmissionId;
  readonly releaseId: ReleaseId;
  readonly revision: number;
  readonly submittedAt: string;
  readonly reviewStatus: ReviewStatus;
  readonly findings: readonly ReviewFinding[];
};

export const presentSubmission = (submission: Submission) => ({
  submission_id: submission.id,
  release_id: submission.releaseId,
  revision: submission.revision,
  submitted_at: submission.submittedAt,
  review_status: submission.reviewStatus,
  findings: submission.findings.map(({ rule, stores, pointer, message }) => ({
    rule,
    applies_to: stores.length === 0 ? 'all' : [...stores],
    pointer,
    message,
  })),
});

/** Contract §3: a release does not change while its review is pending. */
export function refuseWhileReviewed(submission: Submission | null): Refusal | undefined {
  if (submission?.reviewStatus !== 'pending') return undefined;
  return {
    code: 'invalid_state',
    message:
      'The release cannot be changed while it is in review. Wait until submission.review_status is approved or rejected.',
  };
}
