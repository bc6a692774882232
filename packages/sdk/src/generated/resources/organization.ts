/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import type { DeprecationList, Organization, UpdateOrganization } from '../schema.ts';

/** Organization. */
export class OrganizationResource extends Resource {
  /**
   * Get your organization.
   *
   * Returns your organization with its tier, licenses, defaults, contacts and verification.
   *
   * Scope: `organization:read`.
   *
   * @see operation `getOrganization`
   */
  get(options?: RequestOptions): ApiCall<Organization> {
    return this.client.call({ method: 'GET', path: '/v1/organization', options });
  }

  /**
   * Update your organization.
   *
   * Changes only the fields that you send, and returns the organization. `contacts` replaces the whole list. Existing releases keep their label and their `metadata_language`.
   *
   * Scope: `organization:write`.
   *
   * @see operation `updateOrganization`
   */
  update(body?: UpdateOrganization, options?: WriteOptions): ApiCall<Organization> {
    return this.client.call({
      method: 'PATCH',
      path: '/v1/organization',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * List deprecated features and their use.
   *
   * Returns every deprecated feature of the API, with the credentials of yours that used it and when they last did. If `last_used_at` is `null`, you have nothing to change.
   *
   * Scope: `organization:read`.
   *
   * @see operation `listDeprecations`
   */
  listDeprecations(options?: RequestOptions): ApiCall<DeprecationList> {
    return this.client.call({ method: 'GET', path: '/v1/organization/deprecations', options });
  }
}
