/**
 * sandbox-royalties (org): what stores report and pay in the sandbox, and the months of the partner. One key for each
 * organization, so that a month closes before or after a report arrives.
 *
 *   receive   make the file → put it on the object store → register it → read it → decide and pay
 *   close     the run of the month, from its creation to its closed statements → the timer of the next month
 *   idle      nothing; its caller waits until the handlers before it have ended
 *
 * Both begin with a timer on business time. Reading and runs are the handlers of the royalties slice, which are called
 * and waited for: when a move of the clock ends, their effects are there.
 */

import { workflowOwner } from '../../kernel/actor.ts';
import { type OrgId, parseId } from '../../kernel/ids.ts';
import type { Month } from '../../kernel/month.ts';
import { parseEntityRef, UnreadableMessage } from '../../platform/engine/lanes.ts';
import type { HandlerContext, Workflow } from '../../platform/engine/workflow.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { readReportMessage, storeContent } from '../../royalties/face.ts';
import {
  findDueMonth,
  nextStepOf,
  retryClosing,
  scheduleNextClosing,
} from '../commands/close-month.ts';
import { planReport, registerPlanned, settleReport } from '../commands/receive-report.ts';
import { royaltyService } from '../messages.ts';

export type RoyaltyDeps = {
  readonly storage: Storage;
  /** An existing folder that only this process uses. */
  readonly scratchFolder: string;
};

export const royaltyWorkflow = (deps: RoyaltyDeps): Workflow => ({
  service: royaltyService,
  handlers: {
    receive: (run) => receive(run, deps),
    close,
    idle: async () => undefined,
  },
});

async function receive(run: HandlerContext, deps: RoyaltyDeps): Promise<void> {
  const { orgId, id } = parseEntityRef('rpt', run.entityRef);
  const owner = workflowOwner(orgId, royaltyService);
  const planned = await run.step('make', owner, (tx) => planReport(tx, id));
  if (planned === null) return;
  const { name, content } = planned;
  if (content !== null) {
    const stored = await run.externalStep('store', (signal) =>
      storeContent(deps, { id, name, content }, signal),
    );
    await run.step('register', owner, (tx) => registerPlanned(tx, id, planned, stored));
  }
  await run.runToCompletion(readReportMessage(orgId, id));
  await run.step('settle', owner, (tx) => settleReport(tx, id));
}

/** A run of a partner takes about ten. */
const stepsMax = 40;

async function close(run: HandlerContext): Promise<void> {
  const orgId = parseId('org', run.key);
  if (orgId === undefined) throw new UnreadableMessage(`${run.key} is not an organization id`);
  const owner = workflowOwner(orgId, royaltyService);
  const month = await run.step('find month', owner, findDueMonth);
  if (month === null) return;
  const isDone = await runMonth(run, orgId, month);
  await run.step('schedule', owner, (tx) =>
    isDone ? scheduleNextClosing(tx, month) : retryClosing(tx),
  );
}

/** False if the month could not be closed for now. */
async function runMonth(run: HandlerContext, orgId: OrgId, month: Month): Promise<boolean> {
  const owner = workflowOwner(orgId, royaltyService);
  for (let i = 0; i < stepsMax; i++) {
    const step = await run.step('next', owner, (tx) => nextStepOf(tx, month));
    if (step?.type !== 'run') return true;
    await run.runToCompletion(step.message);
  }
  return false;
}
