/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  AddOAuthSecret,
  CreateOAuthClient,
  ListOAuthClientsQuery,
  OAuthClient,
  OAuthClientPage,
  OAuthClientWithSecret,
} from '../schema.ts';

/** OauthClients. */
export class OauthClientsResource extends Resource {
  /**
   * Create an OAuth client.
   *
   * Creates an OAuth client and returns it with its first secret, which is shown once. Exchange the secret for access tokens at `POST /v1/oauth/token`, with the id of the client as `client_id`. An organization has at most 100 clients.
   *
   * Scope: `organization:write`.
   *
   * @see operation `createOAuthClient`
   */
  create(body: CreateOAuthClient, options?: WriteOptions): ApiCall<OAuthClientWithSecret> {
    return this.client.call({
      method: 'POST',
      path: '/v1/oauth_clients',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * List OAuth clients.
   *
   * Returns a page of OAuth clients, newest first.
   *
   * Scope: `organization:read`.
   *
   * @see operation `listOAuthClients`
   */
  list(
    query?: ListOAuthClientsQuery,
    options?: RequestOptions,
  ): Pager<OAuthClient, OAuthClientPage> {
    return this.client.list({ method: 'GET', path: '/v1/oauth_clients', query, options });
  }

  /**
   * Get an OAuth client.
   *
   * Returns the OAuth client with its secrets that work now, without their values.
   *
   * Scope: `organization:read`.
   *
   * @see operation `getOAuthClient`
   */
  get(oauthClientId: string, options?: ReadOptions): ApiCall<OAuthClient> {
    return this.client.call({
      method: 'GET',
      path: `/v1/oauth_clients/${segment(oauthClientId, 'oauth_client_id')}`,
      options,
    });
  }

  /**
   * Delete an OAuth client.
   *
   * Deletes the client. Its secrets stop working at once, and its access tokens within 5 seconds.
   *
   * Scope: `organization:write`.
   *
   * @see operation `deleteOAuthClient`
   */
  delete(oauthClientId: string, options?: RequestOptions): ApiCall<void> {
    return this.client.call({
      method: 'DELETE',
      path: `/v1/oauth_clients/${segment(oauthClientId, 'oauth_client_id')}`,
      options,
    });
  }

  /**
   * Add a secret to an OAuth client.
   *
   * Creates another secret and returns it once. The other secrets keep working, so that you can rotate without downtime: revoke them afterwards, or send `grace_period_seconds`. At most 5 secrets work at once. Your own credential must have every scope of the client.
   *
   * Scope: `organization:write`.
   *
   * @see operation `addOAuthSecret`
   */
  addSecret(
    oauthClientId: string,
    body?: AddOAuthSecret,
    options?: WriteOptions,
  ): ApiCall<OAuthClientWithSecret> {
    return this.client.call({
      method: 'POST',
      path: `/v1/oauth_clients/${segment(oauthClientId, 'oauth_client_id')}/secrets`,
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Revoke a secret of an OAuth client.
   *
   * Revokes the secret. It stops working at once, and the access tokens that were issued for it within 5 seconds.
   *
   * Scope: `organization:write`.
   *
   * @see operation `revokeOAuthSecret`
   */
  revokeSecret(oauthClientId: string, secretId: string, options?: RequestOptions): ApiCall<void> {
    return this.client.call({
      method: 'DELETE',
      path: `/v1/oauth_clients/${segment(oauthClientId, 'oauth_client_id')}/secrets/${segment(secretId, 'secret_id')}`,
      options,
    });
  }
}
