/**
 * The month of a partner in the sandbox, as a run of its own: created, calculated, approved and closed by the handlers
 * that runs of live have. Its states follow each other without an operator.
 */

import type { Changed } from '../../kernel/changed.ts';
import type { Month } from '../../kernel/month.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { EngineMessage } from '../../platform/engine/outbox.ts';
import { presentRun } from '../domain/present-run.ts';
import type { FxRateSetId } from '../domain/run-rates.ts';
import type { Run } from '../domain/run.ts';
import { type RunHandler, wakeRun } from '../messages.ts';
import { findLastClosedRun, findRun, findUnfinishedRun } from '../store/runs.ts';
import { createRun } from './create-run.ts';
import { approveRun, closeRun, discardRun, startRun } from './move-run.ts';

export type MonthStep =
  | { readonly type: 'run'; readonly message: EngineMessage }
  | { readonly type: 'closed' }
  /** The run had problems and is discarded: its reports wait for the next month. */
  | { readonly type: 'blocked' };

type MonthToClose = { readonly month: Month; readonly fxSetId: FxRateSetId };

/** Which handler of the run is next; its effects are read before the step after it. */
export async function nextMonthStep(tx: Tx, { month, fxSetId }: MonthToClose): Promise<MonthStep> {
  const lastClosed = (await findLastClosedRun(tx, tx.orgId))?.statementMonth;
  if (lastClosed !== undefined && month <= lastClosed) return { type: 'closed' };
  const run = (await findUnfinished(tx)) ?? (await createOwnRun(tx, { month, fxSetId }));
  const handler = await moveRun(tx, run);
  return handler === null
    ? { type: 'blocked' }
    : { type: 'run', message: wakeRun(tx.orgId, run.id, handler) };
}

async function findUnfinished(tx: Tx): Promise<Run | undefined> {
  const id = await findUnfinishedRun(tx, tx.orgId);
  return id && findRun(tx, tx.orgId, id);
}

async function createOwnRun(tx: Tx, month: MonthToClose): Promise<Run> {
  const run = await createRun(tx, month);
  appendAudit(tx, {
    action: 'run.created',
    auditedId: run.id,
    before: undefined,
    after: presentRun(run),
  });
  return run;
}

/** The handler that does the next part; null if the run has just been discarded. */
async function moveRun(tx: Tx, { id, status, review, closingAt }: Run): Promise<RunHandler | null> {
  switch (status) {
    case 'draft':
      audit(tx, await startRun(tx, id));
      return 'calculate';
    case 'review':
      if ((review?.problems ?? []).length === 0) {
        audit(tx, await approveRun(tx, id));
        return 'announce';
      }
      audit(tx, await discardRun(tx, id));
      return null;
    case 'approved':
      if (closingAt === null) audit(tx, await closeRun(tx, id));
      return 'close';
    case 'discarded':
      return 'discard';
    default:
      return 'calculate';
  }
}

const audit = (tx: Tx, { before, after }: Changed<Run>): void =>
  appendAudit(tx, {
    action: `run.${after.status}`,
    auditedId: after.id,
    before: presentRun(before),
    after: presentRun(after),
  });
