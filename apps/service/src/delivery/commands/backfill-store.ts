import type { ReleaseId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { TerritoryCode } from '../../kernel/territory.ts';
import { findStore } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { itemsPerJobMax, type Job } from '../domain/job.ts';
import { findReleasesMissingAt } from '../store/deliveries.ts';
import { createJob } from './create-job.ts';

type Backfill = {
  readonly storeId: string;
  /** Undefined: the territories of the newest delivery of each release. */
  readonly territoryCodes: readonly TerritoryCode[] | undefined;
  /** Starts with the release after this one. */
  readonly after: ReleaseId | undefined;
};

/** One job that delivers the releases this store was never sent, and the last of them; undefined if there are none. */
export async function backfillStore(
  tx: Tx,
  { storeId, territoryCodes, after }: Backfill,
): Promise<{ readonly job: Job; readonly last: ReleaseId } | undefined> {
  if ((await findStore(tx, storeId)) === undefined) {
    throw new Problem(
      'resource_not_found',
      `No store has the store_id ${storeId}. GET /v1/stores lists the stores.`,
    );
  }
  const missing = await findReleasesMissingAt(tx, storeId, after, itemsPerJobMax);
  const last = missing.at(-1);
  if (last === undefined) return undefined;
  const items = missing.map((each) => ({
    release_id: each.releaseId,
    stores: [storeId],
    territory_codes: territoryCodes ?? each.territoryCodes,
  }));
  const job = await createJob(tx, { action: 'deliver', defaults: {}, items }, undefined);
  return { job, last: last.releaseId };
}
