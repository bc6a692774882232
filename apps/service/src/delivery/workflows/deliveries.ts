/**
 * The durable handlers of deliveries, by service and key:
 *
 *   delivery-dispatches (org:dlv)   dispatch      puts queued messages into the lanes of their stores
 *                                   check         announces stores whose deadline has passed
 *   deliveries (org:dlv)            applyAnswers  applies the answers of stores to the delivery
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
import { applyDueAnswers } from '../commands/apply-answers.ts';
import { checkDeadlines } from '../commands/check-deadlines.ts';
import { dispatchAfterReview } from '../commands/dispatch-after-review.ts';
import { dispatchAfterVerification } from '../commands/dispatch-after-verification.ts';
import { dispatchDelivery } from '../commands/dispatch-delivery.ts';
import { claimSend, createSnapshotCache, recordSent } from '../commands/send-to-store.ts';
import type { Connectors } from '../connectors/store-connector.ts';
import {
  deliveryService,
  dispatchService,
  laneService,
  sendInLane,
  storeOfLane,
} from '../messages.ts';

/** A snapshot has at most a megabyte. */
const snapshotsCachedMax = 50;

/** A release of many gigabytes over a slow line. */
const uploadTimeoutMs = 3 * hourMs;

/** Then the lane sends the next message; this delivery is dispatched again later. */
const sendAttemptsMax = 5;

/** The engine keeps the journal of a run until the run ends: after this many batches, a new run continues. */
const batchesPerRun = 50;

export const deliveryWorkflows = (connectors: Connectors): readonly Workflow[] => [
  { service: dispatchService, handlers: { dispatch, check } },
  { service: deliveryService, handlers: { applyAnswers } },
  {
    service: laneService,
    handlers: { send: createSendHandler(connectors) },
    inactivityTimeoutMs: uploadTimeoutMs,
  },
  { service: releaseReviewService, handlers: { decided } },
  { service: verificationService, handlers: { verified } },
];

async function dispatch(run: HandlerContext): Promise<void> {
  const { orgId, id } = parseEntityRef('dlv', run.key);
  const lanes = await run.step('dispatch', workflowOwner(orgId, deliveryService), (tx) =>
    dispatchDelivery(tx, id),
  );
  for (const lane of lanes) run.send(sendInLane(orgId, id, lane));
}

async function applyAnswers(run: HandlerContext): Promise<void> {
  const { orgId, id } = parseEntityRef('dlv', run.key);
  const owner = workflowOwner(orgId, deliveryService);
  while (await run.step('applyAnswers', owner, (tx) => applyDueAnswers(tx, id)));
}

async function check(run: HandlerContext): Promise<void> {
  const { orgId, id } = parseEntityRef('dlv', run.key);
  await run.step('check', workflowOwner(orgId, deliveryService), (tx) => checkDeadlines(tx, id));
}

function createSendHandler(connectors: Connectors): (run: HandlerContext) => Promise<void> {
  const snapshotOf = createSnapshotCache(snapshotsCachedMax);
  return async (run) => {
    const { orgId, id } = parseEntityRef('dlv', run.entityRef);
    const storeId = storeOfLane(run.key);
    try {
      await run.sideEffect('send', workflowOwner(orgId, laneService), {
        claim: (tx) => claimSend(tx, id, storeId, { snapshotOf, connectors }),
        execute: ({ send }, signal) => send(signal),
        record: recordSent,
        attemptsMax: sendAttemptsMax,
      });
    } catch (error) {
      if (!(error instanceof TerminalFailure)) throw error;
    }
  };
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
