import type { Tx } from '../../platform/db/database.ts';
import type { NewHold } from '../domain/payout-check.ts';
import { usableAfterChange } from '../domain/payout-method.ts';
import { lockPendingPayouts } from '../store/payouts.ts';
import { auditPayout } from './audit-payout.ts';
import { readHoldCauses } from './check-payout.ts';
import { openHoldsOfPending } from './payout-holds.ts';

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
  const pending = await lockPendingPayouts(tx);
  if (pending.length === 0) return;
  const demandedBy = await readHoldCauses(tx, pending);
  const held = openHoldsOfPending(
    tx,
    pending.map((payout) => {
      const demanded = demandedBy(payout);
      // If its own method was removed, the payout waits for more than the 72 hours.
      const isHeldAnyway = demanded.some((hold) => hold.reason === reason);
      return { payout, holds: isHeldAnyway ? demanded : [...demanded, changedMethods(tx.now)] };
    }),
  );
  for (const changed of held) auditPayout(tx, 'payout.hold', changed);
}
