import type { Tx } from '../../platform/db/database.ts';
import { isUnsent, type PayoutId } from '../domain/payout.ts';
import { auditPayout } from './audit-payout.ts';
import { lockPayoutWithHolds } from './lock-payout.ts';
import { recheckHolds } from './payout-holds.ts';

/** For the handler: a cause of a hold may be gone. Changes nothing if none is, or if the payout was sent. */
export async function checkHolds(tx: Tx, id: PayoutId): Promise<void> {
  const before = await lockPayoutWithHolds(tx, id);
  if (before === undefined || !isUnsent(before.payout)) return;
  const after = await recheckHolds(tx, before.payout, false);
  if (after.payout !== before.payout) auditPayout(tx, 'payout.check', { before, after });
}
