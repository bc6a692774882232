/** The steps of a report that arrives: it is made, registered, and after its reading paid. Each may be repeated. */

import { findOrganization } from '../../identity/face.ts';
import { addMs, minuteMs } from '../../kernel/duration.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { setRealTimer } from '../../platform/engine/timers.ts';
import {
  findReport,
  registerReport,
  settleOwnReport,
  type StoredContent,
} from '../../royalties/face.ts';
import { recordingsMax, reportContent } from '../domain/report-content.ts';
import {
  nothingHeld,
  paidPercentOf,
  presentSandboxReport,
  type SandboxReport,
  type SandboxReportId,
} from '../domain/sandbox-report.ts';
import { receiveReport } from '../messages.ts';
import {
  copyReportStatuses,
  findHeldRecordings,
  findSandboxReport,
  updateArrival,
} from '../store/sandbox-reports.ts';

export type PlannedReport = {
  readonly storeId: string;
  readonly name: string;
  /** Null: it is registered already, perhaps with other content. */
  readonly content: string | null;
};

/** Null if there is nothing to receive: it has arrived, failed, or was removed by a reset. */
export async function planReport(tx: Tx, id: SandboxReportId): Promise<PlannedReport | null> {
  const report = await findSandboxReport(tx, tx.orgId, id);
  if (report?.status !== 'expected') return null;
  const { storeId, period, number } = report;
  const name = `${storeId}-${period}-${number}.csv`;
  if ((await findReport(tx, tx.orgId, id)) !== undefined) return { storeId, name, content: null };
  const recordings = await findHeldRecordings(tx, report, recordingsMax);
  if (recordings.length === 0) {
    changeArrival(tx, report, { status: 'failed', problem: nothingHeld(storeId, period) });
    return null;
  }
  const organization = await findOrganization(tx, tx.orgId);
  const currency = organization?.statementCurrency ?? 'USD';
  return { storeId, name, content: reportContent(report, recordings, currency) };
}

export async function registerPlanned(
  tx: Tx,
  id: SandboxReportId,
  { storeId }: PlannedReport,
  stored: StoredContent,
): Promise<void> {
  if ((await findSandboxReport(tx, tx.orgId, id)) === undefined) return;
  await registerReport(tx, { id, storeId, format: 'plain_csv', ...stored });
}

/** Its reading was given up for now. */
const retryAfterMs = 2 * minuteMs;

export async function settleReport(tx: Tx, id: SandboxReportId): Promise<void> {
  const report = await findSandboxReport(tx, tx.orgId, id);
  if (report?.status !== 'expected') return;
  const { supersedes, kind } = report;
  const settled = await settleOwnReport(tx, id, { supersedes, paidPercent: paidPercentOf(kind) });
  switch (settled.status) {
    case 'unread':
      setRealTimer(tx, addMs(tx.realNow, retryAfterMs), receiveReport(tx.orgId, id));
      break;
    case 'rejected':
      changeArrival(tx, report, { status: 'failed', problem: settled.problem });
      break;
    default:
      changeArrival(tx, report, {
        ...settled,
        status: kind === 'short_paid' ? 'short_paid' : 'paid',
      });
      copyReportStatuses(tx);
  }
}

function changeArrival(tx: Tx, before: SandboxReport, changes: Partial<SandboxReport>): void {
  const after = { ...before, ...changes, updatedAt: tx.now };
  updateArrival(tx, before.id, after);
  appendAudit(tx, {
    action: `sandbox.report.${after.status}`,
    auditedId: before.id,
    before: presentSandboxReport(before),
    after: presentSandboxReport(after),
  });
}
