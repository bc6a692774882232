/** Manual reviews. */

import { reviewManually } from '../../catalog/commands/review-submission.ts';
import { presentSubmission } from '../../catalog/domain/submission.ts';
import { listPendingReviews } from '../../catalog/store/submissions.ts';
import { switchManualReview } from '../../identity/commands/provision.ts';
import { parseId } from '../../kernel/ids.ts';
import { type Commands, oneOf, orgId, required, UsageError } from './command.ts';

export const catalogCommands: Commands = {
  'review manual': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const isOn = oneOf(flags, 'switch', ['on', 'off']) === 'on';
      await switchManualReview(tx, isOn);
      // Submissions that wait for a person keep waiting for one.
      const stillWaiting = (await listPendingReviews(tx)).length;
      const shown = { org_id: tx.orgId, manual_review: isOn, still_waiting: stillWaiting };
      return { auditedId: tx.orgId, shown };
    },
  },
  'review list': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx) => {
      const pending = await listPendingReviews(tx);
      const shown = pending.map(({ submissionId, releaseId, submittedAt }) => ({
        submission_id: submissionId,
        release_id: releaseId,
        submitted_at: submittedAt.toISOString(),
      }));
      return { auditedId: tx.orgId, shown: { pending: shown } };
    },
  },
  'review decide': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const id = parseId('sub', required(flags, 'submission'));
      if (id === undefined)
        throw new UsageError('--submission must be the id of a submission (sub_… id).');
      const isApproved = oneOf(flags, 'decision', ['approve', 'reject']) === 'approve';
      const refusal = isApproved ? undefined : required(flags, 'reason');
      const { before, after } = await reviewManually(tx, id, refusal);
      return {
        auditedId: id,
        before: presentSubmission(before),
        shown: presentSubmission(after),
      };
    },
  },
};
