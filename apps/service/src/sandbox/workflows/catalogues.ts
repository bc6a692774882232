/**
 * sandbox-catalogues (org)   reset   removes the organization's catalogue and seeds the fictional one
 *
 * A run can start again at any point with the same result: removed rows are not found again, and every seeding step
 * first checks what exists.
 */

import { type AssetId, processAsset, uploadKey } from '../../assets/face.ts';
import { listPendingSends } from '../../delivery/face.ts';
import { workflowOwner } from '../../kernel/actor.ts';
import { type OrgId, parseId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { findDueTimers } from '../../platform/engine/frozen-clock.ts';
import { UnreadableMessage } from '../../platform/engine/lanes.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import {
  TerminalFailure,
  type HandlerContext,
  type Workflow,
} from '../../platform/engine/workflow.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { enqueueFileRemovals } from '../../royalties/face.ts';
import { rescheduleRetriesNow, restartWebhooks } from '../../webhooks/face.ts';
import {
  cancelAdvanceAndFreeze,
  endScriptedVerification,
  removeCatalogueBatch,
  restoreRealTime,
} from '../commands/reset-catalogue.ts';
import {
  describeUnreadyFiles,
  completeSeedAsset,
  createSeedAsset,
} from '../commands/seed-assets.ts';
import {
  moveToNextTimer,
  planClockMove,
  setClockBack,
  waitingServices,
} from '../commands/seed-clock.ts';
import {
  answerChange,
  answerDelivery,
  changeDelivery,
  type ChangeName,
  seedDelivery,
} from '../commands/seed-deliveries.ts';
import { seedRelease } from '../commands/seed-releases.ts';
import { sizeOf, upload } from '../connectors/draw-files.ts';
import {
  answeredDaysAgo,
  earlierDaysAgo,
  type SeedDelivery,
  seedDeliveries,
} from '../domain/seed-delivery-plan.ts';
import { type SeedFile, seedFiles } from '../domain/seed-files.ts';
import { seedReleases } from '../domain/seed-plan.ts';
import { catalogueService, runCatalogueReset } from '../messages.ts';
import { findReset, finishReset } from '../store/resets.ts';

/** The engine keeps the journal of a run until the run ends: after this many batches, a new run continues. */
const batchesPerRun = 1_000;
const uploadAttemptsMax = 10;

/** A store that cannot be reached must not keep the reset waiting. */
const roundsMax = 10;

/** Far more than the timers of the fictional catalogue. */
const timersPerMoveMax = 1_000;
const movesMax = 100;

export const catalogueWorkflow = (storage: Storage): Workflow => ({
  service: catalogueService,
  handlers: { reset: (run) => reset(run, storage) },
});

async function reset(run: HandlerContext, storage: Storage): Promise<void> {
  const orgId = parseId('org', run.key);
  if (orgId === undefined) throw new UnreadableMessage(`${run.key} is not an organization id`);
  const owner = workflowOwner(orgId, catalogueService);
  const request = await run.step('find reset', owner, async (tx) => {
    const { status, wantsSeed, startedAt } = await findReset(tx, orgId);
    return status === 'running' && startedAt !== null
      ? { wantsSeed, startedAt: startedAt.toISOString() }
      : null;
  });
  if (request === null) return;
  await run.step('freeze the clock', owner, cancelAdvanceAndFreeze);
  await removeReportFiles(run, orgId);
  if (!(await empty(run, orgId))) {
    await run.step(
      'continue',
      owner,
      async (tx) => void enqueueDurablyInRealTime(tx, runCatalogueReset(orgId)),
    );
    return;
  }
  await run.step('verification', owner, endScriptedVerification);
  const problem = request.wantsSeed ? await seed(run, orgId, storage) : null;
  await run.step('restart the clock', owner, restoreRealTime);
  await restartRetries(run, orgId);
  await run.step('finish', owner, async (tx) =>
    finishReset(tx, new Date(request.startedAt), request.wantsSeed && problem === null, problem),
  );
}

/** Retries were scheduled in the old business time: they are made now. */
async function restartRetries(run: HandlerContext, orgId: OrgId): Promise<void> {
  for (let i = 0; i < batchesPerRun; i++) {
    if (!(await run.step('retries', workflowOwner(orgId, catalogueService), rescheduleRetriesNow)))
      break;
  }
  await run.step('webhooks', workflowOwner(orgId, catalogueService), restartWebhooks);
}

/** The reports' workflow deletes the files; their keys follow from the ids, which are removed next. */
async function removeReportFiles(run: HandlerContext, orgId: OrgId): Promise<void> {
  const owner = workflowOwner(orgId, catalogueService);
  type LastReport = Awaited<ReturnType<typeof enqueueFileRemovals>>;
  let after: LastReport = null;
  do {
    const last: LastReport = after;
    after = await run.step('report files', owner, (tx) => enqueueFileRemovals(tx, last));
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

type Stage = (run: HandlerContext, orgId: OrgId, storage: Storage) => Promise<string | null>;

/** Runs the stages in order; each needs the results of the one before. Returns the first problem, or null. */
async function seed(run: HandlerContext, orgId: OrgId, storage: Storage): Promise<string | null> {
  await run.step('set the clock back', workflowOwner(orgId, catalogueService), setClockBack);
  for (const stage of stages) {
    const problem = await stage(run, orgId, storage);
    if (problem !== null) return problem;
    await driveDueWork(run, orgId);
  }
  return null;
}

/** Seeds each item of a plan in its own transaction. */
const seedEach =
  <Plan>(
    name: string,
    plans: readonly Plan[],
    work: (tx: Tx, plan: Plan) => Promise<void>,
  ): Stage =>
  async (run, orgId) => {
    for (const plan of plans) {
      const problem = await run.step(
        name,
        workflowOwner(orgId, catalogueService),
        returningProblem((tx) => work(tx, plan)),
      );
      if (problem !== null) return problem;
    }
    return null;
  };

/**
 * Returns the message of a refusal, because a retry would be refused too. The savepoint rolls back the item's
 * writes.
 */
const returningProblem =
  (work: (tx: Tx) => Promise<void>) =>
  async (tx: Tx): Promise<string | null> => {
    try {
      await tx.withSavepoint(() => work(tx));
      return null;
    } catch (error) {
      if (error instanceof Problem) return error.message;
      throw error;
    }
  };

const seedEachDelivery = (
  name: string,
  work: (tx: Tx, plan: SeedDelivery) => Promise<void>,
): Stage => seedEach(name, seedDeliveries, work);

/** What the partner requests at one time of the history, and what stores say about it. */
const changeStages = (name: ChangeName): readonly Stage[] => [
  seedEachDelivery('changes', (tx, plan) => changeDelivery(tx, plan, name)),
  seedEachDelivery('later answers', (tx, plan) => answerChange(tx, plan, name)),
];

const stages: readonly Stage[] = [
  seedAssets,
  seedEach('release', seedReleases, seedRelease),
  seedEachDelivery('delivery', seedDelivery),
  moveClockTo(answeredDaysAgo),
  seedEachDelivery('answers', answerDelivery),
  moveClockTo(earlierDaysAgo),
  ...changeStages('earlier'),
  moveClockTo(0),
  ...changeStages('latest'),
];

/** Everything that is due on the way happens, each at its own time. */
function moveClockTo(daysAgo: number): Stage {
  return async (run, orgId) => {
    const owner = workflowOwner(orgId, catalogueService);
    for (let move = 0; move < movesMax; move++) {
      const { to, isLast } = await run.step('move', owner, (tx) => planClockMove(tx, daysAgo));
      if (!(await fireTimersUntil(run, orgId, new Date(to)))) break;
      if (isLast) return null;
    }
    return 'The history of the catalogue could not be made: it has too many steps.';
  };
}

/** Returns whether the clock has arrived. */
async function fireTimersUntil(run: HandlerContext, orgId: OrgId, target: Date): Promise<boolean> {
  const owner = workflowOwner(orgId, catalogueService);
  for (let i = 0; i < timersPerMoveMax; i++) {
    const next = await run.step('next', owner, (tx) => moveToNextTimer(tx, target));
    if (next === null) return true;
    await run.runToCompletion(next.message, next.timer);
  }
  return false;
}

async function seedAssets(
  run: HandlerContext,
  orgId: OrgId,
  storage: Storage,
): Promise<string | null> {
  const placed: { readonly id: AssetId; readonly type: SeedFile['type'] }[] = [];
  try {
    for (const file of seedFiles) {
      const id = await seedAsset(run, orgId, storage, file);
      placed.push({ id, type: file.type });
    }
  } catch (error) {
    if (!(error instanceof TerminalFailure)) throw error;
    return `The files of the catalogue could not be uploaded: ${error.message}`;
  }
  // The relay sends the same messages; the second run of a handler finds the asset processed.
  await run.runAllToCompletion(placed.map((asset) => ({ message: processAsset(orgId, asset) })));
  return run.step('examined', workflowOwner(orgId, catalogueService), describeUnreadyFiles);
}

async function seedAsset(
  run: HandlerContext,
  orgId: OrgId,
  storage: Storage,
  file: SeedFile,
): Promise<AssetId> {
  const owner = workflowOwner(orgId, catalogueService);
  const sizeBytes = await run.externalStep('measure', () => sizeOf(file));
  const { id, needsUpload } = await run.step('create asset', owner, (tx) =>
    createSeedAsset(tx, file, sizeBytes),
  );
  if (!needsUpload) return id;
  const send = async (signal: AbortSignal) => {
    await upload(storage, uploadKey(orgId, id), file, signal);
    return null;
  };
  await run.externalStep('upload', send, uploadAttemptsMax);
  await run.step('uploaded', owner, (tx) => completeSeedAsset(tx, id));
  return id;
}

/** Runs everything that is due to its end: reviews, dispatches, pending sends to stores. */
async function driveDueWork(run: HandlerContext, orgId: OrgId): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const due = await run.step('due', workflowOwner(orgId, catalogueService), listDueMessages);
    if (due.length === 0) return;
    await run.runAllToCompletion(due);
  }
}

async function listDueMessages(tx: Tx) {
  const [timers, pendingSends] = await Promise.all([findDueTimers(tx), listPendingSends(tx)]);
  const fired = timers.filter(({ message }) => !waitingServices.includes(message.service));
  return [
    ...fired.map(({ ref, message }) => ({ message, timer: ref })),
    ...pendingSends.map((message) => ({ message, timer: undefined })),
  ];
}
