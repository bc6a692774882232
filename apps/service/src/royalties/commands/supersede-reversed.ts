import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Supersession } from '../domain/run-plan.ts';
import { movedReport } from '../domain/store-report.ts';
import { lockReport, lockReportsOfStore, updateReportStatus } from '../store/reports.ts';
import { settleThoseWaitingFor } from './decide-report.ts';

/** When everything that was paid for them is taken back. From here on they overlap with no report. */
export async function supersedeReversed(
  tx: Tx,
  supersessions: readonly Supersession[],
): Promise<void> {
  const storeIds = new Set(supersessions.map(({ storeId }) => storeId));
  for (const storeId of [...storeIds].toSorted()) lockReportsOfStore(tx, storeId);
  for (const { reportId, supersededBy } of supersessions) {
    const before = await lockReport(tx, reportId);
    if (before?.status !== 'included') continue;
    updateReportStatus(tx, movedReport(before, 'superseded', tx.now));
    appendAudit(tx, {
      action: 'report.supersede',
      auditedId: reportId,
      before: { status: before.status },
      after: { status: 'superseded', superseded_by: supersededBy },
    });
    await settleThoseWaitingFor(tx, reportId);
  }
}
