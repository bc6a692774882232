/**
 * A payout, and the moves between its states (ADR 0036, contract §3):
 *
 *   pending     → on_hold      a hold opens
 *   on_hold     → pending      the last open hold is released and all checks pass again
 *   pending, on_hold → canceled  canceled, a hold is rejected, or it expired
 *   pending     → processing   at the cut-off, without an open hold
 *   processing  → in_transit, failed   the rail accepted or refused the payment
 *   in_transit  → paid, returned       the payment was confirmed or came back
 *   paid        → returned     it came back weeks later
 *
 * failed, returned and canceled are final: a retry is a new payout. While the outcome at the rail is unknown, the payout
 * stays processing, and the rail is asked again under the same key.
 */

import type { Currency } from '../../kernel/currency.ts';
import type { Id } from '../../kernel/ids.ts';
import { type FxRate, type Micros, negate, toMicros } from '../../kernel/money.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Account, Entry } from './ledger.ts';

export type PayoutId = Id<'pay'>;
export type PayoutMethodId = Id<'pm'>;

export const payoutStatuses = [
  'pending',
  'on_hold',
  'processing',
  'in_transit',
  'paid',
  'failed',
  'returned',
  'canceled',
] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

const moves: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  pending: ['on_hold', 'processing', 'canceled'],
  on_hold: ['pending', 'canceled'],
  processing: ['in_transit', 'failed'],
  in_transit: ['paid', 'returned'],
  paid: ['returned'],
  failed: [],
  returned: [],
  canceled: [],
};

export const canMove = (from: PayoutStatus, to: PayoutStatus): boolean => moves[from].includes(to);

/** Nothing has been sent to the rail: holds can open, and the payout can be canceled. */
export const isUnsent = ({ status }: { readonly status: PayoutStatus }): boolean =>
  status === 'pending' || status === 'on_hold';

export const holdReasons = [
  'identity_verification',
  'compliance_review',
  'tax_form_missing',
  'payout_method_changed',
  'manual',
] as const;
export type HoldReason = (typeof holdReasons)[number];

export type HoldRequirement = { readonly code: string; readonly description: string };

export type PayoutHold = {
  readonly id: Id<'phl'>;
  readonly reason: HoldReason;
  readonly since: Date;
  /** Empty, and no due date, for a compliance review: it says no more than its reason. */
  readonly requirements: readonly HoldRequirement[];
  readonly dueBy: Date | null;
};

/** The method as partners read it. */
export type Destination = {
  readonly payout_method_id: PayoutMethodId;
  readonly type: 'bank_account' | 'wallet';
  readonly country: string;
  readonly currency: Currency;
  readonly last_four: string;
};

export type Payout = {
  readonly id: PayoutId;
  readonly status: PayoutStatus;
  readonly currency: Currency;
  readonly amount: Micros;
  readonly feeAmount: Micros;
  readonly feeBearer: 'payee' | 'house';
  readonly destinationCurrency: Currency;
  readonly fxRate: FxRate | null;
  readonly destinationAmount: Micros;
  readonly payoutMethodId: PayoutMethodId;
  readonly destination: Destination;
  readonly retryOf: PayoutId | null;
  readonly statementIds: readonly Id<'stm'>[];
  readonly failureCode: string | null;
  readonly railReference: string | null;
  readonly arrivesOn: string | null;
  readonly cutOffAt: Date;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What has been sent, without the fee of the payee. */
const sentAmount = ({ amount, feeAmount, feeBearer }: Payout): Micros =>
  feeBearer === 'payee' ? toMicros(amount - feeAmount) : amount;

/** What a move posts to the ledger; nothing for moves that leave the money where it is. */
export function entriesOfMove(payout: Payout, to: PayoutStatus): readonly Entry[] {
  switch (to) {
    case 'canceled':
    case 'failed':
      return [
        entry(payout.currency, 'payout_reserved', negate(payout.amount)),
        entry(payout.currency, 'payable', payout.amount),
      ];
    case 'in_transit':
      return leaving(payout);
    case 'returned':
      return returning(payout);
    default:
      return [];
  }
}

/** The posting of a new payout. */
export const entriesOfCreation = ({ currency, amount }: Pick<Payout, 'currency' | 'amount'>) => [
  entry(currency, 'payable', negate(amount)),
  entry(currency, 'payout_reserved', amount),
];

const entry = (currency: Currency, account: Account, amount: Micros): Entry => ({
  currency,
  account,
  amount,
});

/** From the reserve to the cash account of the destination's currency, and the fee of the payee to the rail. */
function leaving(payout: Payout): readonly Entry[] {
  const { currency, amount, destinationCurrency, destinationAmount, fxRate } = payout;
  const sent = sentAmount(payout);
  const fee = toMicros(amount - sent);
  return [
    entry(currency, 'payout_reserved', negate(amount)),
    ...(fee > 0n ? [entry(currency, 'rail_fees', fee)] : []),
    ...(fxRate === null
      ? [entry(currency, 'cash', sent)]
      : [
          entry(currency, 'fx_clearing', sent),
          entry(destinationCurrency, 'fx_clearing', negate(destinationAmount)),
          entry(destinationCurrency, 'cash', destinationAmount),
        ]),
  ];
}

/** What was sent comes back; the fee does not. */
function returning(payout: Payout): readonly Entry[] {
  const { currency, destinationCurrency, destinationAmount, fxRate } = payout;
  const sent = sentAmount(payout);
  if (fxRate === null) {
    return [entry(currency, 'cash', negate(sent)), entry(currency, 'payable', sent)];
  }
  return [
    entry(destinationCurrency, 'cash', negate(destinationAmount)),
    entry(destinationCurrency, 'fx_clearing', destinationAmount),
    entry(currency, 'fx_clearing', negate(sent)),
    entry(currency, 'payable', sent),
  ];
}

/** The same message for an unknown id, a malformed id and an id of another organization (contract §5). */
export const payoutNotFound = (): Problem =>
  new Problem('resource_not_found', 'No payout of your organization has this id.');
