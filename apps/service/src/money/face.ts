/** What other slices may import from the money slice. */
export { createAdjustment, recordAdjustment } from './commands/create-adjustment.ts';
export { holdEarnings } from './commands/hold-earnings.ts';
export { releaseEarnings } from './commands/settle-earnings.ts';
export type { PaymentSimulation } from './connectors/payout-rail.ts';
export { simulatedOutcomes } from './connectors/payout-rail.ts';
export type { Screening } from './connectors/screening.ts';
export type { Entry, Posting } from './domain/ledger.ts';
export type { Payout, PayoutId } from './domain/payout.ts';
export {
  countedAmounts,
  type OwnAccount,
  ownAccounts,
  presentStatementEntry,
  presentStatementMovement,
} from './domain/statement-entry.ts';
export { sumAdjustments } from './store/adjustments.ts';
export { lockHoldsOfReport } from './store/earning-holds.ts';
export { fxRateColumn } from './store/fx-rate-column.ts';
export { findBalance, findBalances, lockLedger, post } from './store/ledger.ts';
export { microsColumn } from './store/micros-column.ts';
export { deletePendingNet, insertPendingNet } from './store/pending-nets.ts';
export { assignAdjustments, sumPayouts } from './store/statement-movements.ts';
export {
  findBalancesAt,
  listStatementEntries,
  sumStatementEntries,
} from './store/statement-entries.ts';
