/** Rows in suspense that are matched later: the request of an operator, and what the worker records. */

import { enforce } from '../../kernel/problem.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import { presentReport } from '../domain/present-report.ts';
import {
  nextPartNumber,
  refuseRematch,
  type Rematch,
  type ReportToRematch,
  suspensePartOf,
} from '../domain/rematch.ts';
import type { ReportId } from '../domain/report.ts';
import { reportNotFound, type StoreReport } from '../domain/store-report.ts';
import { rematchReportMessage } from '../messages.ts';
import { addRematchedRows, listParts } from '../store/report-rows.ts';
import { findReport, lockReport, updateReading } from '../store/reports.ts';

export async function requestRematch(tx: Tx, id: ReportId): Promise<StoreReport> {
  const report = await findReport(tx, tx.orgId, id);
  if (report === undefined) throw reportNotFound();
  enforce(refuseRematch(report));
  enqueueDurablyInRealTime(tx, rematchReportMessage(tx.orgId, id));
  return report;
}

/** Undefined if there is nothing to match any more. */
export async function findReportToRematch(
  tx: Tx,
  id: ReportId,
): Promise<ReportToRematch | undefined> {
  const report = await findReport(tx, tx.orgId, id);
  if (report === undefined || refuseRematch(report) !== undefined) return undefined;
  const parts = await listParts(tx, { orgId: tx.orgId, id });
  const suspense = suspensePartOf(report, parts);
  if (suspense === undefined) return undefined;
  return {
    reportId: id,
    orgId: tx.orgId,
    storeId: report.storeId,
    objectKey: suspense.objectKey,
    partNumber: nextPartNumber(parts),
  };
}

/** A match that was recorded before, or whose report is not live any more, changes nothing. */
export async function recordRematch(tx: Tx, id: ReportId, rematch: Rematch): Promise<void> {
  const before = await lockReport(tx, id);
  if (before === undefined || refuseRematch(before) !== undefined) return;
  const parts = await listParts(tx, { orgId: tx.orgId, id });
  if (nextPartNumber(parts) !== rematch.partNumber) return;
  addRematchedRows(tx, id, rematch);
  const after: StoreReport = {
    ...before,
    rowsMatched: before.rowsMatched + rematch.rowsMatched,
    rowsSuspense: before.rowsSuspense - rematch.rowsMatched,
    updatedAt: tx.now,
  };
  updateReading(tx, after);
  appendAudit(tx, {
    action: 'report.rematch',
    auditedId: id,
    before: presentReport(before),
    after: presentReport(after),
  });
}
