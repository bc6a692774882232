/** The last unit of a calculation: adds everything up, checks it, and writes the review. */

import { formatMicros, type Micros, toMicros } from '../../kernel/money.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { StatementId } from '../domain/calculation.ts';
import { adjustmentOf, type RunAdjustment } from '../domain/other-amount.ts';
import type { RunId, RunPlan } from '../domain/run-plan.ts';
import { type ReportAmount, reviewRun, type StoreTotal } from '../domain/run-review.ts';
import { microsOf, type RunStatement, sumRun } from '../domain/run-statement.ts';
import { findBuckets } from '../store/run-buckets.ts';
import { findRunShares, findSuspense } from '../store/run-inputs.ts';
import { findRunStatements, replaceRunStatements } from '../store/run-statements.ts';
import { findStoreGross } from '../store/run-totals.ts';
import { findLastClosedRun, findPlan, lockRun, updateRun } from '../store/runs.ts';

export async function reviewCalculatedRun(tx: Tx, id: RunId): Promise<void> {
  const run = await lockRun(tx, id);
  if (run?.status !== 'calculating') return;
  const plan = await findPlan(tx, tx.orgId, id);
  if (plan === undefined) throw new TypeError(`${id} has no plan`);
  const [buckets, shares] = await Promise.all([
    findBuckets(tx, tx.orgId, id),
    findRunShares(tx, tx.orgId, id),
  ]);
  const summed = sumRun(plan.statements, buckets, shares, adjustmentsOf(plan));
  const statements = summed.statements.map((statement) => withHolds(statement, plan));
  replaceRunStatements(tx, id, statements);
  const last = await findLastClosedRun(tx, tx.orgId);
  const lastStatements = last === undefined ? [] : await findRunStatements(tx, tx.orgId, last.id);
  const review = reviewRun({
    problems: [...plan.problems, ...summed.problems],
    stores: await compareStores(tx, id, last?.id),
    suspense: await findSuspense(tx, tx.orgId, id),
    receivables: receivablesOf(plan),
    withoutTaxForm: plan.withoutTaxForm,
    statements,
    last: lastStatements.map((each) => ({ ...each, orgId: each.partnerOrgId })),
  });
  updateRun(tx, id, { status: 'review', review });
}

/** Fines and other income, by statement. */
function adjustmentsOf(plan: RunPlan): ReadonlyMap<StatementId, readonly RunAdjustment[]> {
  const currencies = new Map(
    plan.rates.map(({ reportId, sourceCurrency, currency }) => [
      `${reportId} ${sourceCurrency} ${currency}`,
      currency,
    ]),
  );
  const stores = new Map(plan.parts.map(({ reportId, storeId }) => [reportId, storeId]));
  const rulesByOrg = Map.groupBy(plan.feeRules, ({ orgId }) => orgId);
  const byOrg = Map.groupBy(plan.statements, ({ orgId }) => orgId);
  const adjustments = new Map<StatementId, RunAdjustment[]>();
  for (const other of plan.others) {
    if (other.orgId === null) continue;
    const { reportId, currency: source } = other;
    const statement = byOrg
      .get(other.orgId)
      ?.find(({ currency }) => currencies.has(`${reportId} ${source} ${currency}`));
    if (statement === undefined) throw new TypeError(`${other.orgId} has no statement`);
    const adjustment = adjustmentOf(other, {
      storeId: stores.get(reportId) ?? '',
      currency: statement.currency,
      rates: plan.rates,
      feeRules: rulesByOrg.get(other.orgId) ?? [],
    });
    const ofStatement = adjustments.get(statement.statementId) ?? [];
    if (adjustment !== undefined) ofStatement.push(adjustment);
    adjustments.set(statement.statementId, ofStatement);
  }
  return adjustments;
}

/** Of the disputed gross, the share that the partner would have been paid; never more than the statement. */
function withHolds(statement: RunStatement, plan: RunPlan): RunStatement {
  const { grossAmount: gross, netAmount: net } = statement;
  let left: bigint = net;
  const holds = plan.holds
    .filter(({ statementId }) => statementId === statement.statementId)
    .map(({ reportId, storeId, grossAmount }) => {
      const share = gross > 0n ? (microsOf(grossAmount) * net) / gross : 0n;
      const amount: Micros = toMicros(share < left ? share : left);
      left -= amount;
      return { reportId, storeId, amount: formatMicros(amount) };
    })
    .filter(({ amount }) => microsOf(amount) > 0n);
  return { ...statement, holds };
}

async function compareStores(tx: Tx, id: RunId, lastId: RunId | undefined): Promise<StoreTotal[]> {
  const now = await findStoreGross(tx, tx.orgId, id);
  const last = lastId === undefined ? [] : await findStoreGross(tx, tx.orgId, lastId);
  const lastGross = new Map(last.map((each) => [each.storeId + each.currency, each.grossAmount]));
  return now.map((each) => ({
    ...each,
    lastGrossAmount: lastGross.get(each.storeId + each.currency) ?? null,
  }));
}

const receivablesOf = ({ unpaid }: RunPlan): ReportAmount[] =>
  unpaid.flatMap(({ reportId, storeId, unpaid: amounts }) =>
    amounts.map(({ currency, due }) => ({ reportId, storeId, currency, amount: due })),
  );
