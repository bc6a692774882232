/** Submits a release (spec §4.1). */

import { ok } from '../../platform/http/answer.ts';
import type { Server } from '../../platform/http/fastify-types.ts';
import { mutation, type MutationDeps } from '../../platform/http/mutation.ts';
import { submitRelease } from '../commands/submit-release.ts';
import { presentSubmission } from '../domain/submission.ts';
import { NoBody, ReleasePath, SubmissionBody } from './release-schemas.ts';
import { releaseIdOf } from './releases.ts';

export function submissionRoutes(server: Server, deps: MutationDeps): void {
  mutation(
    server,
    deps,
    {
      id: 'submitRelease',
      action: 'release.submit',
      tag: 'Releases',
      summary: 'Submit a release',
      description:
        'At least one track, ready audio for each, ready artwork, and a release_date in the future. Every unmet condition is listed. A review follows; its outcome is in submission.review_status.',
      method: 'POST',
      path: '/v1/releases/:release_id/submit',
      scope: 'releases:write',
      params: ReleasePath,
      body: NoBody,
      answers: { 200: SubmissionBody },
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
      const submission = await submitRelease(tx, id);
      return { answer: ok(presentSubmission(submission)), auditedId: id };
    },
  );
}
