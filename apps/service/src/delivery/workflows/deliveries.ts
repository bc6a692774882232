/**
 * A delivery's durable life, in short handlers:
 *
 *   delivery-dispatches (org:dlv)   dispatch   what is to be sent goes to the lanes of its stores
 *                                   check      stores whose time is up are announced
 *   deliveries (org:dlv)            applyAnswers  what stores have answered moves the delivery
 *   store-lanes (store-n)           send       one message to one store, at most so many at once
 *   release-reviews (org:rel)       decided    deliveries that waited for a review go on
 *
 * Everything they rely on is in PostgreSQL; a message only says where to look.
 */

import { releaseReviewService } from '../../catalog/face.ts';
import { workflowOwner } from '../../kernel/actor.ts';
import { parseEntityRef } from '../../platform/engine/lanes.ts';
import {
  TerminalFailure,
  type HandlerContext,
  type Workflow,
} from '../../platform/engine/workflow.ts';
import { applyDueAnswers } from '../commands/apply-answers.ts';
import { checkDeadlines } from '../commands/check-deadlines.ts';
import { dispatchAfterReview } from '../commands/dispatch-after-review.ts';
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

/** Of albums at most a megabyte each. */
const snapshotsCachedMax = 50;

/** Then the lane goes on with others; the delivery is dispatched again later. */
const sendAttemptsMax = 5;

export const deliveryWorkflows = (connectors: Connectors): readonly Workflow[] => [
  { service: dispatchService, handlers: { dispatch, check } },
  { service: deliveryService, handlers: { applyAnswers } },
  { service: laneService, handlers: { send: createSendHandler(connectors) } },
  { service: releaseReviewService, handlers: { decided } },
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
        execute: ({ store, storeMessage, simulation }, signal) => {
          const connector = connectors[store.connector];
          const sendToStore =
            storeMessage.message.kind === 'takedown' ? connector.takeDown : connector.send;
          return sendToStore(storeMessage, signal, simulation);
        },
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
