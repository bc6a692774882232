/**
 * The review's judgement (contract §3): every rule of preflight of severity `error` is held against the
 * release, store by store. It is refused when no store would take it; what only some stores would refuse
 * is found again when it is delivered to them.
 */

import type { Finding, PreflightReport } from './preflight/finding.ts';
import type { ReviewFinding, Submission } from './submission.ts';

/** Why it is refused; nothing when at least one store would take it. */
export function rejectionReasons({ findings, stores }: PreflightReport): readonly ReviewFinding[] {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const isAcceptedBySomeStore = stores.some((store) => store.errors === 0);
  return isAcceptedBySomeStore
    ? []
    : errors.slice(0, findingsMax).map((error) => toReviewFinding(error, stores.length));
}

/** They are part of the release, and of every event about it: enough to begin with, and preflight has all. */
const findingsMax = 50;

const toReviewFinding = (
  { rule, stores, pointer, message }: Finding,
  storesInAll: number,
): ReviewFinding => ({
  rule,
  // Named only where it is some of them.
  stores: stores.length === storesInAll ? [] : stores,
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

/** What a person found. */
export const manualReviewFinding = (reason: string): ReviewFinding => ({
  rule: 'manual_review',
  stores: [],
  pointer: '',
  message: reason,
});
