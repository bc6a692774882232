/**
 * The automatic review (contract §3) runs the preflight rules of severity `error` for every store. It rejects a release
 * that no store would accept. Errors of some stores only are found again when the release is delivered to them.
 */

import type { Finding, PreflightReport } from './preflight/finding.ts';
import type { ReviewFinding, Submission } from './submission.ts';

/** Empty when at least one store would accept the release. */
export function rejectionReasons({ findings, stores }: PreflightReport): readonly ReviewFinding[] {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const isAcceptedBySomeStore = stores.some((store) => store.errors === 0);
  return isAcceptedBySomeStore ? [] : errors.slice(0, findingsMax).map(toReviewFinding);
}

/** Bounded, because the release and each of its events contain them; preflight reports all. */
const findingsMax = 50;

const toReviewFinding = ({ rule, appliesTo, pointer, message }: Finding): ReviewFinding => ({
  rule,
  stores: appliesTo === 'all' ? [] : appliesTo,
  pointer,
  message,
});

export const withReviewDecision = (
  submission: Submission,
  findings: readonly ReviewFinding[],
): Submission => ({
  ...submission,
  reviewStatus: findings.length === 0 ? 'approved' : 'rejected',
  findings,
});

export const manualReviewFinding = (reason: string): ReviewFinding => ({
  rule: 'manual_review',
  stores: [],
  pointer: '',
  message: reason,
});
