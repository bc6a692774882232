/** Finds what a run takes back of reports that its own reports replace, and that earlier runs have paid. */

import { sumMicros, toMicros } from '../../kernel/money.ts';
import type { Tx } from '../../platform/db/database.ts';
import { otherAdjustmentsOf } from '../domain/other-adjustments.ts';
import type { ReportId } from '../domain/report.ts';
import type { Reversal } from '../domain/reversal.ts';
import type { RunId, Supersession } from '../domain/run-plan.ts';
import { microsOf } from '../domain/run-statement.ts';
import {
  findPaidSources,
  findSupersessions,
  type FoundSupersession,
  insertReversals,
  type PaidSource,
} from '../store/run-reversals.ts';
import { findRunStatements } from '../store/run-statements.ts';
import { findPlan } from '../store/runs.ts';

export type PlannedReversals = {
  readonly supersessions: readonly Supersession[];
  readonly reversals: readonly Reversal[];
  /** What blocks the run. */
  readonly problems: readonly string[];
};

/** After the run has taken its reports. */
export async function planReversals(tx: Tx, id: RunId): Promise<PlannedReversals> {
  const found = await findSupersessions(tx, id);
  const problems = found.flatMap(problemOf);
  const supersessions = found.map(({ openRunId: _openRunId, ...supersession }) => supersession);
  if (problems.length > 0) return { supersessions, reversals: [], problems };
  const reversals: Reversal[] = [];
  const runIds = [...new Set(supersessions.flatMap((each) => each.runIds))].toSorted();
  for (const runId of runIds) reversals.push(...(await reversalsOfRun(tx, runId, supersessions)));
  insertReversals(tx, id, reversals);
  return { supersessions, reversals, problems };
}

const problemOf = ({ reportId, supersededBy, openRunId }: FoundSupersession): readonly string[] =>
  openRunId === null
    ? []
    : [
        `Report ${supersededBy} supersedes ${reportId}, which ${openRunId} has taken and has not closed. Discard this run, and close or discard ${openRunId} first.`,
      ];

async function reversalsOfRun(
  tx: Tx,
  paidRunId: RunId,
  supersessions: readonly Supersession[],
): Promise<Reversal[]> {
  const byReport = new Map(supersessions.map((each) => [each.reportId, each]));
  const reportIds = [...byReport.keys()];
  const [statements, sources, plan] = await Promise.all([
    findRunStatements(tx, tx.orgId, paidRunId),
    findPaidSources(tx, tx.orgId, [paidRunId], reportIds),
    findPlan(tx, tx.orgId, paidRunId),
  ]);
  if (plan === undefined) throw new TypeError(`${paidRunId} has no plan`);
  const others = otherAdjustmentsOf({
    ...plan,
    others: plan.others.filter(({ reportId }) => byReport.has(reportId)),
  });
  const byStatement = new Map(statements.map((each) => [each.statementId, each]));
  const keys = new Map(
    [...sources, ...others].map((each) => [keyOf(each), each] as const).toSorted(byKey),
  );
  const sourceByKey = new Map(sources.map((source) => [keyOf(source), source]));
  const othersByKey = Map.groupBy(others, keyOf);
  return [...keys].map(([key, { statementId, reportId }]) => {
    const statement = byStatement.get(statementId);
    const supersession = byReport.get(reportId);
    if (statement === undefined || supersession === undefined) {
      throw new TypeError(`${paidRunId} has no statement ${statementId}`);
    }
    const ofKey = (othersByKey.get(key) ?? []).map(({ adjustment }) => adjustment);
    return {
      paidStatementId: statementId,
      reportId,
      supersededBy: supersession.supersededBy,
      storeId: supersession.storeId,
      paidRunId,
      partnerOrgId: statement.partnerOrgId,
      currency: statement.currency,
      ...amountsOf(sourceByKey.get(key)),
      otherGrossAmount: sumMicros(ofKey.map(({ grossAmount }) => microsOf(grossAmount))),
      otherFeeAmount: sumMicros(ofKey.map(({ feeAmount }) => microsOf(feeAmount))),
      ...uncalculated,
    };
  });
}

type Key = { readonly statementId: string; readonly reportId: ReportId };
const keyOf = ({ statementId, reportId }: Key): string => `${statementId} ${reportId}`;
const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

const zero = toMicros(0n);
const amountsOf = (source: PaidSource | undefined) => ({
  grossAmount: source?.grossAmount ?? zero,
  sourceTaxAmount: source?.sourceTaxAmount ?? zero,
});

const uncalculated = { feeAmount: null, payeeTaxAmount: null, problem: null };
