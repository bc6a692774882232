/**
 * The worker's handlers turned by hand, for tests of what they do rather than of how they survive: whatever is
 * in the outbox and due by the test's clock is done, one after the other, until nothing is left.
 */

import { tmpdir } from 'node:os';
import { assetWorkflow } from '../src/assets/workflows/assets.ts';
import { reviewWorkflow } from '../src/catalog/workflows/reviews.ts';
import type { Connectors } from '../src/delivery/connectors/store-connector.ts';
import { deliveryWorkflows } from '../src/delivery/workflows/deliveries.ts';
import { jobWorkflow } from '../src/delivery/workflows/jobs.ts';
import type { EngineMessage } from '../src/platform/engine/outbox.ts';
import { runSideEffects } from '../src/platform/engine/side-effects.ts';
import { fireTimer } from '../src/platform/engine/timers.ts';
import type { HandlerContext } from '../src/platform/engine/workflow.ts';
import { openOutbound, type Outbound } from '../src/platform/outbound/post.ts';
import { simulatedStore } from '../src/sandbox/commands/simulate-store.ts';
import { catalogueWorkflow } from '../src/sandbox/workflows/catalogues.ts';
import { clockWorkflow } from '../src/sandbox/workflows/clocks.ts';
import { postEventThrough } from '../src/webhooks/connectors/post-event.ts';
import { webhookWorkflows } from '../src/webhooks/workflows/webhooks.ts';
import type { TestService } from './test-service.ts';

type OutboxRow = EngineMessage & { readonly timer: string | null };

const roundsMax = 10_000;
/** Shorter than a partner is given: no test waits half a minute. */
const attemptTimeoutMs = 2_000;

export type WorkerDriver = {
  readonly runUntilIdle: () => Promise<number>;
  /** One message, for tests in which several are handled at once. */
  readonly handle: (message: EngineMessage) => Promise<void>;
};

export function openWorkerDriver(
  service: TestService,
  connectors: Connectors = { simulated: simulatedStore },
  outbound: Outbound = openOutbound({ policy: { allowHttp: true, allowLoopback: true } }),
): WorkerDriver {
  const { storage } = service;
  const works = [
    assetWorkflow({ storage, scratchFolder: tmpdir() }),
    reviewWorkflow,
    jobWorkflow,
    clockWorkflow,
    catalogueWorkflow(storage),
    ...deliveryWorkflows(connectors),
    ...webhookWorkflows({
      keyring: service.keyring,
      environment: service.environment,
      clock: service.clock,
      post: postEventThrough(outbound, attemptTimeoutMs),
    }),
  ];
  const handlers = new Map(works.map((work) => [work.service, work.handlers]));

  const createRun = (
    message: EngineMessage,
    sentMessages: EngineMessage[],
    isDriven: boolean,
  ): HandlerContext => ({
    key: message.key,
    entityRef: message.entityRef ?? undefined,
    step: (_name, owner, work) => service.workerDb.transact(owner, work),
    externalStep: (_name, work) => work(new AbortController().signal),
    sideEffect: async (_name, owner, { claim: look, execute: go, record: note }) => {
      const transact = <T>(work: Parameters<typeof service.workerDb.transact<T>>[1]) =>
        service.workerDb.transact(owner, work);
      const seen = await transact(look);
      if (seen === undefined) return;
      const got = await go(seen, new AbortController().signal);
      await transact((tx) => note(tx, seen, got));
    },
    concurrentSideEffects: (_name, owner, errands) =>
      runSideEffects(
        {
          transact: (work) => service.workerDb.transact(owner, work),
          signal: new AbortController().signal,
        },
        errands,
      ),
    send: (sent) => void sentMessages.push(sent),
    isCallerWaiting: isDriven,
    sleep: () => service.sequenceEvents(),
    runToCompletion: (driven, timer) => handleAll({ ...driven, timer: timer ?? null }, true),
    runAllToCompletion: async (all) => {
      for (const { message: driven, timer } of all) {
        await handleAll({ ...driven, timer: timer ?? null }, true);
      }
    },
    stepWithoutTenant: async (_name, work) => void (await work()),
  });

  /** Returns what it sent, to be done later. */
  const handle = async (message: OutboxRow, isDriven = false): Promise<readonly OutboxRow[]> => {
    const sentMessages: EngineMessage[] = [];
    const run = createRun(message, sentMessages, isDriven);
    const handler = handlers.get(message.service)?.[message.handler];
    if (handler === undefined) throw new Error(`nobody serves ${message.service}`);
    await (message.timer === null
      ? handler(run)
      : fireTimer(run, message.timer, () => handler(run)));
    return sentMessages.map((each) => ({ ...each, timer: null }));
  };

  const handleAll = async (first: OutboxRow, isDriven: boolean): Promise<void> => {
    for (let queue: readonly OutboxRow[] = [first]; queue.length > 0;) {
      const [next, ...rest] = queue;
      if (next === undefined) break;
      queue = [...rest, ...(await handle(next, isDriven))];
    }
  };

  return {
    handle: (message) => handleAll({ ...message, timer: null }, false),
    runUntilIdle: async () => {
      let handledCount = 0;
      for (let round = 0; round < roundsMax; round++) {
        const due: OutboxRow[] = await service.query(
          `delete from outbox where send_at is null or send_at <= $1
           returning id, service, key, handler, entity_ref as "entityRef", timer`,
          [service.clock.now()],
        );
        if (due.length === 0) return handledCount;
        for (const row of due) await handleAll(row, false);
        handledCount += due.length;
      }
      throw new Error('the handlers do not come to an end');
    },
  };
}
