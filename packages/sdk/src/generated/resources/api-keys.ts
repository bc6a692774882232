/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  ApiKey,
  ApiKeyPage,
  ApiKeyWithSecret,
  CreateApiKey,
  ListApiKeysQuery,
} from '../schema.ts';

/** ApiKeys. */
export class ApiKeysResource extends Resource {
  /**
   * Create an API key.
   *
   * Creates an API key and returns it with its secret, which is shown once; a retry with the same `Idempotency-Key` returns it again for 24 hours. A key has at most the scopes of the credential that creates it, and stays valid if that credential is revoked. The number of active keys has a quota: 429 `quota_exceeded`.
   *
   * Scope: `organization:write`.
   *
   * @see operation `createApiKey`
   */
  create(body: CreateApiKey, options?: WriteOptions): ApiCall<ApiKeyWithSecret> {
    return this.client.call({
      method: 'POST',
      path: '/v1/api_keys',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * List API keys.
   *
   * Returns a page of API keys, newest first. Revoked and expired keys are included.
   *
   * Scope: `organization:read`.
   *
   * @see operation `listApiKeys`
   */
  list(query?: ListApiKeysQuery, options?: RequestOptions): Pager<ApiKey, ApiKeyPage> {
    return this.client.list({ method: 'GET', path: '/v1/api_keys', query, options });
  }

  /**
   * Get an API key.
   *
   * Returns the API key without its secret.
   *
   * Scope: `organization:read`.
   *
   * @see operation `getApiKey`
   */
  get(apiKeyId: string, options?: ReadOptions): ApiCall<ApiKey> {
    return this.client.call({
      method: 'GET',
      path: `/v1/api_keys/${segment(apiKeyId, 'api_key_id')}`,
      options,
    });
  }

  /**
   * Revoke an API key.
   *
   * Revokes the key for good. It is refused everywhere within 5 seconds. A key can revoke itself. Revoking it again changes nothing.
   *
   * Scope: `organization:write`.
   *
   * @see operation `revokeApiKey`
   */
  revoke(apiKeyId: string, options?: RequestOptions): ApiCall<void> {
    return this.client.call({
      method: 'DELETE',
      path: `/v1/api_keys/${segment(apiKeyId, 'api_key_id')}`,
      options,
    });
  }
}
