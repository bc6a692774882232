/**
 * The fee of a partner, in basis points of the gross amount, by store, use type and usage month. An organization without a
 * general rule for a month has the platform's. Without any rule the fee is 0.
 */

import type { Id, OrgId } from '../../kernel/ids.ts';
import { type Month, nextMonth } from '../../kernel/month.ts';
import { systemOrgId } from '../../kernel/system-organization.ts';
import type { UseType } from '../../kernel/use-type.ts';
import type { FeeRule } from './calculation.ts';

export type FeeRuleId = Id<'fee'>;

/** With its id, as operators see it. The rules of the system organization are the platform's; they are all general. */
export type StoredFeeRule = FeeRule & { readonly id: FeeRuleId };

const isGeneral = ({ storeId, useType }: FeeRule): boolean => storeId === null && useType === null;

const isValidIn = ({ validFrom, validTo }: FeeRule, month: Month): boolean =>
  validFrom <= month && (validTo === null || month <= validTo);

const specificity = ({ storeId, useType }: FeeRule): number =>
  (storeId === null ? 0 : 2) + (useType === null ? 0 : 1);

/** Positive if `a` applies before `b`. */
const precedence = (a: FeeRule, b: FeeRule): number =>
  specificity(a) - specificity(b) || a.validFrom.localeCompare(b.validFrom);

/** `rules` of one organization. Undefined: none applies. */
const bestOf = (rules: readonly FeeRule[]): FeeRule | undefined => {
  let best: FeeRule | undefined;
  for (const rule of rules) if (best === undefined || precedence(rule, best) > 0) best = rule;
  return best;
};

/** In basis points. `rules` are those of one organization, with the platform's (`withPlatformRules`). */
export const feeFor = (
  rules: readonly FeeRule[],
  storeId: string,
  useType: UseType,
  usageMonth: Month,
): number =>
  bestOf(
    rules.filter(
      (rule) =>
        isValidIn(rule, usageMonth) &&
        (rule.storeId ?? storeId) === storeId &&
        (rule.useType ?? useType) === useType,
    ),
  )?.basisPoints ?? 0;

/**
 * The rules of each organization, and general ones made of the platform's for the months that it has no general rule of
 * its own for. The house has none: it pays itself no fee.
 */
export function withPlatformRules(
  orgIds: readonly OrgId[],
  rules: readonly FeeRule[],
): readonly FeeRule[] {
  const byOrg = Map.groupBy(rules, ({ orgId }) => orgId);
  const platform = byOrg.get(systemOrgId) ?? [];
  return orgIds
    .filter((orgId) => orgId !== systemOrgId)
    .flatMap((orgId) => {
      const own = byOrg.get(orgId) ?? [];
      return [...own, ...platformPeriods(orgId, own.filter(isGeneral), platform)];
    });
}

/** Between two of these months, every rule applies throughout or not at all. */
const changesOf = (rules: readonly FeeRule[]): readonly Month[] =>
  [
    ...new Set(
      rules.flatMap(({ validFrom, validTo }) =>
        validTo === null ? [validFrom] : [validFrom, nextMonth(validTo)],
      ),
    ),
  ].toSorted();

function platformPeriods(
  orgId: OrgId,
  own: readonly FeeRule[],
  platform: readonly FeeRule[],
): FeeRule[] {
  const changes = changesOf([...own, ...platform]);
  return changes.flatMap((validFrom, i): FeeRule[] => {
    const applying = (rules: readonly FeeRule[]) =>
      bestOf(rules.filter((rule) => isValidIn(rule, validFrom)));
    const rule = applying(own) === undefined ? applying(platform) : undefined;
    if (rule === undefined) return [];
    const next = changes[i + 1];
    return [{ ...rule, orgId, validFrom, validTo: next === undefined ? null : monthBefore(next) }];
  });
}

function monthBefore(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}
