/**
 * Where payouts go (contract §4):
 *
 *   pending_approval → active   a second credential approves it (only where dual control is on)
 *   pending_approval, active → removed
 *
 * Without dual control a method is active from its creation. Payments are sent to it 72 hours after it became active
 * (`usableFrom`), so that an organization whose key was stolen has the time to notice.
 */

import type { Currency } from '../../kernel/currency.ts';
import { addMs, hourMs } from '../../kernel/duration.ts';
import { Problem, type Refusal } from '../../kernel/problem.ts';
import { nextUpdatedAt } from '../../kernel/timestamp.ts';
import type { Destination, PayoutMethodId } from './payout.ts';

export const methodTypes = ['bank_account', 'wallet'] as const;
export type MethodType = (typeof methodTypes)[number];

export const methodStatuses = ['pending_approval', 'active', 'removed'] as const;
export type MethodStatus = (typeof methodStatuses)[number];

/** What is sealed: how a payment reaches the payee. */
export type MethodDetails =
  | { readonly kind: 'iban'; readonly accountHolder: string; readonly iban: string }
  | {
      readonly kind: 'us_account';
      readonly accountHolder: string;
      readonly accountNumber: string;
      readonly routingNumber: string;
    }
  | {
      readonly kind: 'uk_account';
      readonly accountHolder: string;
      readonly accountNumber: string;
      readonly sortCode: string;
    }
  | {
      readonly kind: 'swift_account';
      readonly accountHolder: string;
      readonly accountNumber: string;
      readonly bic: string;
    }
  | { readonly kind: 'wallet'; readonly provider: string; readonly account: string };

export type PayoutMethod = {
  readonly id: PayoutMethodId;
  readonly type: MethodType;
  readonly country: string;
  readonly currency: Currency;
  readonly lastFour: string;
  readonly sealedDetails: Buffer;
  readonly status: MethodStatus;
  /** Business time. Null until the method is active. */
  readonly usableFrom: Date | null;
  /** The ids of the credentials. */
  readonly requestedBy: string;
  readonly approvedBy: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Business time. The first method of an organization waits too: it may be the one of a thief. */
const methodWaitMs = 72 * hourMs;

/** When payments can be sent to a method that becomes active, and when payouts go on that its change has held. */
export const usableAfterChange = (now: Date): Date => addMs(now, methodWaitMs);

/** Not counting removed ones. */
const methodsMax = 20;

export const refuseTooManyMethods = (count: number): Refusal | undefined =>
  count < methodsMax
    ? undefined
    : {
        code: 'invalid_state',
        message: `Your organization has ${methodsMax} payout methods, which is the maximum. Remove one first.`,
      };

export const activated = (method: PayoutMethod, now: Date): PayoutMethod => ({
  ...method,
  status: 'active',
  usableFrom: usableAfterChange(now),
  updatedAt: nextUpdatedAt(method, now),
});

export const refuseRemoval = ({ status }: PayoutMethod): Refusal | undefined =>
  status === 'removed'
    ? { code: 'invalid_state', message: 'The payout method is already removed.' }
    : undefined;

/** Without the details, which are never shown (contract §4). */
export const presentPayoutMethod = (method: PayoutMethod) => ({
  id: method.id,
  type: method.type,
  country: method.country,
  currency: method.currency,
  last_four: method.lastFour,
  status: method.status,
  usable_from: method.usableFrom?.toISOString() ?? null,
  requested_by: method.requestedBy,
  approved_by: method.approvedBy,
  created_at: method.createdAt.toISOString(),
  updated_at: method.updatedAt.toISOString(),
});

export const toDestination = (method: PayoutMethod): Destination => ({
  payout_method_id: method.id,
  type: method.type,
  country: method.country,
  currency: method.currency,
  last_four: method.lastFour,
});

/** The same message for an unknown id, a malformed id and an id of another organization (contract §5). */
export const payoutMethodNotFound = (): Problem =>
  new Problem('resource_not_found', 'No payout method of your organization has this id.');
