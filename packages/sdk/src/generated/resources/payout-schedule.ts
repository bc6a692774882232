/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import type { PayoutSchedule, UpdatePayoutSchedule } from '../schema.ts';

/** PayoutSchedule. */
export class PayoutScheduleResource extends Resource {
  /**
   * Get your payout schedule.
   *
   * Returns when payouts are created, and from which amount on.
   *
   * Scope: `payouts:read`.
   *
   * @see operation `getPayoutSchedule`
   */
  get(options?: RequestOptions): ApiCall<PayoutSchedule> {
    return this.client.call({ method: 'GET', path: '/v1/payout_schedule', options });
  }

  /**
   * Update your payout schedule.
   *
   * Changes only the fields that you send, and returns the schedule. `minimum` replaces all amounts. An automatic payout needs an active payout method and a tax profile; without them, the balance waits for the next month.
   *
   * Scope: `payouts:write`.
   *
   * @see operation `updatePayoutSchedule`
   */
  update(body?: UpdatePayoutSchedule, options?: WriteOptions): ApiCall<PayoutSchedule> {
    return this.client.call({
      method: 'PATCH',
      path: '/v1/payout_schedule',
      body,
      takesKey: true,
      options,
    });
  }
}
