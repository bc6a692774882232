/** One month of `prove money`: reports, payments, corrections and payouts, then runs, of which the last is closed. */

import type { Id } from '../../src/kernel/ids.ts';
import { countLeftovers, digestsOf, enterClosing, traceOf } from './money-judge.ts';
import { type MoneyOffice, moveBalances } from './money-operator.ts';
import { askOracle, countOtherThreadDigests, type RunVerdict } from './money-oracle.ts';
import { payStores } from './money-payments.ts';
import { receiveReports } from './money-reports.ts';
import { approveAndClose, calculate, discard, isBlocked } from './money-runs.ts';

export const newTotals = () => ({
  differences: [] as string[],
  late_reports: 0,
  batches: 0,
  repeated_files: 0,
  repeated_wrongly: 0,
  superseding_reports: 0,
  supplementing_reports: 0,
  restated_reports: 0,
  corrections: 0,
  payments: 0,
  joint_payments: 0,
  short_payments: 0,
  payments_too_high: 0,
  late_payments: 0,
  waiting_payments: 0,
  completed_payments: 0,
  wrong_dues: 0,
  runs: 0,
  recalculated_runs: 0,
  other_digests: 0,
  runs_with_other_threads: 0,
  other_thread_digests: 0,
  traces_of_discarded_runs: 0,
  blocked_runs: 0,
  runs_not_blocked: 0,
  wrong_closings: 0,
  buckets: 0,
  items: 0,
  records: 0,
  ties: 0,
  negative_records: 0,
  holds: 0,
  fines: 0,
  source_tax_micros: 0,
  payee_tax_micros: 0,
});
type Totals = ReturnType<typeof newTotals>;

export type Month = {
  readonly number: number;
  readonly rowCount: number;
  readonly isLast: boolean;
  /** A run without rates comes first. */
  readonly hasBlockedRun: boolean;
  readonly isRecalculated: boolean;
  readonly isRestated: boolean;
  readonly hasOtherThreads: boolean;
};

export const makeMonth = (number: number, rowCount: number, isLast: boolean): Month => ({
  number,
  rowCount,
  isLast,
  hasBlockedRun: number % 3 === 0,
  isRecalculated: number % 2 === 0,
  isRestated: number % 3 !== 0,
  // The smallest size has no such month: the proof `royalties` covers it there.
  hasOtherThreads: number % 6 === 5,
});

const monthOf = (number: number, firstYear = 2020): string =>
  `${firstYear + Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`;
const firstLateYear = 2016;

export async function runMonth(office: MoneyOffice, totals: Totals, of: Month): Promise<void> {
  const { number, isLast } = of;
  const month = monthOf(number);
  const lateMonth = monthOf(number, firstLateYear);
  const received = await receiveReports(office, { ...of, month, lateMonth });
  totals.late_reports += received.late;
  totals.batches += received.batches;
  totals.repeated_files += received.repeated;
  totals.repeated_wrongly += received.wrong;
  totals.superseding_reports += received.superseding;
  totals.supplementing_reports += received.supplementing;
  totals.restated_reports += received.restating;
  const paid = await payStores(office, month, isLast);
  totals.payments += paid.payments;
  totals.joint_payments += paid.joint;
  totals.short_payments += paid.short;
  totals.payments_too_high += paid.over;
  totals.late_payments += paid.late;
  totals.waiting_payments += paid.waiting;
  totals.completed_payments += paid.completed;
  totals.wrong_dues += paid.wrong_dues;
  await moveBalances(office, month);
  const { run, verdict } = await calculateMonth(office, totals, of);
  addVerdict(totals, verdict);
  await approveAndClose(office, run);
  totals.wrong_closings += await enterClosing(office, run, verdict);
  totals.runs++;
}

/** A run without rates is blocked and discarded; another one may be discarded and calculated again. */
async function calculateMonth(office: MoneyOffice, totals: Totals, of: Month) {
  const { stack, rateSet, emptyRateSet } = office;
  const month = monthOf(of.number);
  const before = await traceOf(office);
  if (of.hasBlockedRun) {
    const blocked = await calculate(office, month, emptyRateSet);
    if (await isBlocked(office, blocked)) totals.blocked_runs++;
    else totals.runs_not_blocked++;
    await discardWithoutTrace(office, totals, blocked, before);
  }
  let run = await calculate(office, month, rateSet);
  if (of.isRecalculated) {
    const digests = await digestsOf(office, run);
    await discardWithoutTrace(office, totals, run, before);
    run = await calculate(office, month, rateSet);
    totals.recalculated_runs++;
    if ((await digestsOf(office, run)) !== digests) totals.other_digests++;
  }
  if (of.hasOtherThreads) {
    totals.runs_with_other_threads++;
    totals.other_thread_digests += await stack.persist(() => countOtherThreadDigests(office, run));
  }
  const verdict = await stack.persist(() => askOracle(office, run, month));
  return { run, verdict };
}

async function discardWithoutTrace(
  office: MoneyOffice,
  totals: Totals,
  run: Id<'run'>,
  before: string,
): Promise<void> {
  await discard(office, run);
  const leftovers = await office.stack.persist(() => countLeftovers(office, run));
  if (leftovers > 0 || (await traceOf(office)) !== before) totals.traces_of_discarded_runs++;
}

function addVerdict(totals: Totals, verdict: RunVerdict): void {
  const statements = Object.values(verdict.statements);
  totals.differences.push(...verdict.differences);
  totals.buckets += verdict.buckets;
  totals.items += verdict.items;
  totals.records += verdict.records;
  totals.corrections += verdict.corrections.length;
  totals.ties += verdict.ties;
  totals.negative_records += verdict.negative_records;
  totals.holds += statements.reduce((sum, { holds }) => sum + holds.length, 0);
  totals.fines += statements.reduce((sum, { adjustments }) => sum + adjustments.length, 0);
  totals.source_tax_micros += verdict.source_tax;
  totals.payee_tax_micros += verdict.payee_tax;
}
