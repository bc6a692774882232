import { dayOf } from '../../kernel/calendar-date.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Finding } from '../domain/preflight/finding.ts';
import type { PreflightInput } from '../domain/preflight/preflight-input.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { buildPreflightInput } from './find-preflight-input.ts';
import { runPreflight } from './run-preflight.ts';

/**
 * The input of preflight with these stores alone. `today` is the day of the submission: a release that is already out,
 * or is sent to another store years later, is not refused for its date.
 */
export async function buildPreflightInputForStores(
  tx: Tx,
  snapshot: Snapshot,
  storeIds: readonly string[],
): Promise<PreflightInput> {
  const today = snapshot.release.submission?.submittedAt.slice(0, 10) ?? dayOf(tx.now);
  const wanted = new Set(storeIds);
  const input = await buildPreflightInput(tx, snapshot, today);
  const stores = input.stores.filter(({ storeId }) => wanted.has(storeId));
  return { ...input, stores };
}

export async function runPreflightForStores(
  tx: Tx,
  snapshot: Snapshot,
  storeIds: readonly string[],
): Promise<readonly Finding[]> {
  return (await runPreflight(tx.orgId, await buildPreflightInputForStores(tx, snapshot, storeIds)))
    .findings;
}
