/** Attempts (spec §6.4, contract §6): when they are made, when they end, and how they are shown. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Id, toUuid } from '../../src/kernel/ids.ts';
import type { Json } from '../delivery-fixture.ts';
import type { OrgClient } from '../test-service.ts';
import {
  respondUnavailable,
  dayMs,
  openWebhookFixture,
  respondOk,
  retryBasesMs,
  type WebhookFixture,
} from '../webhook-fixture.ts';

describe('attempts of webhooks', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  /** The webhook delivery of the newest event to the only webhook, with its attempts. */
  const newestDelivery = async (caller: OrgClient): Promise<Json> => {
    const [{ id }] = await fixture.eventsOf(caller);
    const { webhooks, attempts } = await fixture.eventOf(caller, id);
    assert.equal(webhooks.length, 1);
    return { ...webhooks[0], id, attempts };
  };
  const gapOf = ({ next_attempt_at: at }: Json): number =>
    Date.parse(at) - fixture.service.clock.now().getTime();

  test('contract §6: the first attempt is made at once, and a success is the only one', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const release = await fixture.triggerEvent(caller);
    assert.equal(receiver.events().length, 1);
    const [received] = receiver.events();
    assert.deepEqual(received?.json.data, release);
    const { attempts, webhooks, ...envelope } = await fixture.eventOf(caller, received?.json.id);
    assert.deepEqual(envelope, received?.json, 'contract §2: the envelope is the same everywhere');
    assert.deepEqual(webhooks, [
      { webhook_id: webhook.id, delivery_status: 'delivered', attempts: 1, next_attempt_at: null },
    ]);
    const [{ duration_ms: durationMs, ...attempt }] = attempts;
    assert.deepEqual(
      [attempt],
      [
        {
          id: received?.headers['x-svc-delivery'],
          webhook_id: webhook.id,
          number: 1,
          redelivery: false,
          status_code: 200,
          failure: null,
          response: '',
          next_retry_at: null,
          created_at: fixture.service.clock.now().toISOString(),
        },
      ],
    );
    assert.ok(durationMs >= 0);
    await fixture.advanceTime(dayMs);
    assert.equal(receiver.events().length, 1);
  });

  test('spec §6.4, contract §6: five retries, after 5 s, 5 min, 30 min, 2 h, 5 h, ±20 %; then undelivered', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    for (const [i, base] of retryBasesMs.entries()) {
      const delivery = await newestDelivery(caller);
      assert.deepEqual([delivery.delivery_status, delivery.attempts.length], ['pending', i + 1]);
      assert.equal(delivery.attempts.at(-1).next_retry_at, delivery.next_attempt_at);
      const gap = gapOf(delivery);
      assert.ok(gap >= base * 0.8 && gap <= base * 1.2, `retry ${i + 1} after ${gap} ms`);
      await fixture.advanceTime(gap - 1);
      assert.equal(receiver.events().length, i + 1, 'not early');
      await fixture.advanceTime(1);
      assert.equal(receiver.events().length, i + 2);
    }
    const { attempts, ...delivery } = await newestDelivery(caller);
    assert.deepEqual([delivery.delivery_status, delivery.next_attempt_at], ['undelivered', null]);
    assert.deepEqual(
      attempts.map(({ number, status_code, response }: Json) => [number, status_code, response]),
      [1, 2, 3, 4, 5, 6].map((number) => [number, 503, 'Not now.']),
    );
    assert.equal(attempts.at(-1).next_retry_at, null);
    assert.deepEqual(
      receiver.events().map(({ headers }) => headers['x-svc-delivery']),
      attempts.map(({ id }: Json) => id),
      'contract §6: X-SVC-Delivery names the attempt',
    );
    await fixture.advanceTime(10 * dayMs);
    assert.equal(receiver.events().length, 6, 'no seventh attempt');
  });

  test('spec §6.7, contract §6: every attempt sends the same bytes under the same webhook-id', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    await fixture.exhaustRetries();
    const all = receiver.events();
    assert.equal(all.length, 6);
    assert.equal(new Set(all.map(({ body }) => body.toString())).size, 1);
    assert.equal(new Set(all.map(({ headers }) => headers['webhook-id'])).size, 1);
    const times = all.map(({ headers }) => Number(headers['webhook-timestamp']));
    assert.equal(new Set(times).size, 6, 'each has the time of its attempt');
  });

  test('contract §6: retries have a jitter, so that a recovered receiver does not get them all at once', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    receiver.respondWith(respondUnavailable);
    for (let i = 0; i < 24; i++) await fixture.triggerEvent(caller, `T${i}`);
    const gaps: number[] = [];
    for (const { id } of await fixture.eventsOf(caller)) {
      gaps.push(gapOf((await fixture.eventOf(caller, id)).webhooks[0]));
    }
    assert.equal(gaps.length, 24);
    assert.ok(
      gaps.every((gap) => gap >= 4_000 && gap <= 6_000),
      gaps.join(' '),
    );
    assert.ok(Math.min(...gaps) < 5_000 && Math.max(...gaps) > 5_000, gaps.join(' '));
    assert.ok(new Set(gaps).size > 12);
  });

  test('a retry that succeeds is the last', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    receiver.respondWith(respondOk);
    await fixture.advanceTime(6_000);
    const delivery = await newestDelivery(caller);
    assert.deepEqual(
      [delivery.delivery_status, delivery.attempts.map((each: Json) => each.status_code)],
      ['delivered', [503, 200]],
    );
    await fixture.advanceTime(dayMs);
    assert.equal(receiver.events().length, 2);
  });

  for (const [retryAfter, expectedMs] of [
    ['0', 5_000],
    ['1', 5_000],
    ['5', 5_000],
    ['7', 7_000],
    ['10', 10_000],
    ['11', 10_000],
    ['3600', 10_000],
    ['99999999999999', 10_000],
  ] as const) {
    test(`contract §6: Retry-After: ${retryAfter} before the first retry is ${expectedMs} ms`, async () => {
      const { caller, receiver } = await fixture.givenWebhook();
      receiver.respondWith(() => ({ status: 429, headers: { 'retry-after': retryAfter } }));
      await fixture.triggerEvent(caller);
      assert.equal(gapOf(await newestDelivery(caller)), expectedMs);
    });
  }

  test('ADR 0013: an endpoint has one timer for all its retries', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    receiver.respondWith(respondUnavailable);
    for (let i = 0; i < 5; i++) await fixture.triggerEvent(caller);
    const open = await fixture.service.query(
      `select count(*)::int as n from timers
        where org_id = $1 and service = 'webhook-retries' and state in ('waiting', 'firing')`,
      [toUuid(caller.orgId as Id<'org'>)],
    );
    assert.deepEqual(open, [{ n: 1 }]);
    await fixture.exhaustRetries();
    assert.equal(receiver.events().length, 30, 'every event got six attempts');
  });

  test('contract §6: the limits of Retry-After depend on the number of the retry', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    receiver.respondWith(() => ({ status: 503, headers: { 'retry-after': '400' } }));
    await fixture.triggerEvent(caller);
    await fixture.advanceTime(10_000);
    assert.equal(gapOf(await newestDelivery(caller)), 400_000, 'inside [5 min, 10 min]');
  });

  for (const [seconds, expectedMs] of [
    [-60, 5_000],
    [7, 7_000],
    [3_600, 10_000],
  ] as const) {
    test(`contract §6: a Retry-After ${seconds} s after the receiver's own Date is ${expectedMs} ms`, async () => {
      const { caller, receiver } = await fixture.givenWebhook();
      const date = Date.parse('Wed, 21 Oct 2037 07:28:00 GMT');
      const headers = {
        date: new Date(date).toUTCString(),
        'retry-after': new Date(date + seconds * 1_000).toUTCString(),
      };
      receiver.respondWith(() => ({ status: 503, headers }));
      await fixture.triggerEvent(caller);
      assert.equal(gapOf(await newestDelivery(caller)), expectedMs);
    });
  }

  for (const retryAfter of ['soon', '-', '7,5', '1e3', '', 'Wednesday']) {
    test(`contract §6: Retry-After: ${retryAfter || '(empty)'} is ignored`, async () => {
      const { caller, receiver } = await fixture.givenWebhook();
      receiver.respondWith(() => ({ status: 503, headers: { 'retry-after': retryAfter } }));
      await fixture.triggerEvent(caller);
      const gap = gapOf(await newestDelivery(caller));
      assert.ok(gap >= 4_000 && gap <= 6_000, `${gap} ms`);
    });
  }

  for (const status of [200, 201, 202, 204, 299]) {
    test(`spec §6.4: ${status} is success`, async () => {
      const { caller, receiver } = await fixture.givenWebhook();
      receiver.respondWith(() => ({ status }));
      await fixture.triggerEvent(caller);
      assert.equal((await newestDelivery(caller)).delivery_status, 'delivered');
    });
  }

  for (const status of [300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503]) {
    test(`contract §6: ${status} is a failure, and redirects are not followed`, async () => {
      const redirectTarget = await fixture.receiver();
      const { caller, receiver } = await fixture.givenWebhook();
      receiver.respondWith(() => ({ status, headers: { location: redirectTarget.url } }));
      await fixture.triggerEvent(caller);
      const delivery = await newestDelivery(caller);
      assert.equal(delivery.delivery_status, 'pending');
      assert.deepEqual(
        [delivery.attempts[0].status_code, delivery.attempts[0].failure],
        [status, null],
      );
      assert.equal(redirectTarget.all.length, 0);
    });
  }

  test('spec §6.4: a timeout and a refused connection are failures with their reason', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    receiver.respondWith(() => ({ status: 200, delayMs: 5_000 }));
    await fixture.triggerEvent(caller);
    const [late] = (await newestDelivery(caller)).attempts;
    assert.deepEqual(
      [late.status_code, late.response, late.failure],
      [null, null, 'The receiver did not answer in time.'],
    );
    assert.ok(late.duration_ms >= 1_900);
    await receiver.close();
    await fixture.triggerEvent(caller);
    const [lost] = (await newestDelivery(caller)).attempts;
    assert.equal(lost.failure, 'No connection to the receiver could be made.');
  });

  test('contract §4: the first 4 KiB of a response are stored as text', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    receiver.respondWith(() => ({ status: 500, body: `\u0000${'x'.repeat(100_000)}` }));
    await fixture.triggerEvent(caller);
    const [{ response }] = (await newestDelivery(caller)).attempts;
    assert.equal(response, `\ufffd${'x'.repeat(4_095)}`);
  });

  test('contract §6: endpoints are independent: one that fails does not delay others', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    const other = await fixture.receiver();
    await fixture.register(caller, other.url);
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    assert.deepEqual([receiver.events().length, other.events().length], [1, 1]);
    const [{ id }] = await fixture.eventsOf(caller);
    const { webhooks } = await fixture.eventOf(caller, id);
    assert.deepEqual(
      webhooks.map((each: Json) => each.delivery_status),
      ['pending', 'delivered'],
    );
  });

  test('spec §6.1: only subscribed types are sent; * is all types', async () => {
    const { caller, receiver } = await fixture.givenWebhook({ event_type: ['asset.ready'] });
    const ofTwoTypes = await fixture.receiver();
    const ofAllTypes = await fixture.receiver();
    await fixture.register(caller, ofTwoTypes.url, {
      event_type: ['asset.ready', 'release.created'],
    });
    await fixture.register(caller, ofAllTypes.url, { event_type: '*' });
    await fixture.triggerEvent(caller);
    const counts = [receiver, ofTwoTypes, ofAllTypes].map((each) => each.events().length);
    assert.deepEqual(counts, [0, 1, 1]);
  });

  test('spec §6: events from before a webhook was registered are not sent to it', async () => {
    const caller = await fixture.service.givenOrganization();
    await fixture.triggerEvent(caller, 'Before');
    const receiver = await fixture.receiver();
    await fixture.register(caller, receiver.url);
    await fixture.triggerEvent(caller, 'After');
    assert.deepEqual(
      receiver.events().map(({ json }) => json.data.title),
      ['After'],
    );
  });
});
