import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { presentReport } from '../domain/present-report.ts';
import type { ReportId, ReportReading, ReportRejection } from '../domain/report.ts';
import { movedReport, type StoreReport } from '../domain/store-report.ts';
import { findOverlaps, insertReadingRows } from '../store/report-rows.ts';
import {
  findReport,
  findReportByMessageId,
  lockReport,
  lockReportsOfStore,
  updateReading,
} from '../store/reports.ts';

/**
 * `received` → `matched`, or `validated` if a live report is about the same usage. A report with another status does not
 * change: an earlier attempt has recorded it, or the operator has rejected it.
 */
export async function recordReading(tx: Tx, id: ReportId, reading: ReportReading): Promise<void> {
  const report = await lockUnread(tx, id);
  if (report === undefined) return;
  const rejection = await refuseMessageId(tx, report, reading.messageId);
  if (rejection !== undefined) return change(tx, report, rejectedWith(tx, report, rejection));
  insertReadingRows(tx, report, reading);
  const overlaps = await findOverlaps(tx, id);
  const { messageId, periodStart, periodEnd } = reading;
  const { rowsRead, rowsMatched, rowsSuspense, rowsRejected } = reading;
  change(tx, report, {
    ...movedReport(report, overlaps.length === 0 ? 'matched' : 'validated', tx.now),
    messageId,
    periodStart,
    periodEnd,
    rowsRead,
    rowsMatched,
    rowsSuspense,
    rowsRejected,
    overlapsWith: overlaps,
    progress: null,
  });
}

/** `received` → `rejected`. A report with another status does not change. */
export async function recordRejection(
  tx: Tx,
  id: ReportId,
  rejection: ReportRejection,
): Promise<void> {
  const report = await lockUnread(tx, id);
  if (report !== undefined) change(tx, report, rejectedWith(tx, report, rejection));
}

async function lockUnread(tx: Tx, id: ReportId): Promise<StoreReport | undefined> {
  const found = await findReport(tx, tx.orgId, id);
  if (found === undefined) return undefined;
  lockReportsOfStore(tx, found.storeId);
  const report = await lockReport(tx, id);
  return report?.status === 'received' ? report : undefined;
}

/** The set of files differs, or it would be the same report. */
async function refuseMessageId(
  tx: Tx,
  report: StoreReport,
  messageId: string | null,
): Promise<ReportRejection | undefined> {
  const other = messageId && (await findReportByMessageId(tx, report, messageId));
  if (!other) return undefined;
  return {
    code: 'duplicate_message_id',
    message: `${other} has the message id ${messageId} and other files. Ask the store for a corrected report with a message id of its own.`,
    file: null,
    line: null,
  };
}

const rejectedWith = (tx: Tx, report: StoreReport, rejection: ReportRejection): StoreReport => ({
  ...movedReport(report, 'rejected', tx.now),
  rejection,
  progress: null,
});

function change(tx: Tx, before: StoreReport, after: StoreReport): void {
  updateReading(tx, after);
  appendAudit(tx, {
    action: `report.${after.status}`,
    auditedId: after.id,
    before: presentReport(before),
    after: presentReport(after),
  });
}
