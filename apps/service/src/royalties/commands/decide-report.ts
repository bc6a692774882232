import type { Changed } from '../../kernel/changed.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Decision, refuseDecision, undecidedOverlaps } from '../domain/report-decision.ts';
import type { ReportId } from '../domain/report.ts';
import {
  canMoveReport,
  movedReport,
  refuseReject,
  reportNotFound,
  type StoreReport,
} from '../domain/store-report.ts';
import {
  findReport,
  findReports,
  findReportsOverlapping,
  lockReport,
  lockReportsOfStore,
  updateDecision,
  updateReportStatus,
} from '../store/reports.ts';

/** The report that was decided about comes first; others may follow from it. */
export type ChangedReports = readonly [Changed<StoreReport>, ...Changed<StoreReport>[]];

/** Records what the report is to a report that it overlaps with. */
export async function decideReport(
  tx: Tx,
  id: ReportId,
  decision: Decision,
  otherId: ReportId,
): Promise<ChangedReports> {
  const before = await lockWithStore(tx, id);
  enforce(refuseDecision(before, otherId, await findReports(tx, tx.orgId, before.overlapsWith)));
  const decided = { ...before, [decision]: [...before[decision], otherId], updatedAt: tx.now };
  updateDecision(tx, decided);
  const superseded = decision === 'supersedes' ? await supersede(tx, otherId) : [];
  const after = await settle(tx, decided);
  return [{ before, after }, ...superseded];
}

/** By the operator, before a run has taken it. */
export async function rejectReport(tx: Tx, id: ReportId, reason: string): Promise<ChangedReports> {
  const before = await lockWithStore(tx, id);
  enforce(refuseReject(before));
  const after: StoreReport = {
    ...movedReport(before, 'rejected', tx.now),
    rejection: { code: 'rejected_by_operator', message: reason, file: null, line: null },
  };
  updateDecision(tx, after);
  return [{ before, after }, ...(await settleThoseWaitingFor(tx, id))];
}

async function lockWithStore(tx: Tx, id: ReportId): Promise<StoreReport> {
  const found = await findReport(tx, tx.orgId, id);
  if (found === undefined) throw reportNotFound();
  lockReportsOfStore(tx, found.storeId);
  return (await lockReport(tx, id)) ?? found;
}

/** At once if no run has taken it. Otherwise the run that takes the new report reverses it. */
async function supersede(tx: Tx, id: ReportId): Promise<Changed<StoreReport>[]> {
  const before = await lockReport(tx, id);
  if (before === undefined || before.status === 'included') return [];
  if (!canMoveReport(before.status, 'superseded')) return [];
  const after = movedReport(before, 'superseded', tx.now);
  updateDecision(tx, after);
  return [{ before, after }, ...(await settleThoseWaitingFor(tx, id))];
}

/** A report that is rejected or superseded is no overlap any more. */
export async function settleThoseWaitingFor(tx: Tx, id: ReportId): Promise<Changed<StoreReport>[]> {
  const changes: Changed<StoreReport>[] = [];
  for (const before of await findReportsOverlapping(tx, id)) {
    const after = await settle(tx, before);
    if (after !== before) changes.push({ before, after });
  }
  return changes;
}

/** `validated` → `matched` if nothing is left to decide. */
async function settle(tx: Tx, report: StoreReport): Promise<StoreReport> {
  const others = await findReports(tx, tx.orgId, report.overlapsWith);
  if (undecidedOverlaps(report, others).length > 0) return report;
  const matched = movedReport(report, 'matched', tx.now);
  updateReportStatus(tx, matched);
  return matched;
}
