import type { Changed } from '../../kernel/changed.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import type { Adjustment } from '../domain/adjustment.ts';
import {
  type EarningHold,
  type EarningHoldId,
  earningHoldNotFound,
  entriesOfHold,
  penaltyOf,
  refuseSettlement,
  settled,
} from '../domain/earning-hold.ts';
import { earningsMoved } from '../events.ts';
import { lockEarningHold, updateEarningHold } from '../store/earning-holds.ts';
import { post } from '../store/ledger.ts';
import { recordAdjustment } from './create-adjustment.ts';

/** The earnings are payable again. */
export const releaseEarnings = (tx: Tx, id: EarningHoldId): Promise<Changed<EarningHold>> =>
  settle(tx, id, 'released');

export type ForfeitedEarnings = Changed<EarningHold> & { readonly penalty: Adjustment };

/** The store takes the earnings back. */
export async function forfeitEarnings(tx: Tx, id: EarningHoldId): Promise<ForfeitedEarnings> {
  const changed = await settle(tx, id, 'forfeited');
  return { ...changed, penalty: recordAdjustment(tx, penaltyOf(changed.after)) };
}

async function settle(
  tx: Tx,
  id: EarningHoldId,
  status: 'released' | 'forfeited',
): Promise<Changed<EarningHold>> {
  const before = await lockEarningHold(tx, id);
  if (before === undefined) throw earningHoldNotFound();
  enforce(refuseSettlement(before));
  const after = settled(before, status, tx.now);
  updateEarningHold(tx, after);
  post(tx, [{ key: `earnings.${status}:${id}`, entries: entriesOfHold(after) }]);
  appendEvent(tx, earningsMoved(after));
  return { before, after };
}
