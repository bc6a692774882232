/** The rules as partners see them (catalogue §5). */

import { toSnakeCase } from '../../../kernel/snake-case.ts';
import { type RulePack, rulePacks } from './preflight-input.ts';
import type { Rule } from './rule.ts';
import { ruleList, type RuleId, rules } from './rules.ts';

/** No store publishes its rules under our names: ours are modeled on what it says. */
export const describeSource = ({ source }: Pick<Rule, 'source'>): string => `Modeled on ${source}.`;

export const presentRules = () => ruleList.map(presentRule);

export type PresentedRule = ReturnType<typeof presentRule>;

function presentRule(id: RuleId) {
  const rule: Rule = rules[id];
  return {
    id,
    severity: severityByPack(rule),
    scope: (['release', 'track'] as const).filter((scope) => rule[scope] !== undefined),
    fields: rule.readsFields.map(toSnakeCase),
    description: rule.description,
    unit: rule.unit ?? null,
    source: describeSource(rule),
    prevents: rule.prevents,
  };
}

/** Null where the rule does not apply. */
function severityByPack({ severity, rulePacks: own = rulePacks }: Rule) {
  const of = (pack: RulePack) => (own.includes(pack) ? severity : null);
  return { a: of('a'), b: of('b'), base: of('base') };
}
