/** What happens to each payout of `prove payouts`, drawn beforehand, and the balances that follow from it. */

import type { Random } from './random.ts';

type Ending = 'paid' | 'failed' | 'returned' | 'on_hold' | 'canceled';

export type PlannedPayout = {
  readonly isCanceled: boolean;
  readonly ending: Ending;
  /** In whole euros. */
  readonly amount: number;
};

const steps: readonly (readonly [step: object, ending: Ending])[] = [
  [{ action: 'accept' }, 'paid'],
  [{ action: 'unknown' }, 'paid'],
  [{ action: 'refuse', code: 'account_closed' }, 'failed'],
  [{ action: 'bounce', after: '20d', code: 'account_closed' }, 'returned'],
  [{ action: 'slow', after: '1s' }, 'paid'],
  [{ action: 'unknown' }, 'paid'],
  [{ action: 'bounce', after: '1h', code: 'no_such_account' }, 'returned'],
  [{ action: 'review_at_cut_off' }, 'on_hold'],
  [{ action: 'accept' }, 'paid'],
  [{ action: 'review' }, 'on_hold'],
];

/** The scenario of every organization: it repeats. */
export const scenarioSteps: readonly object[] = steps.map(([step]) => step);

export function planPayouts(count: number, random: Random): readonly PlannedPayout[] {
  return Array.from({ length: count }, (_, i) => {
    const [, ending] = steps[i % steps.length]!;
    // Not one with a review: that cannot be canceled.
    const isCanceled = ending !== 'on_hold' && random.below(10) === 0;
    return {
      isCanceled,
      ending: isCanceled ? 'canceled' : ending,
      amount: 10 + random.below(90),
    };
  });
}

export const hasLeft = ({ ending }: PlannedPayout): boolean =>
  ending === 'paid' || ending === 'returned';

/** By account, in whole euros. */
export function plannedBalances(plan: readonly PlannedPayout[], start: number) {
  const total = (ending: Ending) =>
    plan
      .filter((planned) => planned.ending === ending)
      .reduce((sum, { amount }) => sum + amount, 0);
  return {
    payable: start - total('paid') - total('on_hold'),
    payout_reserved: total('on_hold'),
    cash: total('paid'),
    store_receivable: -start,
  };
}
