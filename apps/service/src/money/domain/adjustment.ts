/**
 * An adjustment corrects a balance outside of royalties: a fine, a chargeback, a refunded tax. It is never changed; an
 * adjustment that is wrong is corrected by another one. `amount` = gross − fee − tax, and each of them can be negative.
 */

import type { Currency } from '../../kernel/currency.ts';
import { type Id, parseId } from '../../kernel/ids.ts';
import { type Micros, negate, toMicros } from '../../kernel/money.ts';
import { invalidField, type Refusal } from '../../kernel/problem.ts';
import { type Account, bookedAmountMax, type Entry } from './ledger.ts';

type AdjustmentId = Id<'adj'>;

export const adjustmentTypes = [
  'penalty',
  'return',
  'chargeback',
  'correction',
  'non_track_income',
  'tax',
  'manual',
] as const;
export type AdjustmentType = (typeof adjustmentTypes)[number];

const adjustmentReasonMax = 500;

/** What an adjustment can refer to: a statement, an earning hold, a payout or another adjustment. */
const referredPrefixes = ['stm', 'hld', 'pay', 'adj'];

export type AdjustmentContent = {
  readonly type: AdjustmentType;
  readonly currency: Currency;
  readonly grossAmount: Micros;
  readonly feeAmount: Micros;
  readonly taxAmount: Micros;
  readonly reason: string;
  /** The id of what it corrects. */
  readonly refersTo: string | null;
};

export type Adjustment = AdjustmentContent & {
  readonly id: AdjustmentId;
  readonly amount: Micros;
  readonly createdAt: Date;
};

type Amounts = Pick<AdjustmentContent, 'grossAmount' | 'feeAmount' | 'taxAmount'>;

export const netAmount = ({ grossAmount, feeAmount, taxAmount }: Amounts): Micros =>
  toMicros(grossAmount - feeAmount - taxAmount);

const isTooLarge = (amount: Micros): boolean =>
  amount > bookedAmountMax || amount < negate(bookedAmountMax);

export function refuseAdjustment(content: AdjustmentContent): Refusal | undefined {
  const { grossAmount, feeAmount, taxAmount, reason, refersTo } = content;
  if ([grossAmount, feeAmount, taxAmount].some(isTooLarge)) {
    return invalidField('amount', 'must be at most 1000000000000, as must its fee and its tax');
  }
  if (netAmount(content) === 0n) {
    return invalidField('amount', 'must not be zero after its fee and its tax');
  }
  if (Array.from(reason).length > adjustmentReasonMax) {
    return invalidField('reason', `must have at most ${adjustmentReasonMax} characters`);
  }
  if (
    refersTo !== null &&
    referredPrefixes.every((prefix) => parseId(prefix, refersTo) === undefined)
  ) {
    return invalidField(
      'refers_to',
      'must be the id of a statement (stm_…), an earning hold (hld_…), a payout (pay_…) or an adjustment (adj_…)',
    );
  }
  return undefined;
}

/** Zero in total; an amount of zero has no entry. */
export function entriesOfAdjustment(adjustment: Adjustment): readonly Entry[] {
  const { currency, grossAmount, feeAmount, taxAmount, amount } = adjustment;
  const amounts: readonly [Account, Micros][] = [
    ['store_receivable', negate(grossAmount)],
    ['fee_income', feeAmount],
    ['withholding_payable', taxAmount],
    ['payable', amount],
  ];
  return amounts
    .filter(([, entered]) => entered !== 0n)
    .map(([account, entered]) => ({ account, currency, amount: entered }));
}
