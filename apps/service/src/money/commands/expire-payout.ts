import type { Tx } from '../../platform/db/database.ts';
import { isUnsent, type PayoutId } from '../domain/payout.ts';
import { auditPayout } from './audit-payout.ts';
import { lockPayoutWithHolds } from './lock-payout.ts';
import { cancelHeld } from './payout-holds.ts';

/**
 * Cancels a payout that was not sent within 30 days. They do not run during a compliance review: its release sets the
 * timer of the later expiry.
 */
export async function expirePayout(tx: Tx, id: PayoutId): Promise<void> {
  const before = await lockPayoutWithHolds(tx, id);
  if (before === undefined || !isUnsent(before.payout)) return;
  const { payout, holds } = before;
  if (payout.expiresAt > tx.now || holds.some(({ reason }) => reason === 'compliance_review'))
    return;
  auditPayout(tx, 'payout.expire', { before, after: await cancelHeld(tx, payout, 'expired') });
}
