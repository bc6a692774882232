import { Problem } from '../../kernel/problem.ts';
import { findStore } from '../../network/face.ts';
import type { Tx } from '../../platform/db/database.ts';
import { Conflict } from '../../platform/db/failures.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import type { ReportFormat, ReportId } from '../domain/report.ts';
import type { ReportFile, StoreReport } from '../domain/store-report.ts';
import { readReportMessage } from '../messages.ts';
import { insertFiles } from '../store/report-rows.ts';
import { findReportBySet, insertReport } from '../store/reports.ts';

export type NewReport = {
  readonly id: ReportId;
  readonly storeId: string;
  readonly format: ReportFormat;
  /** As hex. */
  readonly setDigest: string;
  /** On the object store already. */
  readonly files: readonly ReportFile[];
};

/** The report with these files: a new one, which will be read, or the one that has them already. */
export async function registerReport(tx: Tx, input: NewReport): Promise<StoreReport> {
  const { id, storeId, format, setDigest, files } = input;
  await requireStore(tx, storeId);
  const report: StoreReport = {
    ...unread,
    id,
    storeId,
    format,
    setDigest,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  if (await insertReport(tx, report)) {
    insertFiles(tx, id, files);
    enqueueDurablyInRealTime(tx, readReportMessage(tx.orgId, id));
    return report;
  }
  const existing = await findReportBySet(tx, tx.orgId, report);
  // Rejected between the two statements: the next attempt inserts it.
  if (existing === undefined) throw new Conflict('a report with the same files was rejected');
  return existing;
}

const unread = {
  status: 'received',
  messageId: null,
  periodStart: null,
  periodEnd: null,
  rejection: null,
  rowsRead: 0,
  rowsMatched: 0,
  rowsSuspense: 0,
  rowsRejected: 0,
  overlapsWith: [],
  supersedes: [],
  supplements: [],
  progress: null,
} as const;

async function requireStore(tx: Tx, storeId: string): Promise<void> {
  if ((await findStore(tx, storeId)) === undefined) {
    throw new Problem('resource_not_found', `There is no store with the id "${storeId}".`);
  }
}
