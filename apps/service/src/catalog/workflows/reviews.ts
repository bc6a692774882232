/** The automatic review of a submission, in one step (contract §3). */

import { workflowOwner } from '../../kernel/actor.ts';
import { parseEntityRef } from '../../platform/engine/lanes.ts';
import type { Workflow } from '../../platform/engine/workflow.ts';
import { reviewAutomatically } from '../commands/review-submission.ts';
import { reviewService } from '../messages.ts';

export const reviewWorkflow: Workflow = {
  service: reviewService,
  handlers: {
    review: async (run) => {
      const { orgId, id } = parseEntityRef('sub', run.key);
      const owner = workflowOwner(orgId, reviewService);
      await run.step('review', owner, (tx) => reviewAutomatically(tx, id));
    },
  },
};
