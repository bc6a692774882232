import type { Tx } from '../../platform/db/database.ts';
import { enqueueDurablyInRealTime } from '../../platform/engine/timers.ts';
import type { ReportId } from '../domain/report.ts';
import { removeReportFilesMessage } from '../messages.ts';
import { findReportIds } from '../store/reports.ts';

const reportsAtOnce = 500;

/**
 * For the reports of the organization after this one, before their rows are removed. Returns the last of them, or null if
 * there is none.
 */
export async function enqueueFileRemovals(
  tx: Tx,
  after: ReportId | null,
): Promise<ReportId | null> {
  const ids = await findReportIds(tx, after, reportsAtOnce);
  for (const id of ids) enqueueDurablyInRealTime(tx, removeReportFilesMessage(tx.orgId, id));
  return ids.at(-1) ?? null;
}
