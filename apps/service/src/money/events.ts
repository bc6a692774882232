/** The events partners receive about money (contract §6). */

import type { Adjustment } from './domain/adjustment.ts';
import type { EarningHold } from './domain/earning-hold.ts';
import { type PayoutMethod, presentPayoutMethod } from './domain/payout-method.ts';
import type { PayoutStatus } from './domain/payout.ts';
import { presentAdjustment, presentEarningHold } from './domain/present-ledger.ts';
import { type PayoutWithHolds, presentPayout } from './domain/present-payout.ts';

/** The creation is a change too, from null. */
export const payoutStatusChanged = (
  previousStatus: PayoutStatus | null,
  payout: PayoutWithHolds,
) => ({
  type: 'payout.status.changed',
  data: { previous_status: previousStatus, payout: presentPayout(payout) },
});

/** Also the creation and the removal. Without the details of the method. */
export const payoutMethodChanged = (method: PayoutMethod) => ({
  type: 'payout_method.changed',
  data: presentPayoutMethod(method),
});

export const adjustmentCreated = (adjustment: Adjustment) => ({
  type: 'adjustment.created',
  data: presentAdjustment(adjustment),
});

/** `earnings.held`, `earnings.released` or `earnings.forfeited`, after the status of the hold. */
export const earningsMoved = (hold: EarningHold) => ({
  type: `earnings.${hold.status}`,
  data: presentEarningHold(hold),
});
