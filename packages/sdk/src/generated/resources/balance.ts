/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { RequestOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import type { Balance } from '../schema.ts';

/** Balance. */
export class BalanceResource extends Resource {
  /**
   * Get the balance.
   *
   * Returns what you can be paid, what is reserved for payouts and what is held, for each currency. Currencies never offset each other.
   *
   * Scope: `payouts:read`.
   *
   * @see operation `getBalance`
   */
  get(options?: RequestOptions): ApiCall<Balance> {
    return this.client.call({ method: 'GET', path: '/v1/balance', options });
  }
}
