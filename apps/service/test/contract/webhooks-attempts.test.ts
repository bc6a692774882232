/** Attempts (spec §6.4, contract §6): when they are made, when no more, and what can be read of them. */

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

  /** How its only webhook fares with its newest event. */
  const newest = async (caller: OrgClient): Promise<Json> => {
    const [{ id }] = await fixture.eventsOf(caller);
    const { webhooks, attempts } = await fixture.eventOf(caller, id);
    assert.equal(webhooks.length, 1);
    return { ...webhooks[0], id, attempts };
  };
  const gapOf = ({ next_attempt_at: at }: Json): number =>
    Date.parse(at) - fixture.service.clock.now().getTime();

  test('contract §6: the first attempt at once, and one is enough', async () => {
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
      const owed = await newest(caller);
      assert.deepEqual([owed.delivery_status, owed.attempts.length], ['pending', i + 1]);
      assert.equal(owed.attempts.at(-1).next_retry_at, owed.next_attempt_at);
      const gap = gapOf(owed);
      assert.ok(gap >= base * 0.8 && gap <= base * 1.2, `retry ${i + 1} after ${gap} ms`);
      await fixture.advanceTime(gap - 1);
      assert.equal(receiver.events().length, i + 1, 'not before its time');
      await fixture.advanceTime(1);
      assert.equal(receiver.events().length, i + 2);
    }
    const { attempts, ...owed } = await newest(caller);
    assert.deepEqual([owed.delivery_status, owed.next_attempt_at], ['undelivered', null]);
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
    assert.equal(new Set(times).size, 6, 'each with the time it is sent at');
  });

  test('contract §6: retries are spread, so that a receiver that comes back is not overrun', async () => {
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
    const owed = await newest(caller);
    assert.deepEqual(
      [owed.delivery_status, owed.attempts.map((each: Json) => each.status_code)],
      ['delivered', [503, 200]],
    );
    await fixture.advanceTime(dayMs);
    assert.equal(receiver.events().length, 2);
  });

  for (const [asked, expectedMs] of [
    ['0', 5_000],
    ['1', 5_000],
    ['5', 5_000],
    ['7', 7_000],
    ['10', 10_000],
    ['11', 10_000],
    ['3600', 10_000],
    ['99999999999999', 10_000],
  ] as const) {
    test(`contract §6: Retry-After: ${asked} before the first retry is ${expectedMs} ms`, async () => {
      const { caller, receiver } = await fixture.givenWebhook();
      receiver.respondWith(() => ({ status: 429, headers: { 'retry-after': asked } }));
      await fixture.triggerEvent(caller);
      assert.equal(gapOf(await newest(caller)), expectedMs);
    });
  }

  test('ADR 0013: one timer for an endpoint, however much is to be tried again', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    receiver.respondWith(respondUnavailable);
    for (let i = 0; i < 5; i++) await fixture.triggerEvent(caller);
    const open = await fixture.service.query(
      `select count(*)::int as n from timers
        where org_id = $1 and service = 'webhook-dispatchers' and state in ('waiting', 'firing')`,
      [toUuid(caller.orgId as Id<'org'>)],
    );
    assert.deepEqual(open, [{ n: 1 }]);
    await fixture.exhaustRetries();
    assert.equal(receiver.events().length, 30, 'and nothing is forgotten');
  });

  test('contract §6: Retry-After is measured by the retry it is for', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    receiver.respondWith(() => ({ status: 503, headers: { 'retry-after': '400' } }));
    await fixture.triggerEvent(caller);
    await fixture.advanceTime(10_000);
    assert.equal(gapOf(await newest(caller)), 400_000, '5 minutes to 10');
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
      assert.equal(gapOf(await newest(caller)), expectedMs);
    });
  }

  for (const asked of ['soon', '-', '7,5', '1e3', '', 'Wednesday']) {
    test(`contract §6: Retry-After: ${asked || '(empty)'} counts as none`, async () => {
      const { caller, receiver } = await fixture.givenWebhook();
      receiver.respondWith(() => ({ status: 503, headers: { 'retry-after': asked } }));
      await fixture.triggerEvent(caller);
      const gap = gapOf(await newest(caller));
      assert.ok(gap >= 4_000 && gap <= 6_000, `${gap} ms`);
    });
  }

  for (const status of [200, 201, 202, 204, 299]) {
    test(`spec §6.4: ${status} is success`, async () => {
      const { caller, receiver } = await fixture.givenWebhook();
      receiver.respondWith(() => ({ status }));
      await fixture.triggerEvent(caller);
      assert.equal((await newest(caller)).delivery_status, 'delivered');
    });
  }

  for (const status of [300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503]) {
    test(`contract §6: ${status} is a failure, and nothing is followed`, async () => {
      const elsewhere = await fixture.receiver();
      const { caller, receiver } = await fixture.givenWebhook();
      receiver.respondWith(() => ({ status, headers: { location: elsewhere.url } }));
      await fixture.triggerEvent(caller);
      const owed = await newest(caller);
      assert.equal(owed.delivery_status, 'pending');
      assert.deepEqual([owed.attempts[0].status_code, owed.attempts[0].failure], [status, null]);
      assert.equal(elsewhere.all.length, 0);
    });
  }

  test('spec §6.4: no answer in time, and nobody there, are failures with their reason', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    receiver.respondWith(() => ({ status: 200, delayMs: 5_000 }));
    await fixture.triggerEvent(caller);
    const [late] = (await newest(caller)).attempts;
    assert.deepEqual(
      [late.status_code, late.response, late.failure],
      [null, null, 'The receiver did not answer in time.'],
    );
    assert.ok(late.duration_ms >= 1_900);
    await receiver.close();
    await fixture.triggerEvent(caller);
    const [lost] = (await newest(caller)).attempts;
    assert.equal(lost.failure, 'No connection to the receiver could be made.');
  });

  test('contract §4: of an answer the first 4 KiB are kept, as text', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    receiver.respondWith(() => ({ status: 500, body: `\u0000${'x'.repeat(100_000)}` }));
    await fixture.triggerEvent(caller);
    const [{ response }] = (await newest(caller)).attempts;
    assert.equal(response, `\ufffd${'x'.repeat(4_095)}`);
  });

  test('contract §6: each endpoint fares by itself: one that fails holds up no other', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    const prompt = await fixture.receiver();
    await fixture.register(caller, prompt.url);
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    assert.deepEqual([receiver.events().length, prompt.events().length], [1, 1]);
    const [{ id }] = await fixture.eventsOf(caller);
    const { webhooks } = await fixture.eventOf(caller, id);
    assert.deepEqual(
      webhooks.map((each: Json) => each.delivery_status),
      ['pending', 'delivered'],
    );
  });

  test('spec §6.1: only the types that were asked for; * is all', async () => {
    const { caller, receiver } = await fixture.givenWebhook({ event_type: ['asset.ready'] });
    const two = await fixture.receiver();
    const all = await fixture.receiver();
    await fixture.register(caller, two.url, { event_type: ['asset.ready', 'release.created'] });
    await fixture.register(caller, all.url, { event_type: '*' });
    await fixture.triggerEvent(caller);
    const counts = [receiver, two, all].map((each) => each.events().length);
    assert.deepEqual(counts, [0, 1, 1]);
  });

  test('spec §6: what was announced before a webhook was registered is not sent to it', async () => {
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
