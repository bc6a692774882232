/** What operators decide about a run, and in the sandbox a workflow. The rest of each decision is work of the worker. */

import type { Changed } from '../../kernel/changed.ts';
import { enforce, type Refusal } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import type { RunId } from '../domain/run-plan.ts';
import { refuseMove, type Run, type RunMove, runNotFound, statusAfter } from '../domain/run.ts';
import { type RunHandler, wakeRun } from '../messages.ts';
import { hasAllTotals } from '../store/run-totals.ts';
import { findRun, hasOtherOperator, lockRun, updateRun } from '../store/runs.ts';

/** Continues a run that was canceled. */
export const startRun = (tx: Tx, id: RunId) => move(tx, id, 'start', 'calculate', () => ({}));

/** The bucket that is being calculated is finished; its result is not kept. */
export const cancelRun = (tx: Tx, id: RunId) => move(tx, id, 'cancel', undefined, () => ({}));

/** By another operator than the one who created it, if there is another. In the sandbox a workflow approves its own. */
export const approveRun = (tx: Tx, id: RunId) =>
  move(tx, id, 'approve', 'announce', async ({ createdBy }) => {
    const isOwn = tx.actor.type === 'operator' && createdBy === tx.actor.id;
    enforce(isOwn && (await hasOtherOperator(tx, tx.actor.id)) ? ownRun : undefined);
    return { approvedBy: tx.actor.id, approvedAt: tx.now };
  });

const ownRun: Refusal = {
  code: 'invalid_state',
  message: 'Another operator must approve the run: you created it.',
};

/** From here on the run cannot be discarded. */
export const closeRun = (tx: Tx, id: RunId) =>
  move(tx, id, 'close', 'close', async () => {
    enforce((await hasAllTotals(tx, id)) ? undefined : withoutTotals);
    return { closingAt: tx.now };
  });

/** It could not be closed, and a run that is being closed cannot be discarded. */
const withoutTotals: Refusal = {
  code: 'invalid_state',
  message:
    'The run was calculated by an earlier version, without the totals that summaries need. Discard it (runs discard) and calculate the month again (runs create).',
};

export const discardRun = (tx: Tx, id: RunId) => move(tx, id, 'discard', 'discard', () => ({}));

type Changes = Partial<Pick<Run, 'approvedBy' | 'approvedAt' | 'closingAt'>>;

async function move(
  tx: Tx,
  id: RunId,
  name: RunMove,
  handler: RunHandler | undefined,
  changesOf: (run: Run) => Changes | Promise<Changes>,
): Promise<Changed<Run>> {
  const before = await lockRun(tx, id);
  if (before === undefined) throw runNotFound();
  enforce(refuseMove(before, name));
  const changes = { status: statusAfter(name), ...(await changesOf(before)) };
  updateRun(tx, id, changes);
  if (handler !== undefined) enqueueDurablyInRealTime(tx, wakeRun(tx.orgId, id, handler));
  return { before, after: { ...before, ...changes, updatedAt: tx.now } };
}

export async function requireRun(tx: Tx, id: RunId): Promise<Run> {
  const run = await findRun(tx, tx.orgId, id);
  if (run === undefined) throw runNotFound();
  return run;
}
