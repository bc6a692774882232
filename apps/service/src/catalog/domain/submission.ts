/**
 * A submission (spec §2.3, contract §2, §3): one revision of a release, put before the review.
 *
 *   pending → approved | rejected
 */

import type { Id, ReleaseId } from '../../kernel/ids.ts';
import type { Refusal } from '../../kernel/problem.ts';

export const reviewStatuses = ['pending', 'approved', 'rejected'] as const;
type ReviewStatus = (typeof reviewStatuses)[number];

export type SubmissionId = Id<'sub'>;

/** Why the review refused it, as partners read it. */
export type ReviewFinding = {
  readonly rule: string;
  readonly stores: readonly string[];
  readonly pointer: string;
  readonly message: string;
};

/** Kept as data: it is part of the release, and of every event about it. */
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
    stores: [...stores],
    pointer,
    message,
  })),
});

/** Contract §3: nothing changes while it is being reviewed. */
export function refuseWhileReviewed(submission: Submission | null): Refusal | undefined {
  if (submission?.reviewStatus !== 'pending') return undefined;
  return {
    code: 'invalid_state',
    message: 'The release is being reviewed. It can be changed again once the review has ended.',
  };
}
