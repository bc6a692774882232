import type { Currency } from '../../kernel/currency.ts';
import { enforce } from '../../kernel/problem.ts';
import type { Keyring } from '../../platform/crypto/keyring.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/db/events.ts';
import {
  lastFourOf,
  type MethodKind,
  refuseDetails,
  type SentDetails,
  toDetails,
} from '../domain/method-details.ts';
import { activated, type PayoutMethod, refuseTooManyMethods } from '../domain/payout-method.ts';
import { payoutMethodChanged } from '../events.ts';
import { countMethods, insertPayoutMethod } from '../store/payout-methods.ts';
import { findPayoutSettings } from '../store/payout-settings.ts';
import { holdPendingPayouts } from './hold-pending-payouts.ts';
import { sealDetails } from './open-details.ts';

export type NewPayoutMethod = MethodKind & {
  readonly currency: Currency;
  readonly details: SentDetails;
};

/** Where dual control is on, the method waits for an approval and changes nothing until then. */
export async function createPayoutMethod(
  tx: Tx,
  keyring: Keyring,
  { type, country, currency, details: sent }: NewPayoutMethod,
): Promise<PayoutMethod> {
  enforce(refuseDetails({ type, country }, sent));
  enforce(refuseTooManyMethods(await countMethods(tx)));
  const { hasDualControl } = await findPayoutSettings(tx, tx.orgId);
  const id = tx.newId('pm');
  const details = toDetails({ type, country }, sent);
  const requested: PayoutMethod = {
    id,
    type,
    country,
    currency,
    lastFour: lastFourOf(details),
    sealedDetails: sealDetails(keyring, tx.orgId, id, details),
    status: 'pending_approval',
    usableFrom: null,
    requestedBy: tx.actor.id,
    approvedBy: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  const method = hasDualControl ? requested : activated(requested, tx.now);
  insertPayoutMethod(tx, method);
  appendEvent(tx, payoutMethodChanged(method));
  if (!hasDualControl) await holdPendingPayouts(tx);
  return method;
}
