/**
 * The durable handlers of a run, on the key org:run:
 *
 *   calculate   one unit of work: plan, a bucket of the first pass, taxes, a bucket of the second pass, some reversals of
 *               superseded reports, or the review; recording it enqueues the next one
 *   announce    after the approval: net amounts are pending in the balances of partners
 *   close       publishes every statement, each in a transaction of its partner, then closes the run
 *   document    after the closing: makes the PDF of every statement; the next run does not wait for it, and one that
 *               cannot be drawn does not hold up the others
 *   discard     removes what the run has written: files, rows, pending amounts
 *   removeFiles removes its files, also those of published statements; the reset of a sandbox removes its rows
 *
 * All state is in PostgreSQL and on the object store, and each handler reads the run before it works: a repeated message
 * does no harm. The engine runs one handler of a run at a time.
 */

import { workflowOwner } from '../../kernel/actor.ts';
import { hourMs } from '../../kernel/duration.ts';
import { parseEntityRef } from '../../platform/engine/lanes.ts';
import type { HandlerContext, Workflow } from '../../platform/engine/workflow.ts';
import { createSemaphore, type Semaphore } from '../../platform/process/semaphore.ts';
import {
  continueAfterPlan,
  findNextUnit,
  readBucketWork,
  recordCalculated,
  recordFinished,
  recordTaxes,
  type RunUnit,
} from '../commands/calculate-run.ts';
import {
  announceSomeNets,
  closeSomeStatements,
  withdrawSomeNets,
} from '../commands/close-statements.ts';
import {
  documentSomeStatements,
  type DocumentStatementDeps,
} from '../commands/document-statements.ts';
import {
  completeRun,
  findClosingMonth,
  isDiscarded,
  removeSomeRows,
} from '../commands/finish-run.ts';
import { planRun } from '../commands/plan-run.ts';
import { readReversalWork, recordReversals } from '../commands/reverse-reports.ts';
import { reviewCalculatedRun } from '../commands/review-run.ts';
import { calculateStored, finishStored, sumOthers } from '../connectors/bucket-work.ts';
import { calculateReversals } from '../connectors/reversal-work.ts';
import { emptyCache, removeFiles, workFolder } from '../connectors/run-files.ts';
import { runFolder } from '../domain/run.ts';
import { runService } from '../messages.ts';
import { findRun } from '../store/runs.ts';

export type RunWorkflowDeps = DocumentStatementDeps & { readonly bucketRowsMax?: number };

/** Longer than a bucket or a batch of partners takes. */
const runInactivityTimeoutMs = 2 * hourMs;

/** Documents are drawn in the background, a batch at a time in each worker; organizations take turns. */
const concurrentBatchesMax = 1;

export const runWorkflow = (deps: RunWorkflowDeps): Workflow => {
  const withSlot = createSemaphore({ atOnce: concurrentBatchesMax });
  return {
    service: runService,
    inactivityTimeoutMs: runInactivityTimeoutMs,
    handlers: handlersOf(deps, withSlot),
  };
};

const handlersOf = (deps: RunWorkflowDeps, withSlot: Semaphore): Workflow['handlers'] => ({
  calculate: (run) => calculate(run, deps),
  announce: async (run) => {
    const { orgId, id, owner } = entityOf(run);
    const status = await run.step(
      'find run',
      owner,
      async (tx) => (await findRun(tx, orgId, id))?.status ?? null,
    );
    if (status !== 'approved') return;
    await untilDone(run, 'announce', (signal) => announceSomeNets(deps.db, { orgId, id }, signal));
  },
  close: async (run) => {
    const { orgId, id, owner } = entityOf(run);
    const month = await run.step('find run', owner, (tx) => findClosingMonth(tx, id));
    if (month === null) return;
    await untilDone(run, 'close statements', (signal) =>
      closeSomeStatements(deps.db, { orgId, id, month }, signal),
    );
    await run.step('close run', owner, (tx) => completeRun(tx, id));
  },
  document: async (run) => {
    const { orgId, id } = entityOf(run);
    await untilDone(run, 'make documents', (signal) =>
      withSlot(orgId, () => documentSomeStatements(deps, { orgId, id }, signal), signal),
    );
  },
  discard: async (run) => {
    const { orgId, id, owner } = entityOf(run);
    if (!(await run.step('find run', owner, (tx) => isDiscarded(tx, id)))) return;
    await untilDone(run, 'withdraw', (signal) => withdrawSomeNets(deps.db, { orgId, id }, signal));
    await removeRunFiles(run, deps);
    while (!(await run.step('remove rows', owner, (tx) => removeSomeRows(tx, id))));
  },
  removeFiles: (run) => removeRunFiles(run, deps),
});

async function removeRunFiles(run: HandlerContext, deps: RunWorkflowDeps): Promise<void> {
  const { id } = entityOf(run);
  await run.externalStep('remove files', async () => {
    await removeFiles(deps, runFolder(id));
    return null;
  });
}

async function untilDone(
  run: HandlerContext,
  name: string,
  work: (signal: AbortSignal) => Promise<boolean>,
): Promise<void> {
  while (!(await run.externalStep(name, work)));
}

async function calculate(run: HandlerContext, deps: RunWorkflowDeps): Promise<void> {
  const { id, owner } = entityOf(run);
  const unit = await run.step('find next unit', owner, (tx) => findNextUnit(tx, id));
  if (unit !== null) await unitHandlers[unit.type](run, deps, unit as never);
}

type Unit<Type extends RunUnit['type']> = Extract<RunUnit, { readonly type: Type }>;
type UnitHandlers = {
  readonly [Type in RunUnit['type']]: (
    run: HandlerContext,
    deps: RunWorkflowDeps,
    unit: Unit<Type>,
  ) => Promise<void>;
};

/** The results of buckets do not pass through the journal: they are recorded in the step that makes them. */
const unitHandlers: UnitHandlers = {
  plan: async (run, deps, { others: parts }) => {
    const { id, owner } = entityOf(run);
    const others = await run.externalStep('sum fines', async (signal) => [
      ...(await sumOthers(deps, parts, signal)),
    ]);
    await run.step('plan', owner, (tx) => planRun(tx, id, parts, others, deps.bucketRowsMax));
    await run.step('continue', owner, (tx) => continueAfterPlan(tx, id));
  },
  calculate: async (run, deps, { bucket }) => {
    const { id, owner } = entityOf(run);
    await run.sideEffect('calculate bucket', owner, {
      claim: (tx) => readBucketWork(tx, id, bucket, 'planned'),
      execute: (work, signal) => calculateStored(deps, id, work, signal),
      record: (tx, _, stored) => recordCalculated(tx, id, bucket, stored),
      attemptsMax: bucketAttemptsMax,
    });
  },
  allocate: async (run) => {
    const { id, owner } = entityOf(run);
    await run.step('allocate taxes', owner, (tx) => recordTaxes(tx, id));
  },
  finish: async (run, deps, { bucket }) => {
    const { id, owner } = entityOf(run);
    await run.sideEffect('finish bucket', owner, {
      claim: (tx) => readBucketWork(tx, id, bucket, 'calculated'),
      execute: (work, signal) => finishStored(deps, id, work.bucket, signal),
      record: (tx, _, finished) => recordFinished(tx, id, bucket, finished),
      attemptsMax: bucketAttemptsMax,
    });
  },
  reverse: async (run, deps) => {
    const { id, owner } = entityOf(run);
    await run.sideEffect('reverse reports', owner, {
      claim: (tx) => readReversalWork(tx, id),
      execute: (statements, signal) => calculateReversals(deps, statements, signal),
      record: (tx, _, calculated) => recordReversals(tx, id, calculated),
      attemptsMax: bucketAttemptsMax,
    });
  },
  sum: async (run, deps) => {
    const { id, owner } = entityOf(run);
    await run.step('review', owner, (tx) => reviewCalculatedRun(tx, id));
    await run.externalStep('remove work files', async () => {
      await removeFiles(deps, workFolder(id));
      await emptyCache(deps);
      return null;
    });
  },
};

/** Pauses of six seconds in all. Then the handler ends; the reconciler enqueues it again. */
const bucketAttemptsMax = 8;

function entityOf({ key }: HandlerContext) {
  const { orgId, id } = parseEntityRef('run', key);
  return { orgId, id, owner: workflowOwner(orgId, runService) };
}
