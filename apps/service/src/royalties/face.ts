/** What other slices may import from the royalties slice. */
export { registerReport } from './commands/register-report.ts';
export { enqueueFileRemovals } from './commands/remove-report-files.ts';
export { enqueueRunFileRemovals } from './commands/remove-run-files.ts';
export { nextMonthStep } from './commands/run-own-month.ts';
export { settleOwnReport } from './commands/settle-own-report.ts';
export { storeContent, type StoredContent } from './connectors/store-content.ts';
export { readReportMessage } from './messages.ts';
export { findReport } from './store/reports.ts';
