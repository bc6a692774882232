/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  CreatePayoutMethod,
  ListPayoutMethodsQuery,
  PayoutMethod,
  PayoutMethodPage,
} from '../schema.ts';

/** PayoutMethods. */
export class PayoutMethodsResource extends Resource {
  /**
   * Create a payout method.
   *
   * Adds a bank account or a wallet that payouts can go to, and returns it with its last four characters. Its details are stored encrypted and never shown. It can be used 72 hours after it became active. Your payouts that are `pending` get the hold `payout_method_changed` for 72 hours. If your organization has dual control, the method waits for an approval with another credential. Your organization can have 20 payout methods: 409 `invalid_state`.
   *
   * Scope: `payouts:write`.
   *
   * @see operation `createPayoutMethod`
   */
  create(body: CreatePayoutMethod, options?: WriteOptions): ApiCall<PayoutMethod> {
    return this.client.call({
      method: 'POST',
      path: '/v1/payout_methods',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * List payout methods.
   *
   * Returns a page of payout methods, newest first, also those that were removed.
   *
   * Scope: `payouts:read`.
   *
   * @see operation `listPayoutMethods`
   */
  list(
    query?: ListPayoutMethodsQuery,
    options?: RequestOptions,
  ): Pager<PayoutMethod, PayoutMethodPage> {
    return this.client.list({ method: 'GET', path: '/v1/payout_methods', query, options });
  }

  /**
   * Get a payout method.
   *
   * Returns the payout method, also one that was removed.
   *
   * Scope: `payouts:read`.
   *
   * @see operation `getPayoutMethod`
   */
  get(payoutMethodId: string, options?: ReadOptions): ApiCall<PayoutMethod> {
    return this.client.call({
      method: 'GET',
      path: `/v1/payout_methods/${segment(payoutMethodId, 'payout_method_id')}`,
      options,
    });
  }

  /**
   * Remove a payout method.
   *
   * Removes a payout method. Payouts that are sent already are not changed; those that are `pending` get the hold `payout_method_changed`. To use the same account again, create it again; then it waits 72 hours again.
   *
   * Scope: `payouts:write`.
   *
   * @see operation `deletePayoutMethod`
   */
  delete(payoutMethodId: string, options?: RequestOptions): ApiCall<void> {
    return this.client.call({
      method: 'DELETE',
      path: `/v1/payout_methods/${segment(payoutMethodId, 'payout_method_id')}`,
      options,
    });
  }

  /**
   * Approve a payout method.
   *
   * Makes a payout method that is `pending_approval` active. The credential must have existed for 72 hours, and it must have been made independently of the one that requested the method: neither was made with the other or with the same third one, directly or through others. Otherwise: 409 `invalid_state`. The 72 hours until the method can be used begin with the approval.
   *
   * Scope: `payouts:write`.
   *
   * @see operation `approvePayoutMethod`
   */
  approve(payoutMethodId: string, options?: WriteOptions): ApiCall<PayoutMethod> {
    return this.client.call({
      method: 'POST',
      path: `/v1/payout_methods/${segment(payoutMethodId, 'payout_method_id')}/approve`,
      takesKey: true,
      options,
    });
  }
}
