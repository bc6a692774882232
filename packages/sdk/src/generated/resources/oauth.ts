/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { RequestOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { formOf } from '../../core/url.ts';
import type { OAuthAccessToken, OAuthTokenRequest } from '../schema.ts';

/** Oauth. */
export class OauthResource extends Resource {
  /**
   * Get an access token.
   *
   * Returns an access token: OAuth 2.0 client credentials (RFC 6749 §4.4), for the enterprise tier. Send the id and a secret of an OAuth client with HTTP Basic authentication, or as `client_id` and `client_secret`. The token works for one hour: use it until it expires, then get another one. Errors have the form of RFC 6749 §5.2. An `Idempotency-Key` is ignored. Each client gets at most 60 tokens a minute and 10 a second, and each address can send as many requests.
   *
   * Public.
   *
   * @see operation `createAccessToken`
   */
  createToken(body: OAuthTokenRequest, options?: RequestOptions): ApiCall<OAuthAccessToken> {
    return this.client.call({
      method: 'POST',
      path: '/v1/oauth/token',
      body: formOf(body),
      options,
    });
  }
}
