import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { setTimer } from '../../platform/engine/timers.ts';
import { nextClosing } from '../domain/closing.ts';
import { refuseWhileRunning } from '../domain/reset.ts';
import {
  arrivalOf,
  lastReplaceable,
  nothingHeld,
  nothingToRestate,
  refusePeriod,
  refuseTooManyReports,
  type SandboxReport,
} from '../domain/sandbox-report.ts';
import { closeMonth, receiveReport } from '../messages.ts';
import { lockClock } from '../store/clocks.ts';
import { findClosing, insertClosing } from '../store/closings.ts';
import { findReset } from '../store/resets.ts';
import {
  countReports,
  findHeldRecordings,
  findReportsAbout,
  insertSandboxReport,
} from '../store/sandbox-reports.ts';
import { requireStore } from './require-store.ts';

export type ReportRequest = Pick<SandboxReport, 'storeId' | 'period' | 'kind'>;

/** The store sends it at `arrivesAt`, business time. With its first report, the clock begins to close months. */
export async function requestReport(tx: Tx, request: ReportRequest): Promise<SandboxReport> {
  const { storeId, period, kind } = request;
  await requireStore(tx, storeId);
  enforce(refusePeriod(period, tx.now));
  // The lock serializes requests: two at the same time would get the same number.
  await lockClock(tx);
  enforce(refuseWhileRunning(await findReset(tx, tx.orgId)));
  enforce(refuseTooManyReports(await countReports(tx)));
  const [held] = await findHeldRecordings(tx, request, 1);
  if (held === undefined) {
    enforce({ code: 'invalid_state', message: nothingHeld(storeId, period) });
  }
  const earlier = await findReportsAbout(tx, request);
  const replaced = kind === 'restated' ? lastReplaceable(earlier, tx.now) : undefined;
  if (kind === 'restated' && replaced === undefined) enforce(nothingToRestate(storeId, period));
  return addReport(tx, {
    ...request,
    number: earlier.length + 1,
    arrivesAt: arrivalOf(kind, tx.now),
    supersedes: replaced?.id ?? null,
  });
}

export type PlannedArrival = Pick<
  SandboxReport,
  'storeId' | 'period' | 'kind' | 'number' | 'arrivesAt' | 'supersedes'
>;

/** The caller holds the lock of the clock. */
export async function addReport(tx: Tx, arrival: PlannedArrival): Promise<SandboxReport> {
  const report = {
    ...unread,
    ...arrival,
    id: tx.newId('rpt'),
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  insertSandboxReport(tx, report);
  setTimer(tx, report.arrivesAt, receiveReport(tx.orgId, report.id));
  await scheduleClosing(tx, report.arrivesAt);
  return report;
}

const unread = {
  status: 'expected',
  currency: null,
  rowCount: null,
  unmatchedRowCount: null,
  reportedAmount: null,
  paidAmount: null,
  problem: null,
} as const;

/** The first report sets the first closing. */
async function scheduleClosing(tx: Tx, firstArrival: Date): Promise<void> {
  if ((await findClosing(tx)) !== undefined) return;
  const closesAt = nextClosing(firstArrival);
  insertClosing(tx, closesAt);
  setTimer(tx, closesAt, closeMonth(tx.orgId));
}
