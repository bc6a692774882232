import type { Tx } from '../../platform/db/database.ts';
import type { NewHold } from '../domain/payout-check.ts';
import { usableAfterChange } from '../domain/payout-method.ts';
import type { Payout } from '../domain/payout.ts';
import { lockPendingPayouts } from '../store/payouts.ts';
import { auditPayout } from './audit-payout.ts';
import { findDemandedHolds } from './check-payout.ts';
import { openHolds } from './payout-holds.ts';

const reason = 'payout_method_changed';

const changedMethods = (now: Date): NewHold => ({
  reason,
  requirements: [
    {
      code: 'wait_for_payout_method',
      description:
        'A payout method of your organization was added or removed. The hold ends by itself at due_by. If your organization did not change it, cancel the payout and contact support.',
    },
  ],
  dueBy: usableAfterChange(now),
});

/**
 * After a payout method became active or was removed: payouts that are not sent yet wait 72 hours, also those to other
 * methods, so that an organization whose credential was stolen has the time to cancel them.
 */
export async function holdPendingPayouts(tx: Tx): Promise<void> {
  for (const payout of await lockPendingPayouts(tx)) await holdPayout(tx, payout);
}

async function holdPayout(tx: Tx, payout: Payout): Promise<void> {
  // If its own method was removed, the payout waits for more than the 72 hours.
  const demanded = await findDemandedHolds(tx, payout);
  const isHeldAnyway = demanded.some((hold) => hold.reason === reason);
  const holds = isHeldAnyway ? demanded : [...demanded, changedMethods(tx.now)];
  const after = await openHolds(tx, payout, holds);
  auditPayout(tx, 'payout.hold', { before: { payout, holds: [] }, after });
}
