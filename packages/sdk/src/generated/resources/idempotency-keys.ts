/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { ReadOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type { InspectedIdempotencyKey } from '../schema.ts';

/** IdempotencyKeys. */
export class IdempotencyKeysResource extends Resource {
  /**
   * Get the answer that is stored for an idempotency key.
   *
   * Returns the stored answer of a request whose answer you lost, to the credential that made the request; another credential of your organization sees that the request exists. Secrets and URLs are not shown; to get them, send the request again with the same key. 404 means that no answer is stored: the request did not arrive, is still being executed, was refused without being executed, or is older than 24 hours. Then it is safe to send it again with the same key.
   *
   * Scope: `requests:read`.
   *
   * @see operation `getIdempotencyKey`
   */
  get(key: string, options?: ReadOptions): ApiCall<InspectedIdempotencyKey> {
    return this.client.call({
      method: 'GET',
      path: `/v1/idempotency_keys/${segment(key, 'key')}`,
      options,
    });
  }
}
