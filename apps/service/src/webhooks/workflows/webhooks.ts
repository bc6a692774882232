/**
 * Events on their way to endpoints:
 *
 *   webhook-fanouts (org)    run    what was numbered becomes owed, and the lanes of its endpoints are told
 *   webhook-dispatchers (webhook)  send   what an endpoint is owed goes there, several at once, until nothing is due
 *
 * Each event owed to an endpoint is a row, and everything they rely on is in PostgreSQL: whoever is woken does what
 * is due, whatever he was woken for. A retry is a timer in business time.
 */

import { workflowOwner } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { minuteMs } from '../../kernel/duration.ts';
import { type OrgId, toWire } from '../../kernel/ids.ts';
import { parseEntityRef } from '../../platform/engine/lanes.ts';
import { claimWindowMs } from '../../platform/engine/side-effects.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import type { HandlerContext, Workflow } from '../../platform/engine/workflow.ts';
import { webhookAttempts } from '../../platform/telemetry/instruments.ts';
import { fanOutNextBatch } from '../commands/fan-out.ts';
import {
  type AttemptDeps,
  claimAttempts,
  recordAttempts,
  type Attempt,
} from '../commands/make-attempts.ts';
import type { PostEvent } from '../connectors/post-event.ts';
import { signedHeaders } from '../connectors/sign.ts';
import { isUnsent, type AttemptOutcome, isSuccessful, type Unsent } from '../domain/attempt.ts';
import { fanOut, fanOutService, runDispatcher, webhookDispatcherService } from '../messages.ts';

/** Then another run goes on: the engine keeps what a run has done until it has ended. */
const roundsPerRun = 50;

/** Longer than it looks for more to send, and the last attempt takes. */
const dispatcherTimeoutMs = claimWindowMs + minuteMs;

export type WebhookWorkDeps = AttemptDeps & { readonly post: PostEvent; readonly clock: Clock };

export const webhookWorkflows = (deps: WebhookWorkDeps): readonly Workflow[] => [
  { service: fanOutService, handlers: { run: runFanOut } },
  {
    service: webhookDispatcherService,
    handlers: { send: dispatchWith(deps) },
    inactivityTimeoutMs: dispatcherTimeoutMs,
  },
];

async function runFanOut(run: HandlerContext): Promise<void> {
  const orgId = toWire('org', run.key);
  const owner = workflowOwner(orgId, fanOutService);
  for (let round = 0; round < roundsPerRun; round++) {
    const { dispatchersToWake: told, isBehind } = await run.step('fan out', owner, fanOutNextBatch);
    for (const webhookId of told) run.send(runDispatcher(orgId, webhookId));
    if (!isBehind) return;
  }
  await run.step('continue', owner, async (tx) => void enqueueDurablyInRealTime(tx, fanOut(orgId)));
}

function dispatchWith(deps: WebhookWorkDeps): (run: HandlerContext) => Promise<void> {
  return async (run) => {
    const { orgId, id: webhookId } = parseEntityRef('wh', run.entityRef);
    const owner = workflowOwner(orgId, webhookDispatcherService);
    const isUnfinished = await run.concurrentSideEffects<Attempt, AttemptOutcome | Unsent>(
      'send',
      owner,
      {
        claim: (tx, underway) => claimAttempts(tx, webhookId, underway, deps),
        execute: (trip, signal) => sendAttempt(deps, orgId, trip, signal),
        record: (tx, done) => recordAttempts(tx, webhookId, done),
      },
    );
    // Whoever waits for the lane comes first. One who is driven would wait for himself; then the reconciler finds that
    // the lane is not idle.
    if (isUnfinished && !run.isCallerWaiting) run.send(runDispatcher(orgId, webhookId));
  };
}

async function sendAttempt(
  { post, clock }: WebhookWorkDeps,
  orgId: OrgId,
  { url, payload: letter, secrets }: Attempt,
  signal: AbortSignal,
): Promise<AttemptOutcome | Unsent> {
  const headers = () => signedHeaders(letter, secrets, clock.now());
  const outcome = await post({ orgId, url }, { headers, body: letter.body }, signal);
  if (isUnsent(outcome)) return outcome;
  webhookAttempts().add(1, { outcome: isSuccessful(outcome) ? 'succeeded' : 'failed' });
  return outcome;
}
