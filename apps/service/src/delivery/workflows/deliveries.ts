/**
 * The durable handlers of deliveries, by service and key:
 *
 *   delivery-dispatches (org:dlv)   dispatch      dispatches queued messages: to lanes, or sent together
 *                                   send          sends the messages to stores without lanes together
 *                                   check         announces stores whose deadline has passed
 *   deliveries (org:dlv)            applyAnswers  applies the due answers of stores to the delivery
 *   delivery-answers (org-n)        apply         applies the answers that have arrived, of many deliveries
 *   store-lanes (store-n)           send          sends one message to one store, one at a time per lane
 *   release-reviews (org:rel)       decided       dispatches deliveries that waited for the review
 *   organization-verifications (org)  verified    dispatches deliveries that waited for the verification
 *
 * All their state is in PostgreSQL; an engine message carries only ids.
 */

import { releaseReviewService } from '../../catalog/face.ts';
import { notifyVerified, verificationService } from '../../identity/face.ts';
import { workflowOwner } from '../../kernel/actor.ts';
import { hourMs } from '../../kernel/duration.ts';
import { toWire } from '../../kernel/ids.ts';
import { parseEntityRef } from '../../platform/engine/lanes.ts';
import { enqueueDurably } from '../../platform/engine/timers.ts';
import {
  TerminalFailure,
  type HandlerContext,
  type Workflow,
} from '../../platform/engine/workflow.ts';
import { applyArrivedAnswers, applyDueAnswers } from '../commands/apply-answers.ts';
import { checkDeadlines } from '../commands/check-deadlines.ts';
import { dispatchAfterReview } from '../commands/dispatch-after-review.ts';
import { dispatchAfterVerification } from '../commands/dispatch-after-verification.ts';
import { dispatchDelivery } from '../commands/dispatch-delivery.ts';
import {
  claimSend,
  claimSimulatedSends,
  createSnapshotCache,
  executeSends,
  recordSends,
  recordSent,
  type SendDeps,
} from '../commands/send-to-store.ts';
import type { Connectors } from '../connectors/store-connector.ts';
import {
  answerService,
  deliveryService,
  dispatchService,
  laneService,
  parseAnswerLane,
  sendInLane,
  storeOfLane,
  wakeAnswerLane,
} from '../messages.ts';

/** A snapshot has at most a megabyte. */
const snapshotsCachedMax = 50;

/** A release of many gigabytes over a slow line. */
const uploadTimeoutMs = 3 * hourMs;

/** Then the lane sends the next message; this delivery is dispatched again later. */
const sendAttemptsMax = 5;

/** The engine keeps the journal of a run until the run ends: after so many steps or batches, a new run continues. */
const answerStepsPerRun = 200;
const batchesPerRun = 50;

export function deliveryWorkflows(connectors: Connectors): readonly Workflow[] {
  const deps = { connectors, snapshotOf: createSnapshotCache(snapshotsCachedMax) };
  return [
    {
      service: dispatchService,
      handlers: {
        dispatch: (run) => dispatch(run, deps),
        send: (run) => sendTogether(run, deps),
        check,
      },
    },
    { service: deliveryService, handlers: { applyAnswers } },
    { service: answerService, handlers: { apply } },
    {
      service: laneService,
      handlers: { send: (run) => sendInLaneOf(run, deps) },
      inactivityTimeoutMs: uploadTimeoutMs,
    },
    { service: releaseReviewService, handlers: { decided } },
    { service: verificationService, handlers: { verified } },
  ];
}

async function dispatch(run: HandlerContext, deps: SendDeps): Promise<void> {
  const { orgId, id } = parseEntityRef('dlv', run.key);
  const { lanes, isSentTogether } = await run.step(
    'dispatch',
    workflowOwner(orgId, deliveryService),
    (tx) => dispatchDelivery(tx, id),
  );
  for (const lane of lanes) run.send(sendInLane(orgId, id, lane));
  if (isSentTogether) await sendTogether(run, deps);
}

/** The messages of the delivery to stores without lanes. */
async function sendTogether(run: HandlerContext, deps: SendDeps): Promise<void> {
  const { orgId, id } = parseEntityRef('dlv', run.key);
  await untilGivenUp(
    run.sideEffect('send', workflowOwner(orgId, laneService), {
      claim: (tx) => claimSimulatedSends(tx, id, deps),
      execute: executeSends,
      record: (tx, _attempts, sent) => recordSends(tx, sent),
      attemptsMax: sendAttemptsMax,
    }),
  );
}

/** The message of the delivery to the store of the lane. */
async function sendInLaneOf(run: HandlerContext, deps: SendDeps): Promise<void> {
  const { orgId, id } = parseEntityRef('dlv', run.entityRef);
  const storeId = storeOfLane(run.key);
  await untilGivenUp(
    run.sideEffect('send', workflowOwner(orgId, laneService), {
      claim: (tx) => claimSend(tx, id, storeId, deps),
      execute: ({ send }, signal) => send(signal),
      record: recordSent,
      attemptsMax: sendAttemptsMax,
    }),
  );
}

/** A send that is given up fails no handler: the delivery is dispatched again later. */
async function untilGivenUp(sending: Promise<void>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    if (!(error instanceof TerminalFailure)) throw error;
  }
}

async function applyAnswers(run: HandlerContext): Promise<void> {
  const { orgId, id } = parseEntityRef('dlv', run.key);
  const owner = workflowOwner(orgId, deliveryService);
  while (await run.step('applyAnswers', owner, (tx) => applyDueAnswers(tx, id)));
}

async function apply(run: HandlerContext): Promise<void> {
  const { orgId, lane } = parseAnswerLane(run.key);
  const owner = workflowOwner(orgId, deliveryService);
  let last = run.entityRef === undefined ? null : parseEntityRef('dlv', run.entityRef).id;
  for (let step = 0; step < answerStepsPerRun; step++) {
    const after = last;
    last = await run.step('apply', owner, (tx) => applyArrivedAnswers(tx, lane, after));
    if (last === null) return;
  }
  if (last !== null) run.send(wakeAnswerLane(orgId, lane.index, last));
}

async function check(run: HandlerContext): Promise<void> {
  const { orgId, id } = parseEntityRef('dlv', run.key);
  await run.step('check', workflowOwner(orgId, deliveryService), (tx) => checkDeadlines(tx, id));
}

async function decided(run: HandlerContext): Promise<void> {
  const { orgId, id } = parseEntityRef('rel', run.key);
  await run.step('dispatchAfterReview', workflowOwner(orgId, deliveryService), (tx) =>
    dispatchAfterReview(tx, id),
  );
}

async function verified(run: HandlerContext): Promise<void> {
  const orgId = toWire('org', run.key);
  const owner = workflowOwner(orgId, deliveryService);
  for (let batch = 0; batch < batchesPerRun; batch++) {
    if (!(await run.step('dispatchAfterVerification', owner, dispatchAfterVerification))) return;
  }
  await run.step('continue', owner, async (tx) => void enqueueDurably(tx, notifyVerified(orgId)));
}
