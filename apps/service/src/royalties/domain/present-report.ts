/** A report as operators read it. Partners have no route to reports. */

import { secondsLeft, type ReportProgress } from './report-progress.ts';
import type { ReportPart, ReportTotal } from './report.ts';
import type { ReportFile, StoreReport } from './store-report.ts';

export const presentReport = (report: StoreReport) => ({
  id: report.id,
  store_id: report.storeId,
  format: report.format,
  status: report.status,
  message_id: report.messageId,
  period_start: report.periodStart,
  period_end: report.periodEnd,
  rows: {
    read: report.rowsRead,
    matched: report.rowsMatched,
    suspense: report.rowsSuspense,
    rejected: report.rowsRejected,
  },
  rejection: report.rejection,
  overlaps_with: report.overlapsWith,
  supersedes: report.supersedes,
  supplements: report.supplements,
  progress: report.progress && presentProgress(report.progress),
  created_at: report.createdAt.toISOString(),
  updated_at: report.updatedAt.toISOString(),
});

const presentProgress = (progress: ReportProgress) => ({
  stage: progress.stage,
  done: progress.done,
  total: progress.total,
  seconds_left: secondsLeft(progress),
  at: progress.at,
});

type ReportDetails = {
  readonly files: readonly ReportFile[];
  readonly totals: readonly ReportTotal[];
  readonly parts: readonly ReportPart[];
};

export const presentDetails = ({ files, totals, parts }: ReportDetails) => ({
  files: files.map(({ number, name, sizeBytes, sha256 }) => ({
    number,
    name,
    size_bytes: sizeBytes,
    sha256,
  })),
  totals: totals.map((total) => ({
    currency: total.currency,
    declared_amount: total.declaredAmount,
    matched_amount: total.matchedAmount,
    suspense_amount: total.suspenseAmount,
    rejected_amount: total.rejectedAmount,
    other_amount: total.otherAmount,
  })),
  parts: parts.map(({ kind, number, objectKey, rowCount }) => ({
    kind,
    number,
    object_key: objectKey,
    rows: rowCount,
  })),
});
