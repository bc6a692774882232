/**
 * What a running handler may do, made from Restate's context: each step is one journal entry, and its transaction waits
 * for the semaphore of its organization before it takes a connection.
 */

import * as restate from '@restatedev/restate-sdk';
import type { Database, Tx, TxOwner } from '../db/database.ts';
import type { Semaphore } from '../process/semaphore.ts';
import { runSideEffects } from './concurrent-side-effects.ts';
import { callerWaitsHeader, entityRefHeader, timerHeader } from './ingress.ts';
import type { EngineMessage } from './outbox.ts';
import { fireTimer } from './timers.ts';
import { type HandlerCall, type HandlerContext, TerminalFailure } from './workflow.ts';

export type Steps = { readonly db: Database; readonly semaphore: Semaphore };

const retryIntervals = {
  initialRetryInterval: 50,
  retryIntervalFactor: 2,
  maxRetryInterval: 10_000,
};
const attemptsMaxDefault = 8;

/**
 * Seven seconds of pauses, enough for a lost connection or a restart of PostgreSQL, and at most two minutes with the
 * attempts themselves. Then the handler gives up and frees its key; the reconciler requeues its row.
 */
const stepRetry = {
  ...retryIntervals,
  maxRetryAttempts: attemptsMaxDefault,
  maxRetryDuration: 120_000,
};

/** Runs a handler; if a timer enqueued its message, only when that timer is due (`timers.ts`). */
export async function runHandler(
  ctx: restate.ObjectContext,
  handle: (run: HandlerContext) => Promise<void>,
  steps: Steps,
): Promise<void> {
  const awaitedCalls: Call[] = [];
  const run = createHandlerContext(ctx, steps, awaitedCalls);
  const handleAll = async () => {
    await handle(run);
    await allEnded(awaitedCalls);
  };
  const timer = ctx.request().headers.get(timerHeader);
  if (timer === undefined) await handleAll();
  else await fireTimer(run, timer, handleAll);
}

/** If the caller waits, each `send` is a call, collected in `awaitedCalls`, and the handler ends after all of them. */
const createHandlerContext = (
  ctx: restate.ObjectContext,
  { db, semaphore }: Steps,
  awaitedCalls: Call[],
): HandlerContext => {
  const { attemptCompletedSignal: signal, headers } = ctx.request();
  const isCallerWaiting = headers.get(callerWaitsHeader) !== undefined;
  const transact = <T>(owner: TxOwner, work: (tx: Tx) => Promise<T>): Promise<T> =>
    // The signal: the engine may give this attempt up and begin another while this one waits for the semaphore.
    semaphore(owner.orgId, () => db.transact(owner, work), signal);
  const externalStep: HandlerContext['externalStep'] = async (name, work, attemptsMax) => {
    // No maxRetryDuration: one attempt may take minutes, and each caller has its own time limit.
    const retry = { ...retryIntervals, maxRetryAttempts: attemptsMax ?? attemptsMaxDefault };
    try {
      return await ctx.run(name, () => withTerminalErrors(() => work(signal)), retry);
    } catch (error) {
      if (error instanceof restate.TerminalError)
        throw new TerminalFailure(error.message, { cause: error });
      throw error;
    }
  };
  return {
    key: ctx.key,
    entityRef: headers.get(entityRefHeader),
    isCallerWaiting,
    step: (name, owner, work) => ctx.run(name, () => transact(owner, work), stepRetry),
    stepWithoutTenant: async (name, work) => {
      await ctx.run(name, async () => void (await work()), stepRetry);
    },
    externalStep,
    sideEffect: async (name, owner, { claim, execute, record, attemptsMax }) => {
      const attempt = async () => {
        const item = await transact(owner, claim);
        if (item === undefined) return null;
        const result = await execute(item, signal);
        await transact(owner, (tx) => record(tx, item, result));
        return null;
      };
      await externalStep(name, attempt, attemptsMax);
    },
    concurrentSideEffects: (name, owner, sideEffects) =>
      externalStep(name, () =>
        runSideEffects({ transact: (work) => transact(owner, work), signal }, sideEffects),
      ),
    send: (message) => {
      if (isCallerWaiting) awaitedCalls.push(startCall(ctx, { message }));
      else ctx.genericSend(requestOf(ctx, message));
    },
    runToCompletion: (message, timer) => allEnded([startCall(ctx, { message, timer })]),
    runAllToCompletion: (calls) => allEnded(calls.map((call) => startCall(ctx, call))),
    sleep: (ms) => ctx.sleep(ms),
  };
};

/** Restate retries every error but its own TerminalError. */
async function withTerminalErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TerminalFailure) throw new restate.TerminalError(error.message);
    throw error;
  }
}

function requestOf(
  ctx: restate.ObjectContext,
  { service, key, handler, entityRef }: EngineMessage,
  headers: Record<string, string> = {},
) {
  const traceParent = ctx.request().headers.get('traceparent');
  return {
    service,
    key,
    method: handler,
    parameter: new Uint8Array(),
    inputSerde: restate.serde.binary,
    headers: {
      ...headers,
      ...(entityRef !== undefined && { [entityRefHeader]: entityRef }),
      ...(traceParent !== undefined && { traceparent: traceParent }),
    },
  };
}

type Call = restate.InvocationPromise<Uint8Array>;

function startCall(ctx: restate.ObjectContext, { message, timer }: HandlerCall): Call {
  const headers = {
    [callerWaitsHeader]: '1',
    ...(timer !== undefined && { [timerHeader]: timer }),
  };
  return ctx.genericCall({
    ...requestOf(ctx, message, headers),
    outputSerde: restate.serde.binary,
  });
}

/**
 * All calls have been started; they are awaited one after the other. Two waits at once, as with `Promise.all`, fail the
 * attempt in this SDK ("awaitNext already pending"), and the engine retries only after a pause.
 */
async function allEnded(calls: readonly Call[]): Promise<void> {
  for (const call of calls) {
    try {
      await call;
    } catch (error) {
      // A called handler that gave up has ended and was counted there. A cancellation is of this handler.
      if (!(error instanceof restate.TerminalError) || error instanceof restate.CancelledError) {
        throw error;
      }
    }
  }
}
