/**
 * A payment at the sandbox rail, which is a scripted bank. It is made once per key. Accepted payments arrive on the next
 * business day and are confirmed at 12:00 UTC; a payment that bounces comes back later, before or after that.
 */

import { shiftBusinessDays } from '../../kernel/business-days.ts';
import { dayOf } from '../../kernel/calendar-date.ts';
import { addMs } from '../../kernel/duration.ts';
import type { PaymentSimulation } from '../../money/face.ts';

export type BankPayment = {
  readonly key: string;
  readonly amount: string;
  readonly currency: string;
  /** Of the amount, the currency and the account: the bank does not store account numbers. */
  readonly digest: string;
  readonly simulation: PaymentSimulation;
  readonly reference: string;
};

const confirmedHour = 'T12:00:00.000Z';

const arrivalOf = ({ simulation }: BankPayment): string =>
  dayOf(shiftBusinessDays(new Date(simulation.sentAt), 1));

export const isRefused = ({ simulation }: BankPayment): boolean => simulation.outcome === 'refuse';

const sent = (payment: BankPayment) => ({
  reference: payment.reference,
  arrives_on: arrivalOf(payment),
});

/** The answer to the request that sends the payment, each time it is sent. */
export const acceptanceOf = (payment: BankPayment) =>
  isRefused(payment)
    ? { status: 'refused', code: payment.simulation.code }
    : { status: 'accepted', ...sent(payment) };

/** What has become of the payment by this business time. */
export function statusAt(payment: BankPayment, now: Date) {
  const { outcome, code, afterMs, sentAt } = payment.simulation;
  if (isRefused(payment)) return { status: 'refused', code };
  if (outcome === 'bounce' && now >= addMs(new Date(sentAt), afterMs)) {
    return { status: 'bounced', code, ...sent(payment) };
  }
  const isConfirmed = now >= new Date(`${arrivalOf(payment)}${confirmedHour}`);
  return { status: isConfirmed ? 'confirmed' : 'in_transit', ...sent(payment) };
}
