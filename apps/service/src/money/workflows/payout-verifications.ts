/**
 * payout-verifications (org): `verified` enqueues the check of every payout that is on hold until the organization is
 * verified or has a valid tax form. Each check is a message of its own, so a payout that fails holds up no other.
 */

import { payoutVerificationService } from '../../identity/face.ts';
import { workflowOwner } from '../../kernel/actor.ts';
import { toWire } from '../../kernel/ids.ts';
import type { HandlerContext, Workflow } from '../../platform/engine/workflow.ts';
import { enqueueHoldChecks } from '../commands/enqueue-hold-checks.ts';
import type { PayoutId } from '../domain/payout.ts';

export const payoutVerificationWorkflow: Workflow = {
  service: payoutVerificationService,
  handlers: { verified },
};

/** Bounded by the payouts on hold: each batch starts after the last payout of the one before. */
async function verified(run: HandlerContext): Promise<void> {
  const owner = workflowOwner(toWire('org', run.key), payoutVerificationService);
  let after: PayoutId | null = null;
  do {
    const start: PayoutId | null = after;
    after = await run.step('enqueueHoldChecks', owner, (tx) => enqueueHoldChecks(tx, start));
  } while (after !== null);
}
