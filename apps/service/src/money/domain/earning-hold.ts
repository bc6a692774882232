/**
 * Earnings of one line that are disputed or suspicious. They are held by themselves: the rest of the balance stays
 * payable. The states:
 *
 *   held → released    the earnings are payable again
 *   held → forfeited   the store takes them back; a penalty, an adjustment that refers to the hold, says so
 */

import type { CalendarDate } from '../../kernel/calendar-date.ts';
import type { Currency } from '../../kernel/currency.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Isrc } from '../../kernel/isrc.ts';
import { type Micros, negate, toMicros } from '../../kernel/money.ts';
import { invalidField, Problem, type Refusal } from '../../kernel/problem.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { AdjustmentContent } from './adjustment.ts';
import { type Account, bookedAmountMax, type Entry, transfer } from './ledger.ts';

export type EarningHoldId = Id<'hld'>;

export const earningHoldStatuses = ['held', 'released', 'forfeited'] as const;
export type EarningHoldStatus = (typeof earningHoldStatuses)[number];

export const earningHoldReasons = [
  'artificial_streaming',
  'rights_conflict',
  'store_dispute',
  'manual',
] as const;
type EarningHoldReason = (typeof earningHoldReasons)[number];

const evidenceMax = 2_000;

export type EarningHoldContent = {
  readonly reason: EarningHoldReason;
  readonly currency: Currency;
  readonly amount: Micros;
  readonly storeId: string | null;
  readonly isrc: Isrc | null;
  readonly periodStart: CalendarDate | null;
  readonly periodEnd: CalendarDate | null;
  readonly evidence: string | null;
  /** The report that a store has not paid in full. */
  readonly reportId: Id<'rpt'> | null;
  /** The day by which the hold is reviewed. */
  readonly reviewBy: CalendarDate | null;
};

export type EarningHold = EarningHoldContent & {
  readonly id: EarningHoldId;
  readonly status: EarningHoldStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export function refuseHold({
  amount,
  periodStart,
  periodEnd,
  evidence,
}: EarningHoldContent): Refusal | undefined {
  if (amount <= 0n || amount > bookedAmountMax) {
    return invalidField('amount', 'must be more than 0 and at most 1000000000000');
  }
  if ((periodStart === null) !== (periodEnd === null)) {
    return invalidField('period_start', 'must be sent together with period_end');
  }
  if (periodStart !== null && periodEnd !== null && periodStart > periodEnd) {
    return invalidField('period_end', 'must not be before period_start');
  }
  if (evidence !== null && Array.from(evidence).length > evidenceMax) {
    return invalidField('evidence', `must have at most ${evidenceMax} characters`);
  }
  return undefined;
}

/** A hold is settled once. */
export const refuseSettlement = ({ id, status }: EarningHold): Refusal | undefined =>
  status === 'held'
    ? undefined
    : {
        code: 'invalid_state',
        message: `The earning hold ${id} is ${status}. Only one that is held can be released or forfeited.`,
      };

export const settled = (
  hold: EarningHold,
  status: Exclude<EarningHoldStatus, 'held'>,
  now: Date,
): EarningHold => ({ ...hold, status, updatedAt: nextUpdatedAt(hold, now) });

/** Where the earnings are before and after the hold gets a status. */
const accountsOfStatus: Readonly<Record<EarningHoldStatus, readonly [from: Account, to: Account]>> =
  {
    held: ['payable', 'held'],
    released: ['held', 'payable'],
    forfeited: ['held', 'store_receivable'],
  };

/** What a hold posts when it gets its status. */
export const entriesOfHold = (hold: EarningHold): readonly Entry[] =>
  transfer(hold, ...accountsOfStatus[hold.status]);

/** The penalty of forfeited earnings. It posts nothing: the posting of the hold has moved the money. */
export const penaltyOf = (hold: EarningHold): AdjustmentContent => ({
  type: 'penalty',
  currency: hold.currency,
  grossAmount: negate(hold.amount),
  feeAmount: toMicros(0n),
  taxAmount: toMicros(0n),
  reason: `Held earnings were forfeited: ${hold.reason}.`,
  refersTo: hold.id,
});

export const earningHoldNotFound = (): Problem =>
  new Problem('resource_not_found', 'The organization has no earning hold with this id.');
