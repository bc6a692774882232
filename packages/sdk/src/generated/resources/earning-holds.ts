/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import type { EarningHold, EarningHoldPage, ListEarningHoldsQuery } from '../schema.ts';

/** EarningHolds. */
export class EarningHoldsResource extends Resource {
  /**
   * List earning holds.
   *
   * Returns a page of the earnings that were ever held, newest first. A hold concerns single earnings: the rest of your balance stays payable. Each change is also an event: `earnings.held`, `earnings.released` or `earnings.forfeited`.
   *
   * Scope: `statements:read`.
   *
   * @see operation `listEarningHolds`
   */
  list(
    query?: ListEarningHoldsQuery,
    options?: RequestOptions,
  ): Pager<EarningHold, EarningHoldPage> {
    return this.client.list({ method: 'GET', path: '/v1/earning_holds', query, options });
  }
}
