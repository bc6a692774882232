import {
  type PresentedRule,
  presentRules,
} from '../../../apps/service/src/catalog/domain/preflight/present-rules.ts';
import { code, prose, table } from './table.ts';

/** One row for each rule, in the order of a report. Links to a rule lead to its row. */
export const preflightRules = (): string =>
  table(
    ['Rule', 'What it checks, and the rejection it prevents', 'Severity'],
    presentRules().map((rule) => [
      code(rule.id),
      `${prose(rule.description)} [${code(rule.prevents)}](deliveries.md#${rule.prevents})`,
      describeSeverity(rule),
    ]),
  );

const packNames = { a: 'pack A', b: 'pack B', base: 'other stores' } as const;

/** "error at all stores", or "error at pack A, pack B": a rule has one severity at the packs it applies to. */
function describeSeverity({ severity }: PresentedRule): string {
  const packs = (['a', 'b', 'base'] as const).filter((pack) => severity[pack] !== null);
  const word = packs.map((pack) => severity[pack]).at(0) ?? '';
  const names = packs.map((pack) => packNames[pack]).join(', ');
  return `${word} at ${packs.length === 3 ? 'all stores' : names}`;
}
