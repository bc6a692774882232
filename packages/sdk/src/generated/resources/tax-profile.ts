/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import type { TaxProfile, UpdateTaxProfile } from '../schema.ts';

/** TaxProfile. */
export class TaxProfileResource extends Resource {
  /**
   * Get your tax profile.
   *
   * Returns the tax profile of your organization. Before you have sent one with PATCH: 404 `resource_not_found`.
   *
   * Scope: `payouts:read`.
   *
   * @see operation `getTaxProfile`
   */
  get(options?: RequestOptions): ApiCall<TaxProfile> {
    return this.client.call({ method: 'GET', path: '/v1/tax_profile', options });
  }

  /**
   * Create or update your tax profile.
   *
   * Changes only the fields that you send, and returns the tax profile. The first request creates it and must have `residence` and `form`. The forms `w9`, `w8ben` and `w8bene` must have `tin` and `signed_on`. Payouts with the hold `tax_form_missing` go on once the form is valid.
   *
   * Scope: `payouts:write`.
   *
   * @see operation `updateTaxProfile`
   */
  update(body?: UpdateTaxProfile, options?: WriteOptions): ApiCall<TaxProfile> {
    return this.client.call({
      method: 'PATCH',
      path: '/v1/tax_profile',
      body,
      takesKey: true,
      options,
    });
  }
}
