/**
 * The fictional catalogue, as stages of the reset's handler: what the partner did, what stores answered, and the clock
 * that is moved from the past to the present meanwhile.
 */

import { type AssetId, processAsset, uploadKey } from '../../assets/face.ts';
import { listPendingSends } from '../../delivery/face.ts';
import { workflowOwner } from '../../kernel/actor.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { findDueTimers } from '../../platform/engine/frozen-clock.ts';
import { type HandlerContext, TerminalFailure } from '../../platform/engine/workflow.ts';
import type { Storage } from '../../platform/storage/storage.ts';
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
import { seedReports } from '../commands/seed-royalties.ts';
import { sizeOf, upload } from '../connectors/draw-files.ts';
import {
  answeredDaysAgo,
  earlierDaysAgo,
  historyDays,
  type SeedDelivery,
  seedDeliveries,
} from '../domain/seed-delivery-plan.ts';
import { type SeedFile, seedFiles } from '../domain/seed-files.ts';
import { seedReleases } from '../domain/seed-plan.ts';
import {
  earningRelease,
  earningDelivery,
  reportsPlannedDaysAgo,
  royaltyHistoryDays,
} from '../domain/seed-royalties.ts';
import { catalogueService } from '../messages.ts';

const uploadAttemptsMax = 10;

/** A store that cannot be reached must not keep the reset waiting. */
const roundsMax = 10;

/** Far more than the timers of the fictional catalogue. */
const timersPerMoveMax = 1_000;
const movesMax = 300;

type History = { readonly days: number; readonly stages: readonly Stage[] };

type Stage = (run: HandlerContext, orgId: OrgId, storage: Storage) => Promise<string | null>;

/** Runs the stages in order; each needs the results of the one before. Returns the first problem, or null. */
export async function seedCatalogue(
  run: HandlerContext,
  orgId: OrgId,
  storage: Storage,
  { days, stages }: History,
): Promise<string | null> {
  const owner = workflowOwner(orgId, catalogueService);
  await run.step('set the clock back', owner, (tx) => setClockBack(tx, days));
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

const catalogueStages: readonly Stage[] = [
  seedEach('release', seedReleases, seedRelease),
  seedEachDelivery('delivery', seedDelivery),
  moveClockTo(answeredDaysAgo),
  seedEachDelivery('answers', answerDelivery),
  moveClockTo(earlierDaysAgo),
  ...changeStages('earlier'),
  moveClockTo(0),
  ...changeStages('latest'),
];

export const usualHistory: History = {
  days: historyDays,
  stages: [seedAssets, ...catalogueStages],
};

/** Begins earlier, with a release that has earned something. */
export const royaltyHistory: History = {
  days: royaltyHistoryDays,
  stages: [
    seedAssets,
    seedEach('release', [earningRelease], seedRelease),
    seedEach('delivery', [earningDelivery], seedDelivery),
    moveClockTo(reportsPlannedDaysAgo),
    seedEach('reports', [null], seedReports),
    moveClockTo(historyDays),
    ...catalogueStages,
  ],
};

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
