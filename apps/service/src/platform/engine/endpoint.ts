/**
 * The worker's side of the engine: serves handlers over HTTP/2 to calls the engine has signed, and
 * registers them under a path of their own for each release. A deployment is immutable: an invocation
 * in flight stays with the code that began it, at the path it was registered under.
 */

import {
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import * as restate from '@restatedev/restate-sdk';
import type { Logger } from 'pino';
import { minuteMs } from '../../kernel/duration.ts';
import type { Database, Tx, TxOwner } from '../db/database.ts';
import { createSemaphore, type Semaphore } from '../process/semaphore.ts';
import { handlerRuns } from '../telemetry/instruments.ts';
import { inContinuedSpan } from '../telemetry/trace.ts';
import { callerWaitsHeader, entityRefHeader, timerHeader } from './ingress.ts';
import { UnreadableMessage } from './lanes.ts';
import type { EngineMessage } from './outbox.ts';
import { runSideEffects } from './side-effects.ts';
import { fireTimer } from './timers.ts';
import {
  type HandlerCall,
  TerminalFailure,
  type HandlerContext,
  type Workflow,
} from './workflow.ts';

export type EndpointOptions = {
  readonly db: Database;
  readonly workflows: readonly Workflow[];
  /** The release these handlers are of: calls to the address of another one are refused. */
  readonly version: string;
  /** Public keys of the engines whose calls are accepted; none accepts any call, for development. */
  readonly identityKeys: readonly string[];
  /** Steps that may use the database at once; fewer than it has connections. No organization has all of them. */
  readonly stepsAtOnce: number;
  readonly logger: Logger;
};

const pauses = { initialRetryInterval: 50, retryIntervalFactor: 2, maxRetryInterval: 10_000 };
const attemptsUsually = 8;

/**
 * Seven seconds of pauses, enough for a connection that was cut or a restart of PostgreSQL, and never more than two
 * minutes with the attempts themselves. Then the handler gives up and lets go of its key; whoever keeps the row asks
 * again.
 */
const stepRetry = { ...pauses, maxRetryAttempts: attemptsUsually, maxRetryDuration: 120_000 };

/**
 * Failures outside of steps: a worker that cannot be reached, a journal that does not match the code. Three quarters
 * of a minute, longer than a worker takes to restart; then the invocation is killed, for a paused one would hold its
 * key until somebody came.
 */
const retryPolicy = {
  initialInterval: 50,
  exponentiationFactor: 2,
  maxInterval: 10_000,
  maxAttempts: 12,
  onMaxAttempts: 'kill',
} as const;

/** PostgreSQL is the memory; the engine need not keep what it has finished. */
const journalRetention = 0;

/** An organization has at most the share of steps that is left when so many have work. */
const organizationsAtOnce = 8;
const inactivityTimeout = minuteMs;
const abortTimeout = 120_000;

export function createEndpoint(options: EndpointOptions): Http2Server {
  const { db, workflows: works, version, identityKeys, stepsAtOnce, logger } = options;
  const steps: Steps = {
    db,
    semaphore: createSemaphore({
      atOnce: stepsAtOnce,
      perKeyMax: Math.max(1, Math.floor(stepsAtOnce / organizationsAtOnce)),
    }),
  };
  const handler = restate.createEndpointHandler({
    services: works.map((work) => objectOf(work, steps)),
    ...(identityKeys.length > 0 && { identityKeys: [...identityKeys] }),
    logger: (meta, ...words) => {
      const given: string = meta.level;
      const level = given === 'error' || given === 'warn' ? given : 'debug';
      logger[level]({ invocation: meta.context?.invocationId }, words.map(String).join(' '));
    },
  });
  return createServer((request, response) => {
    if (isOfVersion(request.url, version)) handler(request, response);
    else refuse(request, response);
  });
}

/** What the engine asks for, below the address a deployment was registered under. */
const enginePath = /\/([^/]+)\/(?:health|discover|(?:invoke|serdes)\/.+)$/;

const isOfVersion = (url: string, version: string): boolean =>
  enginePath.exec(url.split('?', 1)[0] ?? '')?.[1] === version;

/**
 * Another release's journal replayed by this code would fail for ever. 404 tells the engine, and whoever watches it,
 * that the release is not here.
 */
function refuse(request: Http2ServerRequest, response: Http2ServerResponse): void {
  request.resume();
  response.writeHead(404).end();
}

type Steps = { readonly db: Database; readonly semaphore: Semaphore };

function objectOf({ service, handlers, inactivityTimeoutMs: patienceMs }: Workflow, steps: Steps) {
  // An increase is seen only of what was there before.
  for (const handler of Object.keys(handlers)) {
    handlerRuns().add(0, { service, handler, outcome: 'gave_up' });
  }
  return restate.object({
    name: service,
    handlers: Object.fromEntries(
      Object.entries(handlers).map(([name, handle]) => [
        name,
        async (ctx: restate.ObjectContext) =>
          runAttempt(service, name, ctx, () => runHandler(ctx, handle, steps)),
      ]),
    ),
    options: {
      journalRetention,
      inactivityTimeout: patienceMs ?? inactivityTimeout,
      abortTimeout,
      retryPolicy,
    },
  });
}

async function runHandler(
  ctx: restate.ObjectContext,
  handle: (run: HandlerContext) => Promise<void>,
  steps: Steps,
): Promise<void> {
  const awaited: Call[] = [];
  const run = createHandlerContext(ctx, steps, awaited);
  const handleAll = async () => {
    await handle(run);
    await allEnded(awaited);
  };
  const timer = ctx.request().headers.get(timerHeader);
  if (timer === undefined) await handleAll();
  else await fireTimer(run, timer, handleAll);
}

/** One attempt of a handler, traced from what sent it, and counted. */
async function runAttempt(
  service: string,
  handler: string,
  ctx: restate.ObjectContext,
  work: () => Promise<void>,
): Promise<void> {
  const count = (outcome: 'done' | 'failed' | 'gave_up') =>
    handlerRuns().add(1, { service, handler, outcome });
  const traceParent = ctx.request().headers.get('traceparent');
  try {
    await inContinuedSpan(`${service}/${handler}`, traceParent, work);
    count('done');
  } catch (error) {
    const isGivenUp = error instanceof restate.TerminalError || error instanceof TerminalFailure;
    count(isGivenUp ? 'gave_up' : 'failed');
    // Tried again it would be no better, and it would hold its key, or its lane, meanwhile.
    if (error instanceof UnreadableMessage || error instanceof TerminalFailure) {
      throw new restate.TerminalError(error.message);
    }
    throw error;
  }
}

/** Whoever is driven waits for what it sends. */
const createHandlerContext = (
  ctx: restate.ObjectContext,
  { db, semaphore: inTurn }: Steps,
  awaited: Call[],
): HandlerContext => {
  const { attemptCompletedSignal: signal, headers } = ctx.request();
  const isDriven = headers.get(callerWaitsHeader) !== undefined;
  const transact = <T>(owner: TxOwner, work: (tx: Tx) => Promise<T>): Promise<T> =>
    // The engine may give this attempt up and begin another while it waits.
    inTurn(owner.orgId, () => db.transact(owner, work), signal);
  const act: HandlerContext['externalStep'] = async (name, work, attemptsMax) => {
    // One attempt may take minutes, so time does not count here: whoever goes out has a time limit of his own.
    const retry = { ...pauses, maxRetryAttempts: attemptsMax ?? attemptsUsually };
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
    entityRef: ctx.request().headers.get(entityRefHeader),
    step: (name, owner, work) => ctx.run(name, () => transact(owner, work), stepRetry),
    externalStep: act,
    sideEffect: async (name, owner, { claim: look, execute: go, record: note, attemptsMax }) => {
      const run = async () => {
        const seen = await transact(owner, look);
        if (seen === undefined) return null;
        const got = await go(seen, signal);
        await transact(owner, (tx) => note(tx, seen, got));
        return null;
      };
      await act(name, run, attemptsMax);
    },
    concurrentSideEffects: (name, owner, errands) =>
      act(name, () =>
        runSideEffects({ transact: (work) => transact(owner, work), signal }, errands),
      ),
    isCallerWaiting: isDriven,
    send: (message) => {
      if (isDriven) awaited.push(startCall(ctx, { message }));
      else ctx.genericSend(callOf(ctx, message));
    },
    runToCompletion: (message, timer) => allEnded([startCall(ctx, { message, timer })]),
    runAllToCompletion: (driven) => allEnded(driven.map((each) => startCall(ctx, each))),
    sleep: (ms) => ctx.sleep(ms),
    stepWithoutTenant: async (name, work) => {
      await ctx.run(name, async () => void (await work()), stepRetry);
    },
  };
};

/** What is of no use to try again is not tried again. */
async function withTerminalErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TerminalFailure) throw new restate.TerminalError(error.message);
    throw error;
  }
}

function callOf(
  ctx: restate.ObjectContext,
  message: EngineMessage,
  more: Record<string, string> = {},
) {
  const { service, key, handler, entityRef: subject } = message;
  const traceParent = ctx.request().headers.get('traceparent');
  return {
    service,
    key,
    method: handler,
    parameter: new Uint8Array(),
    inputSerde: restate.serde.binary,
    headers: {
      ...more,
      ...(subject !== undefined && { [entityRefHeader]: subject }),
      ...(traceParent !== undefined && { traceparent: traceParent }),
    },
  };
}

type Call = restate.InvocationPromise<Uint8Array>;

function startCall(ctx: restate.ObjectContext, { message, timer }: HandlerCall): Call {
  const more = { [callerWaitsHeader]: '1', ...(timer !== undefined && { [timerHeader]: timer }) };
  return ctx.genericCall({ ...callOf(ctx, message, more), outputSerde: restate.serde.binary });
}

/**
 * All of them were begun; they are waited for one after the other. Two waits at once, as of `Promise.all`, fail the
 * attempt in this SDK ("awaitNext already pending"), and the engine tries again only after a while.
 */
async function allEnded(calls: readonly Call[]): Promise<void> {
  for (const call of calls) {
    try {
      await call;
    } catch (error) {
      // It has ended, and it said what was wrong with it itself; unless it is us who are to end.
      if (!(error instanceof restate.TerminalError) || error instanceof restate.CancelledError) {
        throw error;
      }
    }
  }
}

/** Tells the engine where this release of the handlers is. Safe to repeat. */
export async function registerDeployment(adminUrl: string, uri: string): Promise<void> {
  const response = await fetch(new URL('/deployments', adminUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri }),
    signal: AbortSignal.timeout(10_000),
  });
  if (response.ok) return;
  const text = await response.text();
  throw new Error(
    `the engine refused the deployment ${uri}: ${response.status} ${text.slice(0, 500)}`,
  );
}
