/** The scripted bank of the sandbox without its socket and its journal, for tests that are not about the rail. */

import type { AskOutcome, PayoutRail, SendOutcome } from '../src/money/connectors/payout-rail.ts';
import { simulatePayment } from '../src/sandbox/commands/simulate-payouts.ts';
import { acceptanceOf, type BankPayment, statusAt } from '../src/sandbox/domain/rail-payment.ts';

export function inProcessRail(): PayoutRail {
  const payments = new Map<string, BankPayment>();
  return {
    simulate: simulatePayment,
    send: async ({ key, amount, currency, simulation }) => {
      const known = payments.get(key);
      if (simulation === undefined) throw new Error('the sandbox has a simulation');
      const payment = known ?? {
        key,
        amount,
        currency,
        digest: '',
        simulation,
        reference: `BANK-${payments.size}`,
      };
      payments.set(key, payment);
      if (known === undefined && simulation.outcome === 'unknown') throw new Error('broken');
      return toOutcome(acceptanceOf(payment)) as SendOutcome;
    },
    ask: async (key, now) => {
      const payment = payments.get(key);
      if (payment === undefined) return { outcome: 'not_found' };
      return toOutcome(statusAt(payment, now)) as AskOutcome;
    },
  };
}

type Answer = { readonly status: string; readonly arrives_on?: string };

const toOutcome = ({ status, arrives_on: arrivesOn, ...rest }: Answer) => ({
  outcome: status,
  arrivesOn,
  ...rest,
});
