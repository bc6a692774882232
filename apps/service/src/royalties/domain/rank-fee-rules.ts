/** Fee rules of the organizations from the weakest to the strongest: of the rules that apply, the last one decides. */

import type { OrgId } from '../../kernel/ids.ts';
import type { FeeRule } from './calculation.ts';

export const rankFeeRules = (
  rules: readonly FeeRule[],
  orgIds: ReadonlySet<OrgId>,
): readonly FeeRule[] =>
  rules
    .filter(({ orgId }) => orgIds.has(orgId))
    // The sort is stable: of rules that are equal in both, the one that is listed last is the strongest.
    .toSorted(
      (a, b) => specificityOf(a) - specificityOf(b) || compareTexts(a.validFrom, b.validFrom),
    );

const specificityOf = ({ storeId, useType }: FeeRule): number =>
  (storeId === null ? 0 : 2) + (useType === null ? 0 : 1);

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
