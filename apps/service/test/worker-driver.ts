/**
 * Runs the worker's handlers in this process, without an engine, for tests of what handlers do rather than of how they
 * survive a crash. `runUntilIdle` deletes outbox rows that are due by the manual clock and handles them one after the
 * other, until none is left.
 */

import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assetWorkflow } from '../src/assets/workflows/assets.ts';
import { reviewWorkflow } from '../src/catalog/workflows/reviews.ts';
import type { Connectors } from '../src/delivery/connectors/store-connector.ts';
import { findStoreHoldings } from '../src/delivery/face.ts';
import { deliveryWorkflows } from '../src/delivery/workflows/deliveries.ts';
import { jobWorkflow } from '../src/delivery/workflows/jobs.ts';
import type { PayoutRail } from '../src/money/connectors/payout-rail.ts';
import { payoutScheduleWorkflow } from '../src/money/workflows/payout-schedules.ts';
import { payoutVerificationWorkflow } from '../src/money/workflows/payout-verifications.ts';
import { payoutWorkflow } from '../src/money/workflows/payouts.ts';
import { createIds } from '../src/platform/crypto/new-id.ts';
import { runSideEffects } from '../src/platform/engine/concurrent-side-effects.ts';
import type { EngineMessage } from '../src/platform/engine/outbox.ts';
import { fireTimer } from '../src/platform/engine/timers.ts';
import type { HandlerContext, Workflow } from '../src/platform/engine/workflow.ts';
import { openOutbound, type Outbound } from '../src/platform/outbound/post.ts';
import { reportWorkflow } from '../src/royalties/workflows/reports.ts';
import { runWorkflow } from '../src/royalties/workflows/runs.ts';
import { simulateScreening } from '../src/sandbox/commands/simulate-payouts.ts';
import { simulatedStore } from '../src/sandbox/commands/simulate-store.ts';
import { catalogueWorkflow } from '../src/sandbox/workflows/catalogues.ts';
import { clockWorkflow } from '../src/sandbox/workflows/clocks.ts';
import { royaltyWorkflow } from '../src/sandbox/workflows/royalties.ts';
import { createDirectSender } from '../src/webhooks/commands/send-new-events.ts';
import { postEventThrough } from '../src/webhooks/connectors/post-event.ts';
import { hasEventsToFanOut } from '../src/webhooks/store/direct-sends.ts';
import { webhookWorkflows } from '../src/webhooks/workflows/webhooks.ts';
import { inProcessRail } from './in-process-rail.ts';
import type { TestService } from './test-service.ts';

type OutboxRow = EngineMessage & { readonly timer: string | null };

const roundsMax = 10_000;
/** A worker empties the cache of its runs: two processes of tests must not share it. */
const ownFolder = join(tmpdir(), `tonearm-worker-${process.pid}`);
mkdirSync(ownFolder, { recursive: true });
/** Shorter than the 30 s of production, so that no test waits half a minute. */
const attemptTimeoutMs = 2_000;

export const noBatches: Connectors['ddex'] = {
  prepare: async () => {
    throw new Error('this test has no store that takes batches');
  },
};

export type WorkerDriver = {
  readonly runUntilIdle: () => Promise<number>;
  /** Handles one message, for tests that handle several at once. */
  readonly handle: (message: EngineMessage) => Promise<void>;
};

export function openWorkerDriver(
  service: TestService,
  connectors: Partial<Connectors> = {},
  outbound: Outbound = openOutbound({ policy: { allowHttp: true, allowLoopback: true } }),
  rail: PayoutRail = inProcessRail(),
  /** Instead of those with the same service. */
  otherWorkflows: readonly Workflow[] = [],
): WorkerDriver {
  const { storage } = service;
  const webhookDeps = {
    keyring: service.keyring,
    environment: service.environment,
    clock: service.clock,
    post: postEventThrough(outbound, attemptTimeoutMs),
  };
  const directSender = createDirectSender({
    ...webhookDeps,
    db: service.workerDb,
    newId: createIds(service.clock),
    logger: {
      error: ({ err }: { err: Error }) => {
        throw err;
      },
    },
  });
  /** Until no new event is left. Failed attempts leave messages for the engine. */
  const sendNewEvents = async (): Promise<void> => {
    while (await hasEventsToFanOut(service.workerDb.withoutTenant)) {
      await directSender.takeNext();
      await directSender.drain();
    }
  };
  const workflows = [
    assetWorkflow({ storage, scratchFolder: tmpdir() }),
    reviewWorkflow,
    jobWorkflow,
    clockWorkflow,
    catalogueWorkflow(storage),
    royaltyWorkflow({ storage, scratchFolder: ownFolder }),
    ...deliveryWorkflows({ simulated: simulatedStore, ddex: noBatches, ...connectors }),
    payoutWorkflow({ rail, keyring: service.keyring, screen: simulateScreening }),
    payoutVerificationWorkflow,
    runWorkflow({ storage, scratchFolder: ownFolder, db: service.workerDb }),
    reportWorkflow({
      storage,
      scratchFolder: ownFolder,
      findHoldings: (query) => findStoreHoldings(service.workerDb.withoutTenant, query),
      db: service.workerDb,
      clock: service.clock,
    }),
    payoutScheduleWorkflow(simulateScreening),
    ...webhookWorkflows(webhookDeps),
    ...otherWorkflows,
  ];
  const handlers = new Map(workflows.map((workflow) => [workflow.service, workflow.handlers]));

  const createContext = (
    message: EngineMessage,
    sentMessages: EngineMessage[],
    isCallerWaiting: boolean,
  ): HandlerContext => ({
    key: message.key,
    entityRef: message.entityRef ?? undefined,
    step: (_name, owner, work) => service.workerDb.transact(owner, work),
    externalStep: (_name, work) => work(new AbortController().signal),
    sideEffect: async (_name, owner, { claim, execute, record }) => {
      const transact = <T>(work: Parameters<typeof service.workerDb.transact<T>>[1]) =>
        service.workerDb.transact(owner, work);
      const claimed = await transact(claim);
      if (claimed === undefined) return;
      const result = await execute(claimed, new AbortController().signal);
      await transact((tx) => record(tx, claimed, result));
    },
    concurrentSideEffects: (_name, owner, sideEffects) =>
      runSideEffects(
        {
          transact: (work) => service.workerDb.transact(owner, work),
          signal: new AbortController().signal,
        },
        sideEffects,
      ),
    send: (sent) => void sentMessages.push(sent),
    isCallerWaiting,
    sleep: async () => {
      await service.sequenceEvents();
      await sendNewEvents();
    },
    runToCompletion: (called, timer) => handleAll({ ...called, timer: timer ?? null }, true),
    runAllToCompletion: async (all) => {
      for (const { message: called, timer } of all) {
        await handleAll({ ...called, timer: timer ?? null }, true);
      }
    },
    stepWithoutTenant: async (_name, work) => void (await work()),
  });

  /** Runs the handler of one message; returns the messages that it sent, which are handled later. */
  const handle = async (
    message: OutboxRow,
    isCallerWaiting = false,
  ): Promise<readonly OutboxRow[]> => {
    const sentMessages: EngineMessage[] = [];
    const context = createContext(message, sentMessages, isCallerWaiting);
    const handler = handlers.get(message.service)?.[message.handler];
    if (handler === undefined) throw new Error(`no handler ${message.service}.${message.handler}`);
    await (message.timer === null
      ? handler(context)
      : fireTimer(context, message.timer, () => handler(context)));
    return sentMessages.map((each) => ({ ...each, timer: null }));
  };

  const handleAll = async (first: OutboxRow, isCallerWaiting: boolean): Promise<void> => {
    for (let queue: readonly OutboxRow[] = [first]; queue.length > 0;) {
      const [next, ...rest] = queue;
      if (next === undefined) break;
      queue = [...rest, ...(await handle(next, isCallerWaiting))];
    }
  };

  return {
    handle: (message) => handleAll({ ...message, timer: null }, false),
    runUntilIdle: async () => {
      let handledCount = 0;
      for (let round = 0; round < roundsMax; round++) {
        await sendNewEvents();
        const due: OutboxRow[] = await service.query(
          `delete from outbox where send_at is null or send_at <= $1
           returning id, service, key, handler, entity_ref as "entityRef", timer`,
          [service.clock.now()],
        );
        if (due.length === 0) return handledCount;
        for (const row of due) await handleAll(row, false);
        handledCount += due.length;
      }
      throw new Error(`the outbox was not empty after ${roundsMax} rounds`);
    },
  };
}
