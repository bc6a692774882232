/** The statements of a run: one for each partner that earns something, and for each balance that has a statement already. */

import type { Currency } from '../../kernel/currency.ts';
import type { OrgId } from '../../kernel/ids.ts';
import { formatMicros, sumMicros } from '../../kernel/money.ts';
import type { RunRate, StatementId } from './calculation.ts';
import { convertSource, rateOf } from './other-amount.ts';
import type { PayableReport } from './payable-report.ts';
import type { RunHold, StatementPlan } from './run-plan.ts';
import type { Payee } from './withholding.ts';

type Candidate = {
  readonly orgId: OrgId;
  readonly currency: Currency;
  readonly statementId: StatementId | null;
};

/** `payees` have a share of the run. In the order of organizations and currencies. */
export function planStatements(
  payees: readonly Payee[],
  candidates: readonly Candidate[],
  newId: () => StatementId,
): StatementPlan[] {
  const known = new Map(candidates.map((each) => [each.orgId + each.currency, each]));
  for (const { orgId, statementCurrency: currency } of payees) {
    const key = orgId + currency;
    if (!known.has(key)) known.set(key, { orgId, currency, statementId: null });
  }
  return [...known]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { orgId, currency, statementId }]) => ({
      orgId,
      currency,
      statementId: statementId ?? newId(),
    }));
}

/** What a store has not paid and the operator prorated: credited, and held until the dispute ends. */
export function runHoldsOf(
  payable: readonly PayableReport[],
  statements: readonly StatementPlan[],
  rates: readonly RunRate[],
): RunHold[] {
  const byOrg = new Map(statements.map((statement) => [statement.orgId, statement]));
  return payable.flatMap(({ reportId, storeId, currencies }) =>
    currencies.flatMap(({ currency: sourceCurrency, disputed }) =>
      [...Map.groupBy(disputed, ({ orgId }) => orgId)].flatMap(([orgId, ofOrg]) => {
        const statement = byOrg.get(orgId);
        if (statement === undefined) return [];
        const { statementId, currency } = statement;
        const rate = rateOf(rates, { reportId, sourceCurrency, currency });
        const amount = sumMicros(ofOrg.map((share) => convertSource(share.amount, rate)));
        return amount > 0n
          ? [{ statementId, reportId, storeId, grossAmount: formatMicros(amount) }]
          : [];
      }),
    ),
  );
}
