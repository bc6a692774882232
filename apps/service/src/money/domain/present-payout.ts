/** A payout as partners read it (contract §2). Amounts of money are in the minor units of their currency. */

import { formatFxRate, formatMinorUnits } from '../../kernel/money.ts';
import type { Payout, PayoutHold } from './payout.ts';

export type PayoutWithHolds = { readonly payout: Payout; readonly holds: readonly PayoutHold[] };

export const presentPayout = ({ payout, holds }: PayoutWithHolds) => ({
  id: payout.id,
  status: payout.status,
  amount: formatMinorUnits(payout.amount, payout.currency),
  currency: payout.currency,
  fee_amount: formatMinorUnits(payout.feeAmount, payout.currency),
  fee_bearer: payout.feeBearer,
  fx_rate: payout.fxRate === null ? null : formatFxRate(payout.fxRate),
  destination_amount: formatMinorUnits(payout.destinationAmount, payout.destinationCurrency),
  destination: payout.destination,
  holds: holds.map(presentHold),
  retry_of: payout.retryOf,
  statement_ids: payout.statementIds,
  failure_code: payout.failureCode,
  arrives_on: payout.arrivesOn,
  created_at: payout.createdAt.toISOString(),
  updated_at: payout.updatedAt.toISOString(),
});

const presentHold = ({ reason, since, requirements, dueBy }: PayoutHold) => ({
  reason,
  since: since.toISOString(),
  requirements,
  due_by: dueBy?.toISOString() ?? null,
});
