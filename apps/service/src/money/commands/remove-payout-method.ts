import { enforce } from '../../kernel/problem.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import { type PayoutMethod, payoutMethodNotFound, refuseRemoval } from '../domain/payout-method.ts';
import type { PayoutMethodId } from '../domain/payout.ts';
import { payoutMethodChanged } from '../events.ts';
import { lockPayoutMethod, updatePayoutMethod } from '../store/payout-methods.ts';
import { holdPendingPayouts } from './hold-pending-payouts.ts';

/** The row stays, because payouts name it. A method that was never active changes nothing for payouts. */
export async function removePayoutMethod(tx: Tx, id: PayoutMethodId): Promise<PayoutMethod> {
  const before = await lockPayoutMethod(tx, id);
  if (before === undefined) throw payoutMethodNotFound();
  enforce(refuseRemoval(before));
  const removed: PayoutMethod = {
    ...before,
    status: 'removed',
    updatedAt: nextUpdatedAt(before, tx.now),
  };
  updatePayoutMethod(tx, removed);
  appendEvent(tx, payoutMethodChanged(removed));
  if (before.status === 'active') await holdPendingPayouts(tx);
  return before;
}
