import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import type { RunId } from '../domain/run-plan.ts';
import { wakeRun } from '../messages.ts';
import { findRunIds } from '../store/runs.ts';

const runsAtOnce = 500;

/**
 * For the runs of the organization after this one, before their rows are removed: the files of statements are in their
 * folders. Returns the last of them, or null if there is none.
 */
export async function enqueueRunFileRemovals(tx: Tx, after: RunId | null): Promise<RunId | null> {
  const ids = await findRunIds(tx, after, runsAtOnce);
  for (const id of ids) enqueueDurablyInRealTime(tx, wakeRun(tx.orgId, id, 'removeFiles'));
  return ids.at(-1) ?? null;
}
