import { findExistingReleases } from '../../catalog/face.ts';
import { parseId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import { type QuotaPolicy, refuseBeyond } from '../../kernel/quota.ts';
import { findTerritoryAvailability, listStoreIds, refuseTerritories } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import { type Job, type JobRequest, type KnownTargets, refuseTargets } from '../domain/job.ts';
import { wakeJob } from '../messages.ts';
import { countRunningJobs, insertJob } from '../store/jobs.ts';

/**
 * `quotas` is undefined for an operator, whose jobs are neither limited nor counted. The items of such a job come from
 * rows, not from a request: each is checked when it runs, so that a release whose territories are no longer licensed
 * does not stop the others.
 */
export async function createJob(
  tx: Tx,
  request: JobRequest,
  quotas: QuotaPolicy | undefined,
): Promise<Job> {
  if (quotas !== undefined) {
    enforce(refuseTargets(request, await findTargets(tx, request)));
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

/** One round trip for all items together; at most 1,000 releases are looked up. */
async function findTargets(tx: Tx, { defaults, items }: JobRequest): Promise<KnownTargets> {
  const named = new Set(items.map(({ release_id }) => release_id));
  const releaseIds = [...named].flatMap((id) => parseId('rel', id) ?? []);
  const codes = [defaults, ...items].flatMap(({ territory_codes = [] }) => territory_codes);
  const [releases, storeIds, availability] = await Promise.all([
    findExistingReleases(tx, releaseIds),
    listStoreIds(tx),
    findTerritoryAvailability(tx, codes),
  ]);
  return {
    releases,
    stores: new Set(storeIds),
    refuseTerritories: (list, field) => refuseTerritories(list, availability, field),
  };
}
