/* Generated from openapi/openapi.json by `npm run codegen:sdk`. Do not edit. */

import type { ApiCall } from '../../core/api-call.ts';
import type { Pager } from '../../core/pager.ts';
import type { RawBody, RequestOptions, WriteOptions } from '../../core/request.ts';
import { Resource } from '../../core/resource.ts';
import { segment } from '../../core/url.ts';
import type {
  GetInboxQuery,
  Inbox,
  InboxAcknowledgement,
  InboxMessage,
  InboxPage,
  SetInboxAnswer,
} from '../schema.ts';

/** Sandbox.inbox. */
export class SandboxInboxResource extends Resource {
  /**
   * Read the inbox.
   *
   * Returns the messages that your inbox received, newest first, with the exact bytes of each. The inbox is a receiver for your webhooks when you have no public URL; it keeps the last 1,000 messages. Large messages can make a page shorter than its limit: check `has_more`.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `getInbox`
   */
  list(query?: GetInboxQuery, options?: RequestOptions): Pager<InboxMessage, InboxPage> {
    return this.client.list({ method: 'GET', path: '/v1/sandbox/inbox', query, options });
  }

  /**
   * Set how the inbox answers.
   *
   * Sets the answer of the inbox to its next `times` requests: this status, after `delay`, with this `Retry-After`. After them it answers 200 again. Replaces the previous setting.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `tellInbox`
   */
  setAnswer(body: SetInboxAnswer, options?: WriteOptions): ApiCall<Inbox> {
    return this.client.call({
      method: 'POST',
      path: '/v1/sandbox/inbox',
      body,
      takesKey: true,
      options,
    });
  }

  /**
   * Empty the inbox.
   *
   * Deletes the messages of the inbox, and makes it answer 200 again. Its URL stays.
   *
   * Scope: `sandbox:write`.
   *
   * @see operation `emptyInbox`
   */
  empty(options?: RequestOptions): ApiCall<void> {
    return this.client.call({ method: 'DELETE', path: '/v1/sandbox/inbox', options });
  }

  /**
   * Send something to an inbox.
   *
   * Receives a message. Register the URL of the inbox as a webhook, or POST to it yourself: it accepts any body up to 256 KiB. It answers 200, or the status that you set. A status of 300 or more has the body `{"received": false}` and is not an error of this API.
   *
   * Public.
   *
   * @see operation `receiveInInbox`
   */
  receive(token: string, body: RawBody, options?: RequestOptions): ApiCall<InboxAcknowledgement> {
    return this.client.call({
      method: 'POST',
      path: `/v1/sandbox/inbox/${segment(token, 'token')}`,
      body,
      options,
    });
  }
}
