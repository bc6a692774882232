/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { ReadOptions, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  EventPage,
  EventWithAttempts,
  ListEventsQuery,
  RedeliverEvent,
  RedeliveryCount,
  StoredEvent,
} from '../schema.ts';

/** Events. */
export class EventsResource extends Resource {
  /**
   * List events.
   *
   * Returns a page of events, newest first; with `after`, oldest first from there. Each event lists the webhooks that it is sent to. Events are kept for 30 days.
   *
   * Scope: `events:read`.
   *
   * @see operation `listEvents`
   */
  list(query?: ListEventsQuery, options?: RequestOptions): Pager<StoredEvent, EventPage> {
    return this.client.list({ method: 'GET', path: '/v1/events', query, options });
  }

  /**
   * Get an event.
   *
   * Returns the event with the webhooks that it is sent to, and every attempt to send it.
   *
   * Scope: `events:read`.
   *
   * @see operation `getEvent`
   */
  get(eventId: string, options?: ReadOptions): ApiCall<EventWithAttempts> {
    return this.client.call({
      method: 'GET',
      path: `/v1/events/${segment(eventId, 'event_id')}`,
      options,
    });
  }

  /**
   * Send an event again.
   *
   * Sends the event again to every webhook that it was sent to, even if the webhook received it or waits for a retry. With `webhook_id`, only that webhook gets the event, even if it is not subscribed. Webhooks that are not verified are left out. Each webhook gets up to six more attempts, the first at once; their numbers continue those of the earlier attempts.
   *
   * Scope: `webhooks:write`.
   *
   * @see operation `redeliverEvent`
   */
  redeliver(
    eventId: string,
    body?: RedeliverEvent,
    options?: WriteOptions,
  ): ApiCall<RedeliveryCount> {
    return this.client.call({
      method: 'POST',
      path: `/v1/events/${segment(eventId, 'event_id')}/redeliver`,
      body,
      takesKey: true,
      options,
    });
  }
}
