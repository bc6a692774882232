/** For tests of webhooks: starts a test service with a worker driver, and webhook receivers that `close` stops. */

import assert from 'node:assert/strict';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import type { Outbound } from '../src/platform/outbound/post.ts';
import { codeOf, type Json } from './delivery-fixture.ts';
import { type Responder, openReceiver, type Receiver } from './receiver.ts';
import {
  type OrgClient,
  draft,
  openTestService,
  type Reply,
  type TestServiceOptions,
} from './test-service.ts';
import { openWorkerDriver } from './worker-driver.ts';

export const noon = '2026-11-16T12:00:00.000Z';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
/** Contract §6: how long the five retries wait, before a jitter of ±20 %. */
export const retryBasesMs = [5_000, 300_000, 1_800_000, 2 * hourMs, 5 * hourMs] as const;

export const respondUnavailable = () => ({ status: 503, body: 'Not now.' });
export const respondOk = () => ({ status: 200 });

/** A URL whose port is closed, so that connections are refused at once. */
export const unreachableUrl = 'http://127.0.0.1:9999/hooks';

/** A listed event as receivers get it: without its delivery status, which depends on the receivers. */
export const envelopeOf = ({ webhooks: _webhooks, ...envelope }: Json): Json => envelope;

export type WebhookFixture = Awaited<ReturnType<typeof openWebhookFixture>>;

export async function openWebhookFixture(
  now = noon,
  outbound?: Outbound,
  options: TestServiceOptions = {},
) {
  const service = await openTestService({ now, ...options });
  const { runUntilIdle, handle } = openWorkerDriver(service, undefined, outbound);
  const receivers: Receiver[] = [];

  /** Numbers and fans out committed events, then makes every attempt that is due, retries included. */
  const deliverPending = async (): Promise<void> => {
    await service.sequenceEvents();
    await runUntilIdle();
  };
  const advanceTime = async (ms: number): Promise<void> => {
    await service.clock.set(new Date(service.clock.now().getTime() + ms).toISOString());
    await deliverPending();
  };
  /** Advances time until the retries of every failing webhook delivery are exhausted. */
  const exhaustRetries = async (): Promise<void> => {
    for (const base of retryBasesMs) await advanceTime(2 * base);
  };
  const receiver = async (responder?: Responder): Promise<Receiver> => {
    const opened = await openReceiver(responder);
    receivers.push(opened);
    return opened;
  };
  const register = async (caller: OrgClient, url: string, fields: object = {}): Promise<Json> => {
    const body = { url, event_type: '*', ...fields };
    const { status, json, text } = await caller.call('POST', '/v1/webhooks', body);
    assert.equal(status, 201, text);
    return json;
  };
  /** A verified webhook of a new organization. */
  const givenWebhook = async (fields: object = {}, responder?: Responder) => {
    const caller = await service.givenOrganization();
    const opened = await receiver(responder);
    const webhook = await register(caller, opened.url, fields);
    return { caller, receiver: opened, webhook };
  };
  const triggerEvent = async (caller: OrgClient, title = 'Night Drive'): Promise<Json> => {
    const { status, json, text } = await caller.call('POST', '/v1/releases', draft({ title }));
    assert.equal(status, 201, text);
    await deliverPending();
    return json;
  };
  const eventsOf = async (caller: OrgClient, query = ''): Promise<Json[]> =>
    (await caller.call('GET', `/v1/events?limit=100${query}`)).json.data;
  const eventOf = async (caller: OrgClient, id: string): Promise<Json> => {
    const { status, json, text } = await caller.call('GET', `/v1/events/${id}`);
    assert.equal(status, 200, text);
    return json;
  };
  const webhookOf = async (caller: OrgClient, id: string): Promise<Json> =>
    (await caller.call('GET', `/v1/webhooks/${id}`)).json;
  const undelivered = (caller: OrgClient): Promise<Json[]> =>
    eventsOf(caller, '&delivery_status=undelivered');
  /** The organization's webhooks and the counts of rows and requests that any change adds to. */
  const traceOf = async ({ orgId }: OrgClient): Promise<Json> => {
    const [row] = await service.query(
      `select (select json_agg(webhooks order by id) from webhooks where org_id = $1) as webhooks,
              (select count(*)::int from audit where org_id = $1) as audited,
              (select count(*)::int from events where org_id = $1) as events,
              (select count(*)::int from webhook_attempts where org_id = $1) as attempts,
              (select count(*)::int from outbox) as messages`,
      [toUuid(orgId as Id<'org'>)],
    );
    return { ...row, requests: receivers.reduce((sum, { all }) => sum + all.length, 0) };
  };
  /** Contract §7: the request is refused and adds no row, no event, no audit row and no ping. */
  const expectRefusal = async (
    caller: OrgClient,
    expected: readonly [status: number, code: string, ...fields: string[]],
    ...request: Parameters<OrgClient['call']>
  ): Promise<Reply> => {
    const earlier = await traceOf(caller);
    const reply = await caller.call(...request);
    const details: Json[] = reply.json.error.details ?? [];
    const found = [...codeOf(reply), ...details.map(({ field }) => field)];
    assert.deepEqual(found, expected, JSON.stringify(request));
    assert.deepEqual(await traceOf(caller), earlier, `${JSON.stringify(request)} left a trace`);
    return reply;
  };

  return {
    service,
    handle,
    deliverPending,
    advanceTime,
    exhaustRetries,
    undelivered,
    traceOf,
    expectRefusal,
    receiver,
    register,
    givenWebhook,
    triggerEvent,
    eventsOf,
    eventOf,
    webhookOf,
    close: async () => {
      await Promise.all(receivers.map((each) => each.close()));
      await service.close();
    },
  };
}
