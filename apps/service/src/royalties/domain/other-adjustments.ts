/** Fines, chargebacks and income without a track, as the adjustments of the statements of a run. */

import type { StatementId } from './calculation.ts';
import { adjustmentOf, type OtherAdjustment } from './other-amount.ts';
import type { ReportId } from './report.ts';
import type { RunPlan } from './run-plan.ts';

export type StatementAdjustment = {
  readonly statementId: StatementId;
  readonly reportId: ReportId;
  readonly adjustment: OtherAdjustment;
};

type Inputs = Pick<RunPlan, 'rates' | 'parts' | 'feeRules' | 'statements' | 'others'>;

/** What has no partner is the owner's, and in no statement. */
export function otherAdjustmentsOf(plan: Inputs): readonly StatementAdjustment[] {
  const converted = new Set(
    plan.rates.map(
      ({ reportId, sourceCurrency, currency }) => `${reportId} ${sourceCurrency} ${currency}`,
    ),
  );
  const stores = new Map(plan.parts.map(({ reportId, storeId }) => [reportId, storeId]));
  const rulesByOrg = Map.groupBy(plan.feeRules, ({ orgId }) => orgId);
  const byOrg = Map.groupBy(plan.statements, ({ orgId }) => orgId);
  return plan.others.flatMap((other) => {
    if (other.orgId === null) return [];
    const { reportId, currency: source } = other;
    const statement = byOrg
      .get(other.orgId)
      ?.find(({ currency }) => converted.has(`${reportId} ${source} ${currency}`));
    if (statement === undefined) throw new TypeError(`${other.orgId} has no statement`);
    const adjustment = adjustmentOf(other, {
      storeId: stores.get(reportId) ?? '',
      currency: statement.currency,
      rates: plan.rates,
      feeRules: rulesByOrg.get(other.orgId) ?? [],
    });
    return adjustment === undefined
      ? []
      : [{ statementId: statement.statementId, reportId, adjustment }];
  });
}
