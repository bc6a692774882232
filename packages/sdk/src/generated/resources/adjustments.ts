/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { Pager } from '../../core/pager.ts';
import type { RequestOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import type { Adjustment, AdjustmentPage, ListAdjustmentsQuery } from '../schema.ts';

/** Adjustments. */
export class AdjustmentsResource extends Resource {
  /**
   * List adjustments.
   *
   * Returns a page of the adjustments of your balance, newest first: fines, chargebacks, corrections and whatever else is not a royalty. An adjustment never changes; a wrong one is corrected by another one. Each one is also the event `adjustment.created`.
   *
   * Scope: `statements:read`.
   *
   * @see operation `listAdjustments`
   */
  list(query?: ListAdjustmentsQuery, options?: RequestOptions): Pager<Adjustment, AdjustmentPage> {
    return this.client.list({ method: 'GET', path: '/v1/adjustments', query, options });
  }
}
