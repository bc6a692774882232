/** Fixes what a run is calculated from: its reports, rates and rules, its statements and its buckets. */

import { hash } from 'node:crypto';
import type { OrgId } from '../../kernel/ids.ts';
import { formatMicros } from '../../kernel/money.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { RunRate } from '../domain/calculation.ts';
import type { OtherAmount } from '../domain/other-amount.ts';
import { paymentsOf, type PayableReport, sourceTaxesOf } from '../domain/payable-report.ts';
import { planBuckets, type StatementShare } from '../domain/plan-buckets.ts';
import { planStatements, runHoldsOf } from '../domain/plan-statements.ts';
import type { Reversal } from '../domain/reversal.ts';
import type { RunPart, RunPlan } from '../domain/run-plan.ts';
import { runRatesOf } from '../domain/run-rates.ts';
import { type Run, runNotFound } from '../domain/run.ts';
import { hasValidForm, withholdingRatesOf } from '../domain/withholding.ts';
import { insertBuckets } from '../store/run-buckets.ts';
import {
  findFreeParts,
  findRunShares,
  findStatementCandidates,
  lockOpenReports,
  type RunShare,
  takeParts,
} from '../store/run-inputs.ts';
import { readPayableReports, readRunRules } from '../store/run-rules.ts';
import { lockRun, updateRun, writePlan } from '../store/runs.ts';
import { planReversals } from './plan-reversals.ts';

/** The parts of fines and other income that a run would take now. */
export async function findOtherParts(tx: Tx): Promise<RunPart[]> {
  const { payable } = await readPayableReports(tx, tx.orgId);
  const parts = await findFreeParts(
    tx,
    tx.orgId,
    payable.map(({ reportId }) => reportId),
  );
  return parts.filter(({ kind }) => kind === 'other');
}

/** `others` are the sums of `findOtherParts`. Does nothing if the run is planned already. */
export async function planRun(
  tx: Tx,
  id: Run['id'],
  read: readonly RunPart[],
  others: readonly OtherAmount[],
  bucketRowsMax?: number,
): Promise<void> {
  const run = await lockRun(tx, id);
  if (run === undefined) throw runNotFound();
  if (run.status !== 'calculating' || run.startedAt !== null) return;
  lockOpenReports(tx);
  const { payable, unpaid } = await readPayableReports(tx, tx.orgId);
  const reportIds = payable.map(({ reportId }) => reportId);
  const parts = await findFreeParts(tx, tx.orgId, reportIds);
  requireSameParts(
    parts.filter(({ kind }) => kind === 'other'),
    read,
  );
  takeParts(tx, id, parts);
  const { supersessions, reversals, problems } = await planReversals(tx, id);
  const shares = await findRunShares(tx, tx.orgId, id);
  const partners = [...new Set([...shares, ...others].flatMap(({ orgId }) => orgId ?? []))];
  const rules = await readRunRules(tx, partners, run.fxSetId);
  if (rules.fxRateSet === undefined) throw new TypeError(`there is no FX set ${run.fxSetId}`);
  const candidates = await findStatementCandidates(tx);
  const statements = planStatements(rules.payees, candidates, () => tx.newId('stm'));
  const currencies = new Map(rules.payees.map((payee) => [payee.orgId, payee.statementCurrency]));
  const needed = neededRates(shares, others, currencies);
  const { rates, missing } = runRatesOf(needed, paymentsOf(payable), rules.fxRateSet);
  const territories = [...new Set(rules.withholdingRules.map((rule) => rule.sourceTerritory))];
  const paid = statements.filter(({ orgId, currency }) => currencies.get(orgId) === currency);
  const plan: RunPlan = {
    parts,
    statements,
    others,
    rates,
    feeRules: rules.feeRules,
    withholding: withholdingRatesOf(
      { statements: paid, month: run.statementMonth },
      rules.payees,
      rules.withholdingRules,
      territories,
    ),
    sourceTaxes: sourceTaxesOf(payable),
    holds: missing.length > 0 ? [] : runHoldsOf(payable, paid, rates),
    unpaid,
    withoutTaxForm: rules.payees
      .filter((payee) => !hasValidForm(payee, run.statementMonth) && payee.form !== 'none')
      .map(({ orgId }) => orgId),
    supersessions,
    problems: [...missing.map((pair) => `The FX set has no rate ${pair}.`), ...problems],
  };
  writePlan(tx, id, plan, digestOfPlan(run, payable, plan, reversals));
  insertBuckets(tx, id, bucketsOf(paid, shares, bucketRowsMax));
  const rowCount = shares.reduce((sum, share) => sum + share.rowCount, 0);
  updateRun(tx, id, { rowCount, startedAt: tx.realNow });
}

const keysOf = (parts: readonly RunPart[]): string =>
  parts.map(({ objectKey }) => objectKey).join();

/** A report became payable meanwhile: the step is repeated with its parts. */
function requireSameParts(now: readonly RunPart[], read: readonly RunPart[]): void {
  if (keysOf(now) !== keysOf(read)) throw new Error('other reports became payable meanwhile');
}

function neededRates(
  shares: readonly RunShare[],
  others: readonly OtherAmount[],
  currencies: ReadonlyMap<OrgId, RunRate['currency']>,
): Omit<RunRate, 'rate'>[] {
  const needed = new Map<string, Omit<RunRate, 'rate'>>();
  for (const { reportId, currency: sourceCurrency, orgId } of [...shares, ...others]) {
    const currency = orgId === null ? undefined : currencies.get(orgId);
    if (currency !== undefined) {
      const rate = { reportId, sourceCurrency, currency };
      needed.set(Object.values(rate).join(), rate);
    }
  }
  return [...needed.values()];
}

function bucketsOf(
  statements: readonly Omit<StatementShare, 'rowCount'>[],
  shares: readonly RunShare[],
  rowsMax: number | undefined,
) {
  const rows = new Map<OrgId, number>();
  for (const { orgId, rowCount } of shares) rows.set(orgId, (rows.get(orgId) ?? 0) + rowCount);
  const withRows = statements
    .map((statement) => ({ ...statement, rowCount: rows.get(statement.orgId) ?? 0 }))
    .filter(({ rowCount }) => rowCount > 0);
  const buckets = planBuckets(withRows, rowsMax);
  const parts = Map.groupBy(
    buckets.flatMap((bucket) => bucket.statements),
    ({ statementId }) => statementId,
  );
  return buckets.map((bucket) => ({
    ...bucket,
    rowCount: bucket.statements.reduce((sum, { orgId, statementId }) => {
      const partCount = parts.get(statementId)?.length ?? 1;
      return sum + Math.ceil((rows.get(orgId) ?? 0) / partCount);
    }, 0),
  }));
}

/** Of everything that the results depend on. Ids of new statements differ between two runs of the same inputs. */
const digestOfPlan = (
  run: Run,
  payable: readonly PayableReport[],
  plan: RunPlan,
  reversals: readonly Reversal[],
): Buffer => {
  const { parts, others, rates, feeRules, sourceTaxes, holds } = plan;
  const partNumbers = payable.map((report) => [report.reportId, report.partNumbers]);
  const withholding = plan.withholding.map(({ territory, incomeType, basisPoints }) => [
    territory,
    incomeType,
    basisPoints,
  ]);
  const reversed = reversals.map((each) => [
    each.paidStatementId,
    each.reportId,
    ...[each.grossAmount, each.sourceTaxAmount, each.otherGrossAmount].map(formatMicros),
  ]);
  const inputs = [run.rulesVersion, run.statementMonth, partNumbers, parts, others, rates];
  return hash(
    'sha256',
    JSON.stringify([...inputs, feeRules, sourceTaxes, holds, withholding, reversed]),
    'buffer',
  );
};
