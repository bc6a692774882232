import type { Tx } from '../../platform/db/database.ts';
import type { Screening } from '../connectors/screening.ts';
import type { Payout, PayoutId } from '../domain/payout.ts';
import { lockPayout } from '../store/payouts.ts';
import { auditPayout } from './audit-payout.ts';
import { findHoldsToOpen } from './check-payout.ts';
import { movePayout } from './move-payout.ts';
import { openHolds } from './payout-holds.ts';

/**
 * The cut-off: screens the payee and the destination again, runs all checks, and opens holds or moves the payout to
 * processing, in one transaction. A payout that is not pending, or has got a later cut-off since, is left as it is.
 */
export async function cutOffPayout(tx: Tx, id: PayoutId, screen: Screening): Promise<void> {
  const payout = await lockPayout(tx, id);
  if (payout === undefined || !isDue(tx, payout)) return;
  const holds = await findHoldsToOpen(tx, payout, { stage: 'cut_off', screen });
  const after =
    holds.length > 0
      ? await openHolds(tx, payout, holds)
      : await movePayout(tx, payout, { to: 'processing', cause: 'cut_off' });
  auditPayout(tx, 'payout.cut_off', { before: { payout, holds: [] }, after });
}

const isDue = (tx: Tx, { status, cutOffAt }: Payout): boolean =>
  status === 'pending' && cutOffAt <= tx.now;
