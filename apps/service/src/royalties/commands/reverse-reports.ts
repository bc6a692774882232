/** The unit of a calculation that finds what superseded reports have paid, some statements at a time. */

import { toMicros } from '../../kernel/money.ts';
import type { Tx } from '../../platform/db/database.ts';
import { rowsPerBucketMax } from '../domain/calculation.ts';
import {
  type CalculatedReversal,
  minus,
  type PaidAmounts,
  type PaidStatement,
  type Reversal,
} from '../domain/reversal.ts';
import type { RunId, RunPlan } from '../domain/run-plan.ts';
import type { RunStatement } from '../domain/run-statement.ts';
import {
  findEarlierReversals,
  findSomeUncalculated,
  writeReversals,
} from '../store/run-reversals.ts';
import { findStatementsOfRun } from '../store/run-statements.ts';
import { findPlan } from '../store/runs.ts';
import { continueRun, isCalculating } from './calculate-run.ts';

/** A step has at most this many statements, and about as many line items as a bucket. */
const statementsPerStepMax = 200;

/** Undefined: everything is calculated. */
export async function readReversalWork(
  tx: Tx,
  id: RunId,
): Promise<readonly PaidStatement[] | undefined> {
  const reversals = await findSomeUncalculated(tx, id, statementsPerStepMax);
  const [first] = reversals;
  if (first === undefined) return undefined;
  const ofRun = reversals.filter(({ paidRunId }) => paidRunId === first.paidRunId);
  const byStatement = Map.groupBy(ofRun, ({ paidStatementId }) => paidStatementId);
  const ids = [...byStatement.keys()];
  const [plan, statements, earlier] = await Promise.all([
    findPlan(tx, tx.orgId, first.paidRunId),
    findStatementsOfRun(tx, tx.orgId, first.paidRunId, ids),
    findEarlierReversals(tx, ids),
  ]);
  if (plan === undefined) throw new TypeError(`${first.paidRunId} has no plan`);
  const before = Map.groupBy(earlier, ({ paidStatementId }) => paidStatementId);
  return firstOf(statements).map((statement) =>
    paidStatement(
      plan,
      statement,
      byStatement.get(statement.statementId) ?? [],
      before.get(statement.statementId) ?? [],
    ),
  );
}

const noMicros = toMicros(0n);

/** At least one. */
function firstOf(statements: readonly RunStatement[]): readonly RunStatement[] {
  let rows = 0;
  return statements.filter(({ lineItemCount }, i) => {
    rows += lineItemCount;
    return i === 0 || rows <= rowsPerBucketMax;
  });
}

function paidStatement(
  plan: RunPlan,
  { statementId, partnerOrgId, artifacts, ...paid }: RunStatement,
  reversals: readonly Reversal[],
  before: readonly Reversal[],
): PaidStatement {
  const expected = before.reduce<PaidAmounts>(
    (left, { grossAmount, feeAmount, payeeTaxAmount }) =>
      minus(left, {
        grossAmount,
        feeAmount: feeAmount ?? noMicros,
        payeeTaxAmount: payeeTaxAmount ?? noMicros,
      }),
    paid,
  );
  return {
    statementId,
    items: artifacts.filter(({ kind }) => kind === 'items'),
    feeRules: plan.feeRules.filter(({ orgId }) => orgId === partnerOrgId),
    withholding: plan.withholding.filter((rate) => rate.statementId === statementId),
    reversedBefore: before.map(({ reportId }) => reportId),
    reversals,
    expected,
  };
}

export async function recordReversals(
  tx: Tx,
  id: RunId,
  calculated: readonly CalculatedReversal[],
): Promise<void> {
  if (!(await isCalculating(tx, id))) return;
  writeReversals(tx, id, calculated);
  continueRun(tx, id);
}
