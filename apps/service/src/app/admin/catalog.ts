/** Manual reviews. */

import { reviewManually } from '../../catalog/commands/review-submission.ts';
import { presentSubmission } from '../../catalog/domain/submission.ts';
import { listPendingReviews } from '../../catalog/store/submissions.ts';
import { switchManualReview } from '../../identity/commands/provision.ts';
import { command, type Commands, ofOrganization, onlyReads } from './command.ts';
import { choice, id, multilineText, onOff, orgFlag } from './flag-types.ts';
import { optional, required, UsageError } from './flag.ts';

export const catalogCommands: Commands = {
  'review manual': command({
    summary: 'set whether a person decides on submissions',
    flags: { org: orgFlag, switch: required(onOff) },
    orgOf: ofOrganization,
    run: async (tx, { switch: isOn }) => {
      await switchManualReview(tx, isOn);
      // Submissions that wait for a person keep waiting for one.
      const stillWaiting = (await listPendingReviews(tx)).length;
      const shown = { org_id: tx.orgId, manual_review: isOn, still_waiting: stillWaiting };
      return { auditedId: tx.orgId, shown };
    },
  }),
  'review list': command({
    summary: 'list the submissions that wait for a decision',
    flags: { org: orgFlag },
    noDryRun: onlyReads,
    orgOf: ofOrganization,
    run: async (tx) => {
      const pending = await listPendingReviews(tx);
      const shown = pending.map(({ submissionId, releaseId, submittedAt }) => ({
        submission_id: submissionId,
        release_id: releaseId,
        submitted_at: submittedAt.toISOString(),
      }));
      return { auditedId: tx.orgId, shown: { pending: shown } };
    },
  }),
  'review decide': command({
    summary: 'approve or reject a submission',
    flags: {
      org: orgFlag,
      submission: required(id('sub')),
      decision: required(choice(['approve', 'reject'])),
      reason: optional(multilineText, 'required to reject'),
    },
    orgOf: ofOrganization,
    run: async (tx, { submission, decision, reason }) => {
      if (decision === 'reject' && reason === undefined) {
        throw new UsageError('--reason is required to reject a submission.');
      }
      const refusal = decision === 'approve' ? undefined : reason;
      const { before, after } = await reviewManually(tx, submission, refusal);
      return {
        auditedId: submission,
        before: presentSubmission(before),
        shown: presentSubmission(after),
      };
    },
  }),
};
