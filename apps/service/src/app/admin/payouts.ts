/** Payouts: what waits, and the holds that operators open and close. */

import type { Id } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import { lockPayoutWithHolds } from '../../money/commands/lock-payout.ts';
import { openHold, rejectHold, releaseHold } from '../../money/commands/payout-holds.ts';
import { holdReasons, payoutNotFound, payoutStatuses } from '../../money/domain/payout.ts';
import { type PayoutWithHolds, presentPayout } from '../../money/domain/present-payout.ts';
import { refuseHold } from '../../money/domain/refuse-payout.ts';
import { findOpenHolds } from '../../money/store/payout-holds.ts';
import { listPayouts } from '../../money/store/payouts.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  command,
  type CommandResult,
  type Commands,
  ofOrganization,
  onlyReads,
} from './command.ts';
import { choice, id, orgFlag } from './flag-types.ts';
import { optional, required, UsageError } from './flag.ts';
import { requirements } from './requirements.ts';

const payoutsShownMax = 100;

const payout = required(id('pay'));
const openReason = required(choice(holdReasons, 'REASON'), 'of the hold');

export const payoutCommands: Commands = {
  'payouts list': command({
    summary: `list the newest ${payoutsShownMax}, with their open holds`,
    flags: { org: orgFlag, status: optional(choice(payoutStatuses, 'STATUS')) },
    noDryRun: onlyReads,
    orgOf: ofOrganization,
    run: async (tx, { status }) => {
      const page = { limit: payoutsShownMax, after: undefined };
      const { items } = await listPayouts(tx, tx.orgId, { status }, page);
      const ids = items.map((each) => each.id);
      const holds = await findOpenHolds(tx, tx.orgId, ids);
      const shown = items.map((each) =>
        presentPayout({ payout: each, holds: holds.get(each.id) ?? [] }),
      );
      return { auditedId: tx.orgId, shown: { payouts: shown } };
    },
  }),
  'payouts hold': command({
    summary: 'open a hold, so that the payout is not sent',
    flags: {
      org: orgFlag,
      payout,
      reason: required(choice(['compliance_review', 'manual'])),
      requirement: requirements,
    },
    orgOf: ofOrganization,
    run: (tx, { payout: payoutId, reason, requirement }) => {
      if (reason === 'compliance_review' && requirement.length > 0) {
        throw new UsageError(
          '--requirement is for the reason manual: a compliance review says no more than its reason.',
        );
      }
      return changePayout(tx, payoutId, (held) => {
        enforce(refuseHold(held, reason));
        return openHold(tx, held.payout, { reason, requirements: requirement, dueBy: null });
      });
    },
  }),
  'payouts release': command({
    summary: 'close a hold of a payout; then all checks run again',
    flags: { org: orgFlag, payout, reason: openReason },
    orgOf: ofOrganization,
    run: (tx, { payout: payoutId, reason }) =>
      changePayout(tx, payoutId, (held) => releaseHold(tx, held.payout, reason)),
  }),
  'payouts reject': command({
    summary: 'close a hold of a payout by canceling the payout',
    flags: { org: orgFlag, payout, reason: openReason },
    orgOf: ofOrganization,
    run: (tx, { payout: payoutId, reason }) =>
      changePayout(tx, payoutId, (held) => rejectHold(tx, held.payout, reason)),
  }),
};

async function changePayout(
  tx: Tx,
  payoutId: Id<'pay'>,
  change: (locked: PayoutWithHolds) => Promise<PayoutWithHolds>,
): Promise<CommandResult> {
  const before = await lockPayoutWithHolds(tx, payoutId);
  if (before === undefined) throw payoutNotFound();
  const after = await change(before);
  return { auditedId: payoutId, before: presentPayout(before), shown: presentPayout(after) };
}
