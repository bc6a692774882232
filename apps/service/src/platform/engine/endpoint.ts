/**
 * The worker's side of the engine: serves handlers over HTTP/2 to calls that the engine has signed, and registers them
 * under one path per release. A deployment is immutable: an invocation in flight stays with the code that began it, at
 * the path under which it was registered.
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
import type { Database } from '../db/database.ts';
import { createSemaphore } from '../process/semaphore.ts';
import { handlerRuns } from '../telemetry/instruments.ts';
import { inContinuedSpan } from '../telemetry/trace.ts';
import { runHandler, type Steps } from './handler-context.ts';
import { UnreadableMessage } from './lanes.ts';
import { TerminalFailure, type Workflow } from './workflow.ts';

export type EndpointOptions = {
  readonly db: Database;
  readonly workflows: readonly Workflow[];
  /** The release of these handlers: calls to the path of another release are refused. */
  readonly version: string;
  /** Public keys of the engines whose calls are accepted; none accepts any call, for development. */
  readonly identityKeys: readonly string[];
  /** How many steps may use the database at once: fewer than it has connections. No organization has all of them. */
  readonly stepsAtOnce: number;
  readonly logger: Logger;
};

/**
 * For failures outside of steps: a worker that cannot be reached, a journal that does not match the code. The attempts
 * take 43 s, longer than a worker takes to restart. Then the engine kills the invocation: a paused one would hold its
 * key until an operator resumed it.
 */
const retryPolicy = {
  initialInterval: 50,
  exponentiationFactor: 2,
  maxInterval: 10_000,
  maxAttempts: 12,
  onMaxAttempts: 'kill',
} as const;

/** PostgreSQL has the records; the engine need not keep the journals of finished invocations. */
const journalRetention = 0;

/** An organization gets at most the share of steps that is left when this many organizations have work. */
const organizationsAtOnce = 8;
const inactivityTimeout = minuteMs;
const abortTimeout = 120_000;

export function createEndpoint(options: EndpointOptions): Http2Server {
  const { db, workflows, version, identityKeys, stepsAtOnce, logger } = options;
  const steps: Steps = {
    db,
    semaphore: createSemaphore({
      atOnce: stepsAtOnce,
      perKeyMax: Math.max(1, Math.floor(stepsAtOnce / organizationsAtOnce)),
    }),
  };
  const handler = restate.createEndpointHandler({
    services: workflows.map((workflow) => toObject(workflow, steps)),
    ...(identityKeys.length > 0 && { identityKeys: [...identityKeys] }),
    logger: (meta, ...words) => {
      const sdkLevel: string = meta.level;
      const level = sdkLevel === 'error' || sdkLevel === 'warn' ? sdkLevel : 'debug';
      logger[level]({ invocation: meta.context?.invocationId }, words.map(String).join(' '));
    },
  });
  return createServer((request, response) => {
    if (isOfVersion(request.url, version)) handler(request, response);
    else refuse(request, response);
  });
}

/** The paths that the engine requests below the address of a deployment. */
const enginePath = /\/([^/]+)\/(?:health|discover|(?:invoke|serdes)\/.+)$/;

const isOfVersion = (url: string, version: string): boolean =>
  enginePath.exec(url.split('?', 1)[0] ?? '')?.[1] === version;

/**
 * This code would fail for ever to replay another release's journal. 404 says to the engine and to the reaper
 * (`deployments.ts`) that the release is not served here.
 */
function refuse(request: Http2ServerRequest, response: Http2ServerResponse): void {
  request.resume();
  response.writeHead(404).end();
}

function toObject({ service, handlers, inactivityTimeoutMs }: Workflow, steps: Steps) {
  // Prometheus sees an increase only of a counter that exists before it.
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
      inactivityTimeout: inactivityTimeoutMs ?? inactivityTimeout,
      abortTimeout,
      retryPolicy,
    },
  });
}

/** One attempt of a handler, counted, in a span that continues the sender's trace. */
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
    // A retry would fail in the same way and hold the key, or the lane, meanwhile.
    if (error instanceof UnreadableMessage || error instanceof TerminalFailure) {
      throw new restate.TerminalError(error.message);
    }
    throw error;
  }
}

/** Registers this release of the handlers under its address. Safe to repeat. */
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
