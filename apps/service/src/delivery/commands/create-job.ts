import { enforce } from '../../kernel/problem.ts';
import { type QuotaPolicy, refuseBeyond } from '../../kernel/quota.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import { type Job, type JobRequest, refuseItems } from '../domain/job.ts';
import { wakeJob } from '../messages.ts';
import { countRunningJobs, insertJob } from '../store/jobs.ts';

/** `quotas` is undefined for an operator, whose jobs are neither limited nor counted. */
export async function createJob(
  tx: Tx,
  request: JobRequest,
  quotas: QuotaPolicy | undefined,
): Promise<Job> {
  enforce(refuseItems(request));
  if (quotas !== undefined) {
    const running = await countRunningJobs(tx, quotas.delivery_jobs_running);
    enforce(refuseBeyond(quotas, 'delivery_jobs_running', running + 1));
  }
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
  enqueueDurably(tx, wakeJob(tx.orgId, job.id));
  return job;
}
