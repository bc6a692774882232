import { Problem } from '../../kernel/problem.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import { findStore } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { itemsPerJobMax, type Job } from '../domain/job.ts';
import { releasesMissingAt } from '../store/deliveries.ts';
import { createJob } from './create-job.ts';

/** What other stores have of the organization and this one has not, as one job; repeated while there is more. */
export async function backfillStore(
  tx: Tx,
  storeId: string,
  territoryCodes: readonly TerritoryCode[],
): Promise<Job | undefined> {
  if ((await findStore(tx, storeId)) === undefined) {
    throw new Problem('resource_not_found', `There is no store ${storeId}.`);
  }
  const releaseIds = await releasesMissingAt(tx, storeId, itemsPerJobMax);
  if (releaseIds.length === 0) return undefined;
  const items = releaseIds.map((releaseId) => ({
    release_id: releaseId,
    stores: [storeId],
    territory_codes: territoryCodes,
  }));
  return createJob(tx, 'deliver', items);
}
