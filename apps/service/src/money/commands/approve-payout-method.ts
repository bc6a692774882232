import { findLineage } from '../../identity/face.ts';
import type { Changed } from '../../kernel/changed.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import { refuseApproval } from '../domain/payout-method-approval.ts';
import { activated, type PayoutMethod, payoutMethodNotFound } from '../domain/payout-method.ts';
import type { PayoutMethodId } from '../domain/payout.ts';
import { payoutMethodChanged } from '../events.ts';
import { lockPayoutMethod, updatePayoutMethod } from '../store/payout-methods.ts';
import { holdPendingPayouts } from './hold-pending-payouts.ts';

/** Only now the method becomes active, and its 72 hours begin. */
export async function approvePayoutMethod(
  tx: Tx,
  id: PayoutMethodId,
): Promise<Changed<PayoutMethod>> {
  const before = await lockPayoutMethod(tx, id);
  if (before === undefined) throw payoutMethodNotFound();
  const approverId = tx.actor.id;
  enforce(
    refuseApproval(before, {
      approverId,
      approver: await findLineage(tx, tx.orgId, approverId),
      requester: await findLineage(tx, tx.orgId, before.requestedBy),
      realNow: tx.realNow,
    }),
  );
  const after: PayoutMethod = { ...activated(before, tx.now), approvedBy: approverId };
  updatePayoutMethod(tx, after);
  appendEvent(tx, payoutMethodChanged(after));
  await holdPendingPayouts(tx);
  return { before, after };
}
