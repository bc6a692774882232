import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { assign } from '../../platform/engine/timers.ts';
import { type Job, type JobRequest, refuseItems } from '../domain/job.ts';
import { runJob } from '../events.ts';
import { insertJob } from '../store/jobs.ts';

export function createJob(tx: Tx, request: JobRequest): Job {
  enforce(refuseItems(request));
  const { action, defaults, items } = request;
  const job: Job = {
    id: tx.newId('job'),
    action,
    status: 'running',
    defaults,
    total: items.length,
    succeeded: 0,
    failed: 0,
    createdAt: tx.now,
    updatedAt: tx.now,
    completedAt: null,
    actor: tx.actor,
  };
  insertJob(tx, job, items);
  assign(tx, runJob(tx.orgId, job.id));
  return job;
}
