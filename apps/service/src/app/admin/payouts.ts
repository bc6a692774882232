/** Payouts: what waits, and the holds that operators open and close. */

import { parseId } from '../../kernel/ids.ts';
import { enforce } from '../../kernel/problem.ts';
import { lockPayoutWithHolds } from '../../money/commands/lock-payout.ts';
import { openHold, rejectHold, releaseHold } from '../../money/commands/payout-holds.ts';
import {
  type HoldReason,
  holdReasons,
  payoutNotFound,
  payoutStatuses,
} from '../../money/domain/payout.ts';
import { type PayoutWithHolds, presentPayout } from '../../money/domain/present-payout.ts';
import { refuseHold } from '../../money/domain/refuse-payout.ts';
import { findOpenHolds } from '../../money/store/payout-holds.ts';
import { listPayouts } from '../../money/store/payouts.ts';
import type { Tx } from '../../platform/db/database.ts';
import {
  type Commands,
  type CommandResult,
  type Flags,
  oneOf,
  orgId,
  required,
  UsageError,
} from './command.ts';
import { requirementsOf } from './requirements.ts';

const payoutsShownMax = 100;

export const payoutCommands: Commands = {
  'payouts list': {
    orgOf: ({ org }) => orgId(org),
    run: async (tx, flags) => {
      const status =
        flags['status'] === undefined ? undefined : oneOf(flags, 'status', payoutStatuses);
      const { items } = await listPayouts(
        tx,
        tx.orgId,
        { status },
        { limit: payoutsShownMax, after: undefined },
      );
      const holds = await findOpenHolds(
        tx,
        tx.orgId,
        items.map(({ id }) => id),
      );
      const shown = items.map((payout) =>
        presentPayout({ payout, holds: holds.get(payout.id) ?? [] }),
      );
      return { auditedId: tx.orgId, shown: { payouts: shown } };
    },
  },
  'payouts hold': {
    orgOf: ({ org }) => orgId(org),
    run: (tx, flags) => {
      const reason = oneOf(flags, 'reason', ['compliance_review', 'manual'] as const);
      const requirements = requirementsOf(flags['requirement']);
      if (reason === 'compliance_review' && requirements.length > 0) {
        throw new UsageError(
          '--requirement is for the reason manual: a compliance review says no more than its reason.',
        );
      }
      return changePayout(tx, flags, (held) => {
        enforce(refuseHold(held, reason));
        return openHold(tx, held.payout, { reason, requirements, dueBy: null });
      });
    },
  },
  'payouts release': {
    orgOf: ({ org }) => orgId(org),
    run: (tx, flags) =>
      changePayout(tx, flags, ({ payout }) => releaseHold(tx, payout, reasonOf(flags))),
  },
  'payouts reject': {
    orgOf: ({ org }) => orgId(org),
    run: (tx, flags) =>
      changePayout(tx, flags, ({ payout }) => rejectHold(tx, payout, reasonOf(flags))),
  },
};

const reasonOf = (flags: Flags): HoldReason => oneOf(flags, 'reason', holdReasons);

async function changePayout(
  tx: Tx,
  flags: Flags,
  change: (locked: PayoutWithHolds) => Promise<PayoutWithHolds>,
): Promise<CommandResult> {
  const id = parseId('pay', required(flags, 'payout'));
  if (id === undefined) throw new UsageError('--payout must be the id of a payout (pay_… id).');
  const before = await lockPayoutWithHolds(tx, id);
  if (before === undefined) throw payoutNotFound();
  const after = await change(before);
  return { auditedId: id, before: presentPayout(before), shown: presentPayout(after) };
}
