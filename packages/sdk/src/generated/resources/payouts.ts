/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  CreatePayout,
  ListPayoutsQuery,
  Payout,
  PayoutPage,
  PayoutTransitionList,
} from '../schema.ts';

/** Payouts. */
export class PayoutsResource extends Resource {
  /**
   * Create a payout.
   *
   * Reserves the amount and returns the payout. It is sent at the next cut-off, 12:00 UTC on business days, if no hold is open. A payout in another currency than its payout method costs 0.5 % of the amount and is converted at the rate of its creation. A payout that was not sent within 30 days is canceled. The number of open payouts has a quota: 429 `quota_exceeded`.
   *
   * Scope: `payouts:write`.
   *
   * @see operation `createPayout`
   */
  create(body: CreatePayout, options?: WriteOptions): ApiCall<Payout> {
    return this.client.call({ method: 'POST', path: '/v1/payouts', body, takesKey: true, options });
  }

  /**
   * List payouts.
   *
   * Returns a page of payouts, newest first. Filter by status or currency.
   *
   * Scope: `payouts:read`.
   *
   * @see operation `listPayouts`
   */
  list(query?: ListPayoutsQuery, options?: RequestOptions): Pager<Payout, PayoutPage> {
    return this.client.list({ method: 'GET', path: '/v1/payouts', query, options });
  }

  /**
   * Get a payout.
   *
   * Returns the payout with its open holds.
   *
   * Scope: `payouts:read`.
   *
   * @see operation `getPayout`
   */
  get(payoutId: string, options?: ReadOptions): ApiCall<Payout> {
    return this.client.call({
      method: 'GET',
      path: `/v1/payouts/${segment(payoutId, 'payout_id')}`,
      options,
    });
  }

  /**
   * Cancel a payout.
   *
   * Cancels a payout that is `pending` or `on_hold`, and returns it. The amount is available again. During a `compliance_review` a payout cannot be canceled.
   *
   * Scope: `payouts:write`.
   *
   * @see operation `cancelPayout`
   */
  cancel(payoutId: string, options?: WriteOptions): ApiCall<Payout> {
    return this.client.call({
      method: 'POST',
      path: `/v1/payouts/${segment(payoutId, 'payout_id')}/cancel`,
      takesKey: true,
      options,
    });
  }

  /**
   * List the status changes of a payout.
   *
   * Returns every change of the status of the payout, the first one first, with its cause.
   *
   * Scope: `payouts:read`.
   *
   * @see operation `listPayoutTransitions`
   */
  listTransitions(payoutId: string, options?: ReadOptions): ApiCall<PayoutTransitionList> {
    return this.client.call({
      method: 'GET',
      path: `/v1/payouts/${segment(payoutId, 'payout_id')}/transitions`,
      options,
    });
  }
}
