/**
 * What we withhold from payees (spec: two taxes; the other one is withheld by the store). A rule is about income of one
 * type from one territory, for payees of one country or of every country. A rule that requires a form applies to payees
 * whose tax form is valid on the last day of the statement month; an expired form counts as none.
 */

import type { CalendarDate } from '../../kernel/calendar-date.ts';
import type { Currency } from '../../kernel/currency.ts';
import type { Id, OrgId } from '../../kernel/ids.ts';
import { lastDayOf, type Month } from '../../kernel/month.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import {
  type IncomeType,
  incomeTypes,
  type StatementId,
  type WithholdingRate,
} from './calculation.ts';

type WithholdingRuleId = Id<'whr'>;

export type WithholdingRule = {
  readonly id: WithholdingRuleId;
  readonly sourceTerritory: string;
  readonly incomeType: IncomeType;
  /** Null: every country, and payees whose country is not known. */
  readonly payeeCountry: string | null;
  readonly requiresForm: boolean;
  readonly basisPoints: number;
  /** The first statement month, YYYY-MM. */
  readonly validFrom: Month;
  /** The last one; null: no end. */
  readonly validTo: Month | null;
};

/** What a run knows about the organizations that it pays. Without a tax profile the last three are null. */
export type Payee = {
  readonly orgId: OrgId;
  readonly statementCurrency: Currency;
  readonly residence: string | null;
  /** `none`: the payee owes no form. */
  readonly form: string | null;
  readonly expiresOn: CalendarDate | null;
};

export const hasValidForm = ({ form, expiresOn }: Payee, month: Month): boolean =>
  form !== null && form !== 'none' && (expiresOn === null || lastDayOf(month) <= expiresOn);

const appliesTo = (rule: WithholdingRule, payee: Payee, month: Month): boolean =>
  (rule.payeeCountry === null || rule.payeeCountry === payee.residence) &&
  (!rule.requiresForm || hasValidForm(payee, month)) &&
  rule.validFrom <= month &&
  (rule.validTo === null || month <= rule.validTo);

/** Positive if `a` applies before `b`: the rule of a country, then the rule for payees with a form, then the latest. */
const precedence = (a: WithholdingRule, b: WithholdingRule): number =>
  Number(a.payeeCountry !== null) - Number(b.payeeCountry !== null) ||
  Number(a.requiresForm) - Number(b.requiresForm) ||
  a.validFrom.localeCompare(b.validFrom);

type TaxedStatement = { readonly statementId: StatementId; readonly orgId: OrgId };

/** In the order of statements, territories and income types. The house withholds nothing from itself. */
export function withholdingRatesOf(
  { statements, month }: { readonly statements: readonly TaxedStatement[]; readonly month: Month },
  payees: readonly Payee[],
  rules: readonly WithholdingRule[],
  territories: readonly string[],
): WithholdingRate[] {
  const byOrg = new Map(payees.map((payee) => [payee.orgId, payee]));
  const byIncome = Map.groupBy(rules, (rule) => rule.sourceTerritory + rule.incomeType);
  const taxed = territories.filter((territory) =>
    incomeTypes.some((incomeType) => byIncome.has(territory + incomeType)),
  );
  return statements
    .filter(({ orgId }) => orgId !== systemOrgId)
    .flatMap(({ statementId, orgId }) => {
      const payee = byOrg.get(orgId);
      if (payee === undefined) throw new TypeError(`${orgId} has a statement but is no payee`);
      return taxed.flatMap((territory) =>
        incomeTypes.flatMap((incomeType) => {
          const candidates = byIncome.get(territory + incomeType) ?? [];
          const basisPoints = rateOf(candidates, payee, month);
          return basisPoints === 0 ? [] : [{ statementId, territory, incomeType, basisPoints }];
        }),
      );
    });
}

function rateOf(rules: readonly WithholdingRule[], payee: Payee, month: Month): number {
  let best: WithholdingRule | undefined;
  for (const rule of rules) {
    if (!appliesTo(rule, payee, month)) continue;
    if (best === undefined || precedence(rule, best) > 0) best = rule;
  }
  return best?.basisPoints ?? 0;
}
