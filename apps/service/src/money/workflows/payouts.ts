/**
 * The durable handlers of payouts, on the key org:pay:
 *
 *   cutOff       opens holds or sends the payment
 *   ask          asks the rail what has become of the payment; sends it again, under the same key, if it has none
 *   expire       cancels a payout 30 days after its creation
 *   checkHolds   closes holds whose cause is gone
 *
 * All their state is in PostgreSQL, and each reads the payout before it writes: repeated and reordered messages do no
 * harm. While the outcome at the rail is unknown the payout stays processing.
 */

import { workflowOwner } from '../../kernel/actor.ts';
import type { Tx } from '../../platform/db/database.ts';
import { parseEntityRef } from '../../platform/engine/lanes.ts';
import type { HandlerContext, Workflow } from '../../platform/engine/workflow.ts';
import { checkHolds } from '../commands/check-holds.ts';
import { cutOffPayout } from '../commands/cut-off-payout.ts';
import { expirePayout } from '../commands/expire-payout.ts';
import {
  claimFirst,
  claimPayment,
  exchangeWithRail,
  type PaymentClaim,
  recordPayment,
  type SettleDeps,
} from '../commands/settle-payment.ts';
import type { Screening } from '../connectors/screening.ts';
import type { PayoutId } from '../domain/payout.ts';
import { payoutService } from '../messages.ts';

export type PayoutWorkflowDeps = SettleDeps & { readonly screen: Screening };

/** Of the transactions around an exchange: an error of the rail is an outcome. */
const exchangeAttemptsMax = 8;

export const payoutWorkflow = (deps: PayoutWorkflowDeps): Workflow => ({
  service: payoutService,
  handlers: {
    cutOff: async (run) => {
      const { owner, id } = entityOf(run);
      await run.step('cut off', owner, (tx) => cutOffPayout(tx, id, deps.screen));
      await settle(run, deps, claimFirst);
    },
    ask: (run) => settle(run, deps, claimPayment),
    expire: async (run) => {
      const { owner, id } = entityOf(run);
      await run.step('expire', owner, (tx) => expirePayout(tx, id));
    },
    checkHolds: async (run) => {
      const { owner, id } = entityOf(run);
      await run.step('check holds', owner, (tx) => checkHolds(tx, id));
    },
  },
});

type Claim = (tx: Tx, id: PayoutId, deps: SettleDeps) => Promise<PaymentClaim | undefined>;

async function settle(run: HandlerContext, deps: SettleDeps, claim: Claim): Promise<void> {
  const { owner, id } = entityOf(run);
  await run.sideEffect('settle', owner, {
    claim: (tx) => claim(tx, id, deps),
    execute: (claimed, signal) => exchangeWithRail(deps, claimed, signal),
    record: recordPayment,
    attemptsMax: exchangeAttemptsMax,
  });
}

function entityOf({ key }: HandlerContext) {
  const { orgId, id } = parseEntityRef('pay', key);
  return { id, owner: workflowOwner(orgId, payoutService) };
}
