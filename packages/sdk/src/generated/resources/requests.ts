/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  ListRequestsQuery,
  LoggedRequest,
  LoggedRequestPage,
  LoggedRequestSummary,
} from '../schema.ts';

/** Requests. */
export class RequestsResource extends Resource {
  /**
   * List requests.
   *
   * Returns a page of your requests, newest first. Requests with a valid credential, accepted or refused, appear within a second and are kept for 30 days. With a filter other than `since` and `until`, a page searches at most 5,000 requests, so it can have fewer items than its limit, or none: check `has_more`.
   *
   * Scope: `requests:read`.
   *
   * @see operation `listRequests`
   */
  list(
    query?: ListRequestsQuery,
    options?: RequestOptions,
  ): Pager<LoggedRequestSummary, LoggedRequestPage> {
    return this.client.list({ method: 'GET', path: '/v1/requests', query, options });
  }

  /**
   * Get a request.
   *
   * Returns a request and its answer without secrets, the events that it caused, and every attempt to send them to your webhooks. Requests with a valid credential, accepted or refused, appear within a second and are kept for 30 days.
   *
   * Scope: `requests:read`.
   *
   * @see operation `getRequest`
   */
  get(requestId: string, options?: ReadOptions): ApiCall<LoggedRequest> {
    return this.client.call({
      method: 'GET',
      path: `/v1/requests/${segment(requestId, 'request_id')}`,
      options,
    });
  }
}
