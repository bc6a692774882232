/**
 * A report that a partner asks a fictional store for. It is a real file, which passes through the real intake:
 *
 *   expected → paid | short_paid   it has arrived, was read, and the store has paid it or a part of it
 *   paid, short_paid → included    a run has closed its month
 *   paid, short_paid, included → superseded   another report replaces it
 *   expected → failed              the store had nothing to report, or the file was refused
 */

import type { Currency } from '../../kernel/currency.ts';
import { addMs, dayMs } from '../../kernel/duration.ts';
import type { Id } from '../../kernel/ids.ts';
import { formatMicros, type Micros } from '../../kernel/money.ts';
import { isMonth, type Month } from '../../kernel/month.ts';
import { invalidField, type Refusal } from '../../kernel/problem.ts';

export const reportKinds = [
  'normal',
  'late',
  'restated',
  'returns',
  'penalty',
  'unmatched',
  'short_paid',
] as const;
export type ReportKind = (typeof reportKinds)[number];

export const sandboxReportStatuses = [
  'expected',
  'paid',
  'short_paid',
  'included',
  'superseded',
  'failed',
] as const;
type SandboxReportStatus = (typeof sandboxReportStatuses)[number];

/** Of the store's report too. */
export type SandboxReportId = Id<'rpt'>;

export type SandboxReport = {
  readonly id: SandboxReportId;
  readonly storeId: string;
  /** The usage month. */
  readonly period: Month;
  readonly kind: ReportKind;
  /** Counts the reports of one store and period: each has other numbers. */
  readonly number: number;
  readonly status: SandboxReportStatus;
  /** Business time. */
  readonly arrivesAt: Date;
  /** The report that it replaces. */
  readonly supersedes: SandboxReportId | null;
  /** Null until it has arrived, as the four below. */
  readonly currency: Currency | null;
  readonly rowCount: number | null;
  readonly unmatchedRowCount: number | null;
  readonly reportedAmount: Micros | null;
  readonly paidAmount: Micros | null;
  /** Why it failed. */
  readonly problem: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export const lateDays = 20;

export const arrivalOf = (kind: ReportKind, now: Date): Date =>
  kind === 'late' ? addMs(now, lateDays * dayMs) : now;

/** Of an organization, until it resets its sandbox. */
const reportsMax = 200;

export const refuseTooManyReports = (count: number): Refusal | undefined =>
  count < reportsMax
    ? undefined
    : {
        code: 'invalid_state',
        message: `Your sandbox has ${reportsMax} reports, the maximum. Reset it with POST /v1/sandbox/reset to start over.`,
      };

/** A store reports a month when the month has ended. */
export function refusePeriod(period: string, now: Date): Refusal | undefined {
  if (!isMonth(period)) return invalidField('period', 'must be a month such as 2026-10');
  const thisMonth = now.toISOString().slice(0, 7);
  return period < thisMonth
    ? undefined
    : invalidField(
        'period',
        `must be a month that has ended: it is ${now.toISOString()} in your sandbox. Send an earlier month, or move the clock with POST /v1/sandbox/clock/advance`,
      );
}

/** What a store does not have, it cannot report. */
export const nothingHeld = (storeId: string, period: Month): string =>
  `${storeId} had none of your recordings in ${period}. Deliver a release to ${storeId} with POST /v1/deliveries, move the clock until the delivery is delivered and the month has ended, and send that month.`;

export const nothingToRestate = (storeId: string, period: Month): Refusal => ({
  code: 'invalid_state',
  message: `${storeId} has sent no report about ${period} that could be replaced. Ask for one with the kind normal first.`,
});

/** Of what a store owes for a report. */
export const paidPercentOf = (kind: ReportKind): bigint => (kind === 'short_paid' ? 80n : 100n);

/** The newest of these that has arrived, or arrives now, and is not replaced yet. They are in the order of their numbers. */
export const lastReplaceable = (
  reports: readonly SandboxReport[],
  now: Date,
): SandboxReport | undefined =>
  reports.findLast(
    ({ status, arrivesAt }) => status !== 'failed' && status !== 'superseded' && arrivesAt <= now,
  );

export const presentSandboxReport = (report: SandboxReport) => ({
  id: report.id,
  store_id: report.storeId,
  period: report.period,
  kind: report.kind,
  status: report.status,
  arrives_at: report.arrivesAt.toISOString(),
  supersedes: report.supersedes,
  currency: report.currency,
  row_count: report.rowCount,
  unmatched_row_count: report.unmatchedRowCount,
  reported_amount: amountOf(report.reportedAmount),
  paid_amount: amountOf(report.paidAmount),
  problem: report.problem,
  created_at: report.createdAt.toISOString(),
  updated_at: report.updatedAt.toISOString(),
});

const amountOf = (amount: Micros | null): string | null =>
  amount === null ? null : formatMicros(amount);
