/** Messages to the engine: which handler of the catalog runs, on which key. */

import type { OrgId, ReleaseId } from '../kernel/ids.ts';
import { entityRefOf } from '../platform/engine/lanes.ts';
import type { EngineMessage } from '../platform/engine/outbox.ts';
import type { SubmissionId } from './domain/submission.ts';

export const reviewService = 'reviews';
export const reviewSubmission = (orgId: OrgId, id: SubmissionId): EngineMessage => ({
  service: reviewService,
  key: entityRefOf(orgId, id),
  handler: 'review',
});

/** The delivery slice serves it: deliveries wait for the review of their release. */
export const releaseReviewService = 'release-reviews';
export const notifyReleaseReviewed = (orgId: OrgId, id: ReleaseId): EngineMessage => ({
  service: releaseReviewService,
  key: entityRefOf(orgId, id),
  handler: 'decided',
});
