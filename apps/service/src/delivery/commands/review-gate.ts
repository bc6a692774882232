import type { Release } from '../../catalog/face.ts';
import type { Refusal } from '../../kernel/problem.ts';
import type { Rejection } from '../domain/message.ts';

export type ReviewGate =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  | { readonly kind: 'open' };

const reasonMax = 2_000;

/**
 * Whether the review lets a revision through. A rejection applies to every later revision until the release is
 * submitted again: an edit alone does not lift it. A revision after the approved one is checked by the rules at its
 * dispatch.
 */
export function reviewGate({ submission }: Release, revision: number): ReviewGate {
  if (submission?.reviewStatus === 'rejected') {
    return { kind: 'refused', rejection: reviewRejection(submission.findings) };
  }
  const isPending = submission?.reviewStatus === 'pending' && submission.revision === revision;
  return { kind: isPending ? 'waiting' : 'open' };
}

export const refuseRejectedByReview = ({ kind }: ReviewGate): Refusal | undefined =>
  kind === 'refused'
    ? {
        code: 'invalid_state',
        message:
          'The review rejected this release. Correct it and submit it again, then deliver it.',
      }
    : undefined;

export const reviewRejection = (
  findings: readonly { readonly pointer: string; readonly message: string }[],
): Rejection => ({
  code: 'review_rejected',
  reason: findings
    .map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`))
    .join(' ')
    .slice(0, reasonMax)
    .toWellFormed(),
});
