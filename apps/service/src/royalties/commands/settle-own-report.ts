/**
 * In the sandbox a report belongs to the partner that asked for it, and no operator looks at it: what operators decide
 * and record in live follows from what the partner asked for.
 */

import { dayOf } from '../../kernel/calendar-date.ts';
import type { Currency } from '../../kernel/currency.ts';
import { floorToMinorUnits, type Micros, sumMicros, toMicros } from '../../kernel/money.ts';
import { appendAudit } from '../../platform/db/audit.ts';
import type { Tx } from '../../platform/db/database.ts';
import { presentReport } from '../domain/present-report.ts';
import { presentRemittance } from '../domain/present-rules.ts';
import { dueUnitsOf } from '../domain/remittance.ts';
import { undecidedOverlaps } from '../domain/report-decision.ts';
import type { ReportId, ReportTotal } from '../domain/report.ts';
import { sourceToMicros } from '../domain/source-amount.ts';
import type { StoreReport } from '../domain/store-report.ts';
import { readCarriedPayments } from '../store/carried-payments.ts';
import { listTotals } from '../store/report-rows.ts';
import { findReport, findReports } from '../store/reports.ts';
import { decideRemittance } from './decide-remittance.ts';
import { decideReport } from './decide-report.ts';
import { recordRemittance } from './record-remittance.ts';

export type Settling = {
  /** The report that it replaces; it supplements all others about the same usage. */
  readonly supersedes: ReportId | null;
  /** How much of what it owes the store pays. */
  readonly paidPercent: bigint;
};

export type SettledReport =
  | { readonly status: 'unread' }
  | { readonly status: 'rejected'; readonly problem: string }
  | {
      readonly status: 'settled';
      readonly currency: Currency | null;
      readonly rowCount: number;
      readonly unmatchedRowCount: number;
      readonly reportedAmount: Micros;
      readonly paidAmount: Micros;
    };

/** The report must have one currency. */
export async function settleOwnReport(
  tx: Tx,
  id: ReportId,
  settling: Settling,
): Promise<SettledReport> {
  const report = await findReport(tx, tx.orgId, id);
  if (report === undefined || report.status === 'received') return { status: 'unread' };
  if (report.status === 'rejected') {
    return { status: 'rejected', problem: report.rejection?.message ?? 'The report is rejected.' };
  }
  await decideOverlaps(tx, report, settling.supersedes);
  const [total] = await listTotals(tx, { orgId: tx.orgId, id });
  const { rowsRead: rowCount, rowsSuspense: unmatchedRowCount } = report;
  return {
    status: 'settled',
    currency: total?.currency ?? null,
    rowCount,
    unmatchedRowCount,
    reportedAmount: total === undefined ? toMicros(0n) : sourceToMicros(dueUnitsOf(total)),
    paidAmount: total === undefined ? toMicros(0n) : await pay(tx, report, total, settling),
  };
}

async function decideOverlaps(
  tx: Tx,
  report: StoreReport,
  supersedes: ReportId | null,
): Promise<void> {
  const others = await findReports(tx, tx.orgId, report.overlapsWith);
  for (const otherId of undecidedOverlaps(report, others)) {
    const decision = otherId === supersedes ? 'supersedes' : 'supplements';
    for (const { before, after } of await decideReport(tx, report.id, decision, otherId)) {
      appendAudit(tx, {
        action: 'report.decided',
        auditedId: after.id,
        before: presentReport(before),
        after: presentReport(after),
      });
    }
  }
}

/** Returns what the store transfers: nothing if it has paid as much for the report that this one replaces. */
async function pay(
  tx: Tx,
  { id, storeId }: StoreReport,
  total: ReportTotal,
  { paidPercent }: Settling,
): Promise<Micros> {
  const { currency } = total;
  const carried = await readCarriedPayments(tx, tx.orgId, [id]);
  const due = sourceToMicros(dueUnitsOf(total)) - sumMicros(carried.map(({ amount }) => amount));
  const amount = floorToMinorUnits(toMicros((due * paidPercent) / 100n), currency);
  if (amount <= 0n) return toMicros(0n);
  const remittance = await recordRemittance(tx, {
    storeId,
    reference: `sandbox ${id}`,
    currency,
    amount,
    sourceTax: toMicros(0n),
    settledCurrency: currency,
    settledAmount: amount,
    bankFee: toMicros(0n),
    valueDate: dayOf(tx.now),
    reportIds: [id],
  });
  const after = remittance.status === 'short' ? await prorate(tx, remittance.id) : remittance;
  appendAudit(tx, {
    action: 'remittance.recorded',
    auditedId: after.id,
    before: undefined,
    after: presentRemittance(after),
  });
  return amount;
}

/** The shortfall becomes a hold, which is what a partner wants to see. */
const prorate = async (tx: Tx, id: Parameters<typeof decideRemittance>[1]) =>
  (await decideRemittance(tx, id, 'prorate')).after;
