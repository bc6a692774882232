import { firstDayOf, type Month, nextMonth } from '../../kernel/month.ts';
import { enforce, invalidField, type Refusal } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import type { RunId } from '../domain/run-plan.ts';
import type { FxRateSetId } from '../domain/run-rates.ts';
import { type Run, rulesVersion } from '../domain/run.ts';
import { wakeRun } from '../messages.ts';
import { findFxRateSet } from '../store/fx-rate-sets.ts';
import { findLastClosedRun, findUnfinishedRun, insertRun } from '../store/runs.ts';

/** Its calculation begins at once. */
export async function createRun(
  tx: Tx,
  { month, fxSetId }: { readonly month: Month; readonly fxSetId: FxRateSetId },
): Promise<Run> {
  enforce(refuseMonth(month, tx.now, (await findLastClosedRun(tx, tx.orgId))?.statementMonth));
  enforce(refuseSecond(await findUnfinishedRun(tx, tx.orgId)));
  if ((await findFxRateSet(tx, fxSetId)) === undefined) {
    enforce(invalidField('fx_set', 'must be the id of an FX set (fxs_… id)'));
  }
  const run: Run = {
    id: tx.newId('run'),
    statementMonth: month,
    fxSetId,
    status: 'calculating',
    rulesVersion,
    rowCount: 0,
    review: null,
    createdBy: tx.actor.id,
    approvedBy: null,
    startedAt: null,
    approvedAt: null,
    closingAt: null,
    closedAt: null,
    removedAt: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  insertRun(tx, run);
  enqueueDurablyInRealTime(tx, wakeRun(tx.orgId, run.id, 'calculate'));
  return run;
}

/** One run closes per month, and months close in order. */
function refuseMonth(month: Month, now: Date, lastClosed: Month | undefined): Refusal | undefined {
  if (lastClosed !== undefined && month <= lastClosed) {
    return invalidState(`The month ${lastClosed} is closed: later reports go to the next month.`);
  }
  const firstDayAfter = firstDayOf(nextMonth(month));
  return now.toISOString() < firstDayAfter
    ? invalidState(`The month ${month} ends on ${firstDayAfter}.`)
    : undefined;
}

const refuseSecond = (unfinished: RunId | undefined): Refusal | undefined =>
  unfinished === undefined
    ? undefined
    : invalidState(`${unfinished} is not finished: close or discard it first.`);

const invalidState = (message: string): Refusal => ({ code: 'invalid_state', message });
