/**
 * Events on their way to webhooks:
 *
 *   webhook-fanouts (org)           run    turns sequenced events into webhook deliveries and wakes the dispatchers
 *   webhook-dispatchers (webhook)   send   sends the webhook's due deliveries, several at once, until none is due
 *
 * A webhook delivery is a row in PostgreSQL, and so is all other state: a message to a handler carries none, and the
 * handler does what is due then. A retry is a timer in business time.
 */

import { workflowOwner } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { minuteMs } from '../../kernel/duration.ts';
import { type OrgId, toWire } from '../../kernel/ids.ts';
import { claimWindowMs } from '../../platform/engine/concurrent-side-effects.ts';
import { parseEntityRef } from '../../platform/engine/lanes.ts';
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

/** The engine keeps the journal of a run until the run ends: after this many rounds, a new run continues. */
const roundsPerRun = 50;

/** Longer than the window in which a run claims attempts, plus the time of its last attempt. */
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
    const { dispatchersToWake, isBehind } = await run.step('fan out', owner, fanOutNextBatch);
    for (const webhookId of dispatchersToWake) run.send(runDispatcher(orgId, webhookId));
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
        claim: (tx, inFlight) => claimAttempts(tx, webhookId, inFlight, deps),
        execute: (attempt, signal) => sendAttempt(deps, orgId, attempt, signal),
        record: (tx, finished) => recordAttempts(tx, webhookId, finished),
      },
    );
    // A new run does the rest, behind the messages that already wait for this key. If the caller waits, `send`
    // would wait for that run, which waits for this key: deadlock. Then the reconciler requeues the dispatcher.
    if (isUnfinished && !run.isCallerWaiting) run.send(runDispatcher(orgId, webhookId));
  };
}

async function sendAttempt(
  { post, clock }: WebhookWorkDeps,
  orgId: OrgId,
  { url, payload, secrets }: Attempt,
  signal: AbortSignal,
): Promise<AttemptOutcome | Unsent> {
  const headers = () => signedHeaders(payload, secrets, clock.now());
  const outcome = await post({ orgId, url }, { headers, body: payload.body }, signal);
  if (isUnsent(outcome)) return outcome;
  webhookAttempts().add(1, { outcome: isSuccessful(outcome) ? 'succeeded' : 'failed' });
  return outcome;
}
