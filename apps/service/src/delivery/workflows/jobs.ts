/** Runs the items of a job one after the other, a batch in each transaction. */

import { workflowOwner } from '../../kernel/actor.ts';
import { parseEntityRef } from '../../platform/engine/lanes.ts';
import type { Workflow } from '../../platform/engine/workflow.ts';
import { runNextBatch } from '../commands/run-job.ts';
import { itemsPerJobMax } from '../domain/job.ts';
import { jobService } from '../messages.ts';
import { findJob } from '../store/jobs.ts';

export const jobWorkflow: Workflow = {
  service: jobService,
  handlers: {
    run: async (run) => {
      const { orgId, id } = parseEntityRef('job', run.key);
      const workflow = workflowOwner(orgId, jobService);
      const actor = await run.step('findActor', workflow, async (tx) => {
        const job = await findJob(tx, orgId, id);
        return job === undefined ? null : job.actor;
      });
      if (actor === null) return;
      for (let i = 0; i < itemsPerJobMax; i++) {
        const hasMore = await run.step('items', { orgId, actor }, (tx) => runNextBatch(tx, id));
        if (!hasMore) return;
      }
    },
  },
};
