import { PayoutsResource } from '../generated/resources/payouts.ts';
import type { Payout } from '../generated/schema.ts';
import type { WaitOptions } from '../waiters/wait-for.ts';

const finalStatuses: ReadonlySet<Payout['status']> = new Set([
  'paid',
  'failed',
  'returned',
  'canceled',
]);

export class Payouts extends PayoutsResource {
  /** Waits until the payout is `paid`, `failed`, `returned` or `canceled`. */
  waitFor(payoutId: string, options: WaitOptions<Payout> = {}): Promise<Payout> {
    return this.client.wait(
      {
        what: `the end of payout ${payoutId}`,
        read: (read) => this.get(payoutId, read),
        isDone: ({ status }) => finalStatuses.has(status),
        concerns: (event) =>
          event.type === 'payout.status.changed' && event.data.payout.id === payoutId,
      },
      options,
    );
  }
}
