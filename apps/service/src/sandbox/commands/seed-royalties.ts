import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { presentSandboxReport } from '../domain/sandbox-report.ts';
import { planRoyalties } from '../domain/seed-royalties.ts';
import { lockClock } from '../store/clocks.ts';
import { countReports } from '../store/sandbox-reports.ts';
import { addReport } from './request-report.ts';

/** They arrive, and their months close, while the clock is moved to the present. Repeated, it finds them. */
export async function seedReports(tx: Tx): Promise<void> {
  await lockClock(tx);
  if ((await countReports(tx)) > 0) return;
  for (const planned of planRoyalties(tx.realNow)) {
    const report = await addReport(tx, { ...planned, number: 1, supersedes: null });
    appendAudit(tx, {
      action: 'sandbox.report.create',
      auditedId: report.id,
      before: undefined,
      after: presentSandboxReport(report),
    });
  }
}
