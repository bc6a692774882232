import { workflowOwner } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import { secondMs } from '../../kernel/duration.ts';
import type { OrgId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/db/database.ts';
import { parseProgress, progressAt, type ReportProgress } from '../domain/report-progress.ts';
import type { ReportId } from '../domain/report.ts';
import { reportService } from '../messages.ts';
import { updateProgress } from '../store/reports.ts';

/** Often enough for an operator who waits, and nothing for the database. */
const writeEveryMs = 5 * secondMs;

export type ProgressDeps = { readonly db: Database; readonly clock: Clock };

/** Takes what the process that reads a report sends, and writes it at most every 5 seconds. */
export function createProgressRecorder(
  { db, clock }: ProgressDeps,
  orgId: OrgId,
  id: ReportId,
): (sent: unknown) => void {
  let last: ReportProgress | undefined;
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  return (sent) => {
    const reading = parseProgress(sent);
    if (reading === undefined) return;
    const now = clock.now();
    last = progressAt(last, reading, now);
    if (now.getTime() - writtenAtMs < writeEveryMs) return;
    writtenAtMs = now.getTime();
    const progress = last;
    // Lost progress is not a reason to read the report again.
    db.transact(workflowOwner(orgId, reportService), async (tx) =>
      updateProgress(tx, id, progress),
    ).catch(() => undefined);
  };
}
