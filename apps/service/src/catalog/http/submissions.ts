/** Submits a release (spec §4.1). */

import { ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { submitRelease } from '../commands/submit-release.ts';
import { presentRelease } from '../domain/present-release.ts';
import { presentSubmission } from '../domain/submission.ts';
import { releaseExamples } from './release-examples.ts';
import { EmptyBody, ReleasePath, SubmissionBody } from './release-schemas.ts';
import { releaseIdOf } from './releases.ts';

export function submissionRoutes(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'submitRelease',
      action: 'release.submit',
      effect: 'changes',
      tag: 'Releases',
      summary: 'Submit a release',
      description:
        'Submits the release for review and returns it. The release must have at least one track, ready audio for each track, ready artwork, and a `release_date` in the future; the error lists every condition that is not met. `submission.review_status` is the result of the review. You can create deliveries at once: they wait for the review.',
      method: 'POST',
      path: '/v1/releases/:release_id/submit',
      scope: 'releases:write',
      params: ReleasePath,
      body: EmptyBody,
      answers: { 200: SubmissionBody },
      examples: releaseExamples.submitRelease,
      problems: [
        'resource_not_found',
        'invalid_state',
        'asset_not_ready',
        'release_not_submittable',
        'duplicate_submission',
      ],
    },
    async (tx, { params }) => {
      const id = releaseIdOf(params);
      const { submission, before, after } = await submitRelease(tx, id);
      return {
        answer: ok(presentSubmission(submission)),
        auditedId: id,
        before: presentRelease(before),
        after: presentRelease(after),
      };
    },
  );
}
