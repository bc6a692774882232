import type { Tx } from '../../platform/db/database.ts';
import type { PayoutId } from '../domain/payout.ts';
import type { PayoutWithHolds } from '../domain/present-payout.ts';
import { findOpenHolds } from '../store/payout-holds.ts';
import { lockPayout } from '../store/payouts.ts';

/** Undefined if there is no such payout. The holds are read after the lock, so they cannot change any more. */
export async function lockPayoutWithHolds(
  tx: Tx,
  id: PayoutId,
): Promise<PayoutWithHolds | undefined> {
  const payout = await lockPayout(tx, id);
  if (payout === undefined) return undefined;
  return { payout, holds: (await findOpenHolds(tx, tx.orgId, [id])).get(id) ?? [] };
}
