/**
 * Events on their way to webhooks, as far as the engine is needed (`send-new-events.ts` sends new ones):
 *
 *   webhook-dispatchers (webhook)   send   sends the webhook's due deliveries, several at once, until none is due
 *   webhook-retries (webhook)       wake   wakes the dispatcher when its earliest retry is due
 *   organization-suspensions (org)  resumed  wakes every dispatcher: none made attempts during the suspension
 *
 * A webhook delivery is a row in PostgreSQL, and so is all other state: a message to a handler carries none, and the
 * handler does what is due then. A retry is a timer in business time. The timer calls `wake`, not `send`: the sandbox's
 * clock waits for the handler of a timer, and `send` may wait 30 s for a receiver (ADR 0011).
 */

import { suspensionService } from '../../identity/face.ts';
import { workflowOwner } from '../../kernel/actor.ts';
import { minuteMs } from '../../kernel/duration.ts';
import { toWire } from '../../kernel/ids.ts';
import { claimWindowMs } from '../../platform/engine/concurrent-side-effects.ts';
import { parseEntityRef } from '../../platform/engine/lanes.ts';
import type { HandlerContext, Workflow } from '../../platform/engine/workflow.ts';
import {
  type AttemptDeps,
  claimAttempts,
  recordAttempts,
  type Attempt,
} from '../commands/make-attempts.ts';
import { restartWebhooks } from '../commands/restart-webhooks.ts';
import { type SendDeps, sendAttempt } from '../commands/send-attempt.ts';
import { wakeEndpoints } from '../commands/wake-endpoints.ts';
import { isSlow, type AttemptOutcome, type Unsent } from '../domain/attempt.ts';
import { retryService, runDispatcher, webhookDispatcherService } from '../messages.ts';

/** Longer than the window in which a run claims attempts, plus the time of its last attempt. */
const dispatcherTimeoutMs = claimWindowMs + minuteMs;

export type WebhookWorkDeps = AttemptDeps & SendDeps;

export const webhookWorkflows = (deps: WebhookWorkDeps): readonly Workflow[] => [
  {
    service: webhookDispatcherService,
    handlers: { send: dispatchWith(deps) },
    inactivityTimeoutMs: dispatcherTimeoutMs,
  },
  { service: retryService, handlers: { wake } },
  { service: suspensionService, handlers: { resumed } },
];

function dispatchWith(deps: WebhookWorkDeps): (run: HandlerContext) => Promise<void> {
  return async (run) => {
    const { orgId, id: webhookId } = parseEntityRef('wh', run.entityRef);
    const owner = workflowOwner(orgId, webhookDispatcherService);
    /** Requests that were sent and are not answered yet, each with its time. */
    const unanswered = new Map<Attempt, number>();
    const hasSlow = () =>
      [...unanswered.values()].some((sentAt) => isSlow(performance.now() - sentAt));
    const isUnfinished = await run.concurrentSideEffects<Attempt, AttemptOutcome | Unsent>(
      'send',
      owner,
      {
        claim: (tx, attempts) =>
          claimAttempts(tx, webhookId, { attempts, hasSlow: hasSlow() }, deps),
        execute: (attempt, signal) =>
          sendAttempt(deps, orgId, attempt, signal, () =>
            unanswered.set(attempt, performance.now()),
          ).finally(() => unanswered.delete(attempt)),
        record: (tx, finished) => recordAttempts(tx, webhookId, finished),
      },
    );
    // A new run does the rest, behind the messages that already wait for this key.
    if (isUnfinished) run.send(runDispatcher(orgId, webhookId));
  };
}

/** Enqueues the dispatcher if it is idle. One that runs claims the retry itself. */
async function wake(run: HandlerContext): Promise<void> {
  const { orgId, id: webhookId } = parseEntityRef('wh', run.entityRef);
  const owner = workflowOwner(orgId, retryService);
  await run.step('wake', owner, (tx) => wakeEndpoints(tx, [webhookId]));
}

/** The time without attempts is not a time of failures: a webhook is not disabled because of it. */
async function resumed(run: HandlerContext): Promise<void> {
  const owner = workflowOwner(toWire('org', run.key), suspensionService);
  await run.step('restart', owner, restartWebhooks);
}
