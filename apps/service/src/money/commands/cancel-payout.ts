import type { Changed } from '../../kernel/changed.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type PayoutId, payoutNotFound } from '../domain/payout.ts';
import type { PayoutWithHolds } from '../domain/present-payout.ts';
import { refuseCancel } from '../domain/refuse-payout.ts';
import { lockPayoutWithHolds } from './lock-payout.ts';
import { cancelHeld } from './payout-holds.ts';

export async function cancelPayout(tx: Tx, id: PayoutId): Promise<Changed<PayoutWithHolds>> {
  const before = await lockPayoutWithHolds(tx, id);
  if (before === undefined) throw payoutNotFound();
  enforce(refuseCancel(before));
  return { before, after: await cancelHeld(tx, before.payout, 'canceled') };
}
