/**
 * A rail sends payments to banks and wallets. A payment is sent under the id of its payout, as often as necessary: the
 * rail pays once per key. An outcome that is not known (a timeout, a broken connection, a 5xx) is a thrown error: then
 * the rail is asked by the same key, and the payment is sent again only if the rail does not know the key.
 */

import type { Currency } from '../../kernel/currency.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { MethodDetails } from '../domain/payout-method.ts';
import type { Payout, PayoutId } from '../domain/payout.ts';

export const simulatedOutcomes = ['accept', 'refuse', 'unknown', 'slow', 'bounce'] as const;

/** What the sandbox rail does with a payment. */
export type PaymentSimulation = {
  readonly outcome: (typeof simulatedOutcomes)[number];
  /** Of a refusal or a bounce. */
  readonly code: string;
  /** `slow`: how long the answer takes, in real time. `bounce`: how long after it was sent, in business time. */
  readonly afterMs: number;
  /** The business time at which the payment is sent. */
  readonly sentAt: string;
};

export type RailPayment = {
  readonly key: PayoutId;
  /** In the minor units of the currency, for example `12.50`. */
  readonly amount: string;
  readonly currency: Currency;
  /** The account, opened to send this payment. Never stored, never in a journal. */
  readonly details: MethodDetails;
  /** Only in the sandbox. It is no part of the payment: a payment that is sent again may have another. */
  readonly simulation?: PaymentSimulation | undefined;
};

type Sent = {
  /** The rail's own name for the payment, as bank statements show it. */
  readonly reference: string;
  /** The day on which the payee has the money, as far as the rail knows. */
  readonly arrivesOn: string;
};

export type SendOutcome =
  | ({ readonly outcome: 'accepted' } & Sent)
  | { readonly outcome: 'refused'; readonly code: string };

export type AskOutcome =
  | ({ readonly outcome: 'in_transit' | 'confirmed' } & Sent)
  | ({ readonly outcome: 'bounced'; readonly code: string } & Sent)
  | { readonly outcome: 'refused'; readonly code: string }
  /** The rail has never received a payment under this key. */
  | { readonly outcome: 'not_found' };

export type PayoutRail = {
  /** Only for the sandbox rail: runs in the transaction that claims the payment. */
  readonly simulate?: (tx: Tx, payout: Payout) => Promise<PaymentSimulation>;
  readonly send: (payment: RailPayment, signal: AbortSignal) => Promise<SendOutcome>;
  /** `now` is business time: the sandbox rail computes by it how far the payment is. */
  readonly ask: (key: PayoutId, now: Date, signal: AbortSignal) => Promise<AskOutcome>;
};
