/** The last unit of a calculation: adds everything up, checks it, and writes the review. */

import { formatMicros, type Micros, toMicros } from '../../kernel/money.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { StatementId } from '../domain/calculation.ts';
import { otherAdjustmentsOf } from '../domain/other-adjustments.ts';
import { correctionOf, type Reversal } from '../domain/reversal.ts';
import { summarizeReversals } from '../domain/review-reversals.ts';
import type { RunId, RunPlan } from '../domain/run-plan.ts';
import { type ReportAmount, reviewRun, type StoreTotal } from '../domain/run-review.ts';
import {
  microsOf,
  type RunAdjustment,
  type RunStatement,
  sumRun,
} from '../domain/run-statement.ts';
import { findBuckets } from '../store/run-buckets.ts';
import { findRunShares, findSuspense } from '../store/run-inputs.ts';
import { findReversals } from '../store/run-reversals.ts';
import { findRunStatements, replaceRunStatements } from '../store/run-statements.ts';
import { findStoreGross } from '../store/run-totals.ts';
import { findLastClosedRun, findPlan, lockRun, updateRun } from '../store/runs.ts';

export async function reviewCalculatedRun(tx: Tx, id: RunId): Promise<void> {
  const run = await lockRun(tx, id);
  if (run?.status !== 'calculating') return;
  const plan = await findPlan(tx, tx.orgId, id);
  if (plan === undefined) throw new TypeError(`${id} has no plan`);
  const [buckets, shares, reversals] = await Promise.all([
    findBuckets(tx, tx.orgId, id),
    findRunShares(tx, tx.orgId, id),
    findReversals(tx, tx.orgId, id),
  ]);
  const summed = sumRun(plan.statements, buckets, shares, adjustmentsOf(plan, reversals));
  const statements = summed.statements.map((statement) => withHolds(statement, plan));
  replaceRunStatements(tx, id, statements);
  const last = await findLastClosedRun(tx, tx.orgId);
  const lastStatements = last === undefined ? [] : await findRunStatements(tx, tx.orgId, last.id);
  const review = reviewRun({
    problems: [
      ...plan.problems,
      ...summed.problems,
      ...reversals.flatMap(({ problem }) => problem ?? []),
    ],
    corrections: summarizeReversals(reversals),
    stores: await compareStores(tx, id, last?.id),
    suspense: await findSuspense(tx, tx.orgId, id),
    receivables: receivablesOf(plan),
    withoutTaxForm: plan.withoutTaxForm,
    statements,
    last: lastStatements.map((each) => ({ ...each, orgId: each.partnerOrgId })),
  });
  updateRun(tx, id, { status: 'review', review });
}

/** By statement: fines and other income, then what superseded reports have paid. */
function adjustmentsOf(
  plan: RunPlan,
  reversals: readonly Reversal[],
): ReadonlyMap<StatementId, readonly RunAdjustment[]> {
  const landing = new Map(plan.statements.map((each) => [each.orgId + each.currency, each]));
  const corrections = reversals.map((reversal) => {
    const statement = landing.get(reversal.partnerOrgId + reversal.currency);
    if (statement === undefined) throw new TypeError(`${reversal.partnerOrgId} has no statement`);
    return { statementId: statement.statementId, adjustment: correctionOf(reversal) };
  });
  const adjustments = [...otherAdjustmentsOf(plan), ...corrections];
  const byStatement = Map.groupBy(adjustments, ({ statementId }) => statementId);
  return new Map(
    [...byStatement].map(([id, ofStatement]) => [id, ofStatement.map((each) => each.adjustment)]),
  );
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
