/**
 * sandbox-catalogues (org)   reset   removes the organization's catalogue and seeds the fictional one
 *
 * A run can start again at any point with the same result: removed rows are not found again, and every seeding step
 * first checks what exists.
 */

import { removeKeptMessages } from '../../delivery/face.ts';
import { workflowOwner } from '../../kernel/actor.ts';
import { type OrgId, parseId } from '../../kernel/ids.ts';
import type { Tx } from '../../platform/db/database.ts';
import { UnreadableMessage } from '../../platform/engine/lanes.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import type { HandlerContext, Workflow } from '../../platform/engine/workflow.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { enqueueFileRemovals, enqueueRunFileRemovals } from '../../royalties/face.ts';
import { rescheduleRetriesNow, restartWebhooks } from '../../webhooks/face.ts';
import {
  cancelAdvanceAndFreeze,
  endScriptedVerification,
  removeCatalogueBatch,
  restoreRealTime,
} from '../commands/reset-catalogue.ts';
import { awaitRoyaltyWork, catalogueService, runCatalogueReset } from '../messages.ts';
import { findReset, finishReset } from '../store/resets.ts';
import { royaltyHistory, seedCatalogue, usualHistory } from './seed-catalogue.ts';

/** The engine keeps the journal of a run until the run ends: after this many batches, a new run continues. */
const batchesPerRun = 1_000;

export const catalogueWorkflow = (storage: Storage): Workflow => ({
  service: catalogueService,
  handlers: { reset: (run) => reset(run, storage) },
});

async function reset(run: HandlerContext, storage: Storage): Promise<void> {
  const orgId = parseId('org', run.key);
  if (orgId === undefined) throw new UnreadableMessage(`${run.key} is not an organization id`);
  const owner = workflowOwner(orgId, catalogueService);
  const request = await run.step('find reset', owner, async (tx) => {
    const { status, wantsSeed, wantsRoyalties, startedAt } = await findReset(tx, orgId);
    return status === 'running' && startedAt !== null
      ? { wantsSeed, wantsRoyalties, startedAt: startedAt.toISOString() }
      : null;
  });
  if (request === null) return;
  await run.step('freeze the clock', owner, cancelAdvanceAndFreeze);
  // A month that is being closed would add rows to those that are removed.
  await run.runToCompletion(awaitRoyaltyWork(orgId));
  await removeInPages(run, orgId, enqueueFileRemovals);
  await removeInPages(run, orgId, enqueueRunFileRemovals);
  if (!(await empty(run, orgId))) {
    await run.step(
      'continue',
      owner,
      async (tx) => void enqueueDurablyInRealTime(tx, runCatalogueReset(orgId)),
    );
    return;
  }
  await removeMessages(run, orgId, storage);
  await run.step('verification', owner, endScriptedVerification);
  const history = request.wantsRoyalties ? royaltyHistory : usualHistory;
  const problem = request.wantsSeed ? await seedCatalogue(run, orgId, storage, history) : null;
  await run.step('restart the clock', owner, restoreRealTime);
  await restartRetries(run, orgId);
  await run.step('finish', owner, async (tx) =>
    finishReset(tx, new Date(request.startedAt), request.wantsSeed && problem === null, problem),
  );
}

/** After their rows, so that no message is shown without its file. */
async function removeMessages(run: HandlerContext, orgId: OrgId, storage: Storage): Promise<void> {
  for (let i = 0; i < batchesPerRun; i++) {
    if (!(await run.externalStep('remove messages', () => removeKeptMessages(storage, orgId))))
      return;
  }
}

/** Retries were scheduled in the old business time: they are made now. */
async function restartRetries(run: HandlerContext, orgId: OrgId): Promise<void> {
  for (let i = 0; i < batchesPerRun; i++) {
    if (!(await run.step('retries', workflowOwner(orgId, catalogueService), rescheduleRetriesNow)))
      break;
  }
  await run.step('webhooks', workflowOwner(orgId, catalogueService), restartWebhooks);
}

/** Other workflows delete the files of reports and runs; their keys follow from the ids, whose rows are removed next. */
async function removeInPages<LastId extends string>(
  run: HandlerContext,
  orgId: OrgId,
  enqueueRemovals: (tx: Tx, after: LastId | null) => Promise<LastId | null>,
): Promise<void> {
  const owner = workflowOwner(orgId, catalogueService);
  let after: LastId | null = null;
  do {
    const last: LastId | null = after;
    after = await run.step('remove files', owner, (tx) => enqueueRemovals(tx, last));
  } while (after !== null);
}

/** Returns whether the catalogue is empty. */
async function empty(run: HandlerContext, orgId: OrgId): Promise<boolean> {
  for (let i = 0; i < batchesPerRun; i++) {
    if (!(await run.step('remove', workflowOwner(orgId, catalogueService), removeCatalogueBatch)))
      return true;
  }
  return false;
}
