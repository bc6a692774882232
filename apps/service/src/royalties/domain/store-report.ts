/**
 * A stored report, and the moves between its states (ADR 0037):
 *
 *   received  → matched      it was read, and no other live report is about the same usage
 *   received  → validated    it was read, and overlaps with live reports: the operator decides about each
 *   received  → rejected     its content is wrong
 *   validated → matched      every overlap is decided, or is gone
 *   matched   → included     a run has taken it
 *   included  → matched      that run was discarded
 *   validated, matched → superseded   another report replaces it
 *   included  → superseded   a run has taken the report that replaces it, and has reversed this one
 *   received, validated, matched → rejected   by the operator, before a run has taken it
 */

import type { CalendarDate } from '../../kernel/calendar-date.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ReportProgress } from './report-progress.ts';
import type { ReportFormat, ReportId, ReportRejection, ReportStatus } from './report.ts';

export type StoreReport = {
  readonly id: ReportId;
  readonly storeId: string;
  readonly format: ReportFormat;
  readonly status: ReportStatus;
  readonly messageId: string | null;
  /** As hex. */
  readonly setDigest: string;
  readonly periodStart: CalendarDate | null;
  readonly periodEnd: CalendarDate | null;
  readonly rejection: ReportRejection | null;
  readonly rowsRead: number;
  readonly rowsMatched: number;
  readonly rowsSuspense: number;
  readonly rowsRejected: number;
  readonly overlapsWith: readonly ReportId[];
  readonly supersedes: readonly ReportId[];
  readonly supplements: readonly ReportId[];
  readonly progress: ReportProgress | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type ReportFile = {
  readonly number: number;
  /** As the store named it. */
  readonly name: string;
  readonly objectKey: string;
  /** As stored, perhaps compressed. */
  readonly sizeBytes: number;
  /** Of the uncompressed file, as hex. */
  readonly sha256: string;
};

const moves: Readonly<Record<ReportStatus, readonly ReportStatus[]>> = {
  received: ['validated', 'rejected', 'matched'],
  validated: ['matched', 'rejected', 'superseded'],
  matched: ['included', 'rejected', 'superseded'],
  included: ['matched', 'superseded'],
  rejected: [],
  superseded: [],
};

export const canMoveReport = (from: ReportStatus, to: ReportStatus): boolean =>
  moves[from].includes(to);

/** Another report about the same usage would pay it twice. */
export const liveStatuses = ['validated', 'matched', 'included'] as const satisfies ReportStatus[];

/** Throws for a move that the table above does not have: a bug, never a wrong input. */
export function movedReport(report: StoreReport, to: ReportStatus, at: Date): StoreReport {
  if (!canMoveReport(report.status, to)) {
    throw new Error(`report ${report.id} cannot move from ${report.status} to ${to}`);
  }
  return { ...report, status: to, updatedAt: at };
}

export const reportNotFound = (): Problem =>
  new Problem('resource_not_found', 'No report has this id.');

export function refuseReject({ id, status }: StoreReport): Problem | undefined {
  return canMoveReport(status, 'rejected')
    ? undefined
    : new Problem(
        'invalid_state',
        status === 'included'
          ? `${id} is in a run already. Receive the corrected report, and decide that it supersedes this one.`
          : `${id} is ${status}. Only a report that no run has taken can be rejected.`,
      );
}
