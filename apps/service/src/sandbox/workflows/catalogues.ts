/**
 * sandbox-catalogues (org)   reset   what the organization has goes, and the fictional catalogue comes
 *
 * Begun again at any point it comes to the same end: what is gone is not there to be removed, and whatever is to
 * be made is looked for first.
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
import { rescheduleRetriesNow, restartWebhooks } from '../../webhooks/face.ts';
import {
  cancelAdvanceAndFreeze,
  removeCatalogueBatch,
  restoreRealTime,
} from '../commands/reset-catalogue.ts';
import {
  describeUnreadyFiles,
  completeSeedAsset,
  createSeedAsset,
} from '../commands/seed-assets.ts';
import {
  answerDelivery,
  answerTakedown,
  changeDelivery,
  seedDelivery,
} from '../commands/seed-deliveries.ts';
import { seedRelease } from '../commands/seed-releases.ts';
import { sizeOf, upload } from '../connectors/draw-files.ts';
import { type SeedDelivery, seedDeliveries } from '../domain/seed-delivery-plan.ts';
import { type SeedFile, seedFiles } from '../domain/seed-files.ts';
import { seedReleases } from '../domain/seed-plan.ts';
import { catalogueService, runCatalogueReset } from '../messages.ts';
import { findReset, finishReset } from '../store/resets.ts';

/** Then another run goes on: the engine keeps what a run has done until it has ended. */
const batchesPerRun = 1_000;
const uploadAttemptsMax = 10;

/** A store that cannot be reached is not waited for. */
const roundsMax = 10;

export const catalogueWorkflow = (storage: Storage): Workflow => ({
  service: catalogueService,
  handlers: { reset: (run) => reset(run, storage) },
});

async function reset(run: HandlerContext, storage: Storage): Promise<void> {
  const orgId = parseId('org', run.key);
  if (orgId === undefined) throw new UnreadableMessage(`${run.key} is no organization`);
  const owner = workflowOwner(orgId, catalogueService);
  const asked = await run.step('find reset', owner, async (tx) => {
    const { status, wantsSeed, startedAt } = await findReset(tx, orgId);
    return status === 'running' && startedAt !== null
      ? { wantsSeed, startedAt: startedAt.toISOString() }
      : null;
  });
  if (asked === null) return;
  await run.step('freeze the clock', owner, cancelAdvanceAndFreeze);
  if (!(await empty(run, orgId))) {
    await run.step(
      'go on',
      owner,
      async (tx) => void enqueueDurablyInRealTime(tx, runCatalogueReset(orgId)),
    );
    return;
  }
  await run.step('restart the clock', owner, restoreRealTime);
  await restartRetries(run, orgId);
  const problem = asked.wantsSeed ? await seed(run, orgId, storage) : null;
  await run.step('finish', owner, async (tx) =>
    finishReset(tx, new Date(asked.startedAt), asked.wantsSeed && problem === null, problem),
  );
}

/** What was to be tried again by a clock that is no more is tried now. */
async function restartRetries(run: HandlerContext, orgId: OrgId): Promise<void> {
  for (let i = 0; i < batchesPerRun; i++) {
    if (!(await run.step('retries', workflowOwner(orgId, catalogueService), rescheduleRetriesNow)))
      break;
  }
  await run.step('webhooks', workflowOwner(orgId, catalogueService), restartWebhooks);
}

/** Whether nothing is left. */
async function empty(run: HandlerContext, orgId: OrgId): Promise<boolean> {
  for (let i = 0; i < batchesPerRun; i++) {
    if (!(await run.step('remove', workflowOwner(orgId, catalogueService), removeCatalogueBatch)))
      return true;
  }
  return false;
}

type Stage = (run: HandlerContext, orgId: OrgId, storage: Storage) => Promise<string | null>;

/** In order: each stage relies on what came of the one before. What went wrong, if anything did. */
async function seed(run: HandlerContext, orgId: OrgId, storage: Storage): Promise<string | null> {
  for (const stage of stages) {
    const problem = await stage(run, orgId, storage);
    if (problem !== null) return problem;
    await driveDueWork(run, orgId);
  }
  return null;
}

/** A plan is carried out item by item, each in a transaction of its own. */
const each =
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

/** Returns the message of a refusal: it would be the same again. What the item wrote before it is rolled back. */
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

const eachDelivery = (name: string, work: (tx: Tx, plan: SeedDelivery) => Promise<void>): Stage =>
  each(name, seedDeliveries, work);

const stages: readonly Stage[] = [
  seedAssets,
  each('release', seedReleases, seedRelease),
  eachDelivery('delivery', seedDelivery),
  eachDelivery('answers', answerDelivery),
  eachDelivery('changes', changeDelivery),
  eachDelivery('removals', answerTakedown),
];

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
  // The relay has them examined too; whoever comes second finds it done.
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
  const { id, needsUpload: isAwaited } = await run.step('create asset', owner, (tx) =>
    createSeedAsset(tx, file, sizeBytes),
  );
  if (!isAwaited) return id;
  const send = async (signal: AbortSignal) => {
    await upload(storage, uploadKey(orgId, id), file, signal);
    return null;
  };
  await run.externalStep('upload', send, uploadAttemptsMax);
  await run.step('uploaded', owner, (tx) => completeSeedAsset(tx, id));
  return id;
}

/**
 * Whatever is due is done, and has been sent: reviews, dispatches, what lies in the lanes of stores. The engine
 * does it too, unless the clock is held; whoever comes second finds it done.
 */
async function driveDueWork(run: HandlerContext, orgId: OrgId): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const due = await run.step('due', workflowOwner(orgId, catalogueService), listDueMessages);
    if (due.length === 0) return;
    await run.runAllToCompletion(due);
  }
}

async function listDueMessages(tx: Tx) {
  const [timers, sendings] = await Promise.all([findDueTimers(tx), listPendingSends(tx)]);
  return [
    ...timers.map(({ ref: name, message }) => ({ message, timer: name })),
    ...sendings.map((message) => ({ message, timer: undefined })),
  ];
}
