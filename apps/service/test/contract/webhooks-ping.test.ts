/** The ping (spec §6.2, contract §3, §6, §8): who is verified by it, and who is not. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import { openReceiver } from '../receiver.ts';
import { openTestService } from '../test-service.ts';
import {
  respondUnavailable,
  dayMs,
  unreachableUrl,
  openWebhookFixture,
  respondOk,
  type WebhookFixture,
} from '../webhook-fixture.ts';

describe('pings', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  test('spec §6, contract §2, §6: one on registration, in the envelope of every event', async () => {
    const { receiver, webhook } = await fixture.givenWebhook();
    const [ping] = receiver.all;
    assert.equal(receiver.all.length, 1);
    assert.match(ping?.json.id, /^evt_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.deepEqual(ping?.json, {
      id: ping?.headers['webhook-id'],
      type: 'ping',
      created_at: fixture.service.clock.now().toISOString(),
      api_version: 'v1',
      environment: 'sandbox',
      sequence: 0,
      data: { webhook_id: webhook.id, url: receiver.url },
    });
    assert.equal(ping?.headers['x-svc-event'], 'ping');
    assert.match(String(ping?.headers['x-svc-delivery']), /^att_/);
  });

  test('it is in no history, and takes no place in the sequence', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    await fixture.triggerEvent(caller);
    assert.deepEqual(
      (await fixture.eventsOf(caller)).map(({ type, sequence }) => [type, sequence]),
      [['release.created', 1]],
    );
    const { id } = receiver.all[0]?.json ?? {};
    assert.equal((await caller.call('GET', `/v1/events/${id}`)).status, 404);
  });

  for (const status of [201, 202, 204, 299, 301, 302, 307, 308, 400, 401, 404, 410, 500, 503]) {
    test(`spec §6.2: exactly 200: ${status} leaves it unverified, and is not followed`, async () => {
      const elsewhere = await fixture.receiver();
      const { caller, webhook, receiver } = await fixture.givenWebhook({}, () => ({
        status,
        headers: { location: elsewhere.url },
      }));
      assert.deepEqual([webhook.status, webhook.verified_at], ['unverified', null]);
      assert.deepEqual((await fixture.webhookOf(caller, webhook.id)).status, 'unverified');
      assert.deepEqual([receiver.all.length, elsewhere.all.length], [1, 0]);
    });
  }

  test('spec §6.2: nobody there: created all the same, unverified', async () => {
    const caller = await fixture.service.givenOrganization();
    const { status, last_ping } = await fixture.register(caller, unreachableUrl);
    assert.equal(status, 'unverified');
    assert.equal(last_ping.status_code, null);
    assert.match(last_ping.failure, /connection/, 'and it says why');
  });

  test('spec §6.2, §8: within 10 seconds, not later', async () => {
    const [prompt, late] = await Promise.all([
      fixture.givenWebhook({}, () => ({ status: 200, delayMs: 9_000 })),
      fixture.givenWebhook({}, () => ({ status: 200, delayMs: 10_500 })),
    ]);
    assert.equal(prompt.webhook.status, 'verified');
    assert.equal(late.webhook.status, 'unverified');
  });

  test('spec §6.2: no events before it is verified, none of them afterwards, all from then on', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook({}, respondUnavailable);
    receiver.respondWith(respondOk);
    await fixture.triggerEvent(caller, 'Before');
    await fixture.advanceTime(dayMs);
    assert.deepEqual(receiver.events(), []);
    const [missed] = await fixture.eventsOf(caller);
    assert.deepEqual((await fixture.eventOf(caller, missed.id)).webhooks, [], 'owed to nobody');
    const pinged = await caller.call('POST', `/v1/webhooks/${webhook.id}/ping`);
    assert.deepEqual([pinged.status, pinged.json.status], [200, 'verified']);
    assert.equal(pinged.json.verified_at, fixture.service.clock.now().toISOString());
    await fixture.deliverPending();
    assert.deepEqual(receiver.events(), []);
    await fixture.triggerEvent(caller, 'After');
    assert.deepEqual(
      receiver.events().map(({ json }) => json.data.title),
      ['After'],
    );
  });

  test('contract §3: moved while an event was to be tried again, it goes to the new url once that is verified', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    const [event] = receiver.events();
    const elsewhere = await fixture.receiver(respondUnavailable);
    const path = `/v1/webhooks/${webhook.id}`;
    await caller.call('PATCH', path, { url: elsewhere.url });
    await fixture.exhaustRetries();
    assert.deepEqual([receiver.events().length, elsewhere.events().length], [1, 0]);
    elsewhere.respondWith(respondOk);
    assert.equal((await caller.call('POST', `${path}/ping`)).json.status, 'verified');
    await fixture.deliverPending();
    assert.deepEqual(
      elsewhere.events().map(({ json }) => json),
      [event?.json],
    );
    assert.equal(receiver.events().length, 1);
  });

  test('contract §3: what happens while it has moved and is not verified again waits for it', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const elsewhere = await fixture.receiver(respondUnavailable);
    const path = `/v1/webhooks/${webhook.id}`;
    await caller.call('PATCH', path, { url: elsewhere.url });
    await fixture.triggerEvent(caller, 'Meanwhile');
    await fixture.advanceTime(dayMs);
    assert.deepEqual([receiver.events(), elsewhere.events()], [[], []]);
    const [event] = await fixture.eventsOf(caller, '&delivery_status=pending');
    assert.equal(event.data.title, 'Meanwhile');
    elsewhere.respondWith(respondOk);
    await caller.call('POST', `${path}/ping`);
    await fixture.deliverPending();
    assert.deepEqual(
      elsewhere.events().map(({ json }) => json),
      [event],
    );
  });

  test('spec §6.2: a new ping at any time; each has an id of its own; a bad one takes nothing away', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const ping = () => caller.call('POST', `/v1/webhooks/${webhook.id}/ping`);
    await fixture.advanceTime(1_000);
    const good = await ping();
    assert.equal(good.json.verified_at, fixture.service.clock.now().toISOString());
    assert.equal('secret' in good.json, false);
    receiver.respondWith(respondUnavailable);
    await fixture.advanceTime(1_000);
    const bad = await ping();
    const { last_ping, ...rest } = bad.json;
    assert.deepEqual([bad.status, { ...rest, last_ping: good.json.last_ping }], [200, good.json]);
    assert.equal(last_ping.status_code, 503, 'but says how it was answered');
    assert.equal(last_ping.at, fixture.service.clock.now().toISOString());
    assert.equal(new Set(receiver.all.map(({ json }) => json.id)).size, 3);
    assert.equal(new Set(receiver.all.map(({ headers }) => headers['x-svc-delivery'])).size, 3);
    receiver.respondWith(respondOk);
    await fixture.triggerEvent(caller);
    assert.equal(receiver.events().length, 1, 'still verified');
  });

  test('contract §8: created once for one key, pinged once, and the replay says what became of it', async () => {
    const caller = await fixture.service.givenOrganization();
    const receiver = await fixture.receiver();
    const key = { 'idempotency-key': randomUUID() };
    const body = { url: receiver.url, event_type: '*' };
    const first = await caller.call('POST', '/v1/webhooks', body, key);
    assert.equal(first.json.status, 'verified');
    receiver.respondWith(respondUnavailable);
    const again = await caller.call('POST', '/v1/webhooks', body, key);
    assert.deepEqual([again.status, again.text], [201, first.text], 'the secret too');
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    for (const header of ['location', 'etag']) {
      assert.equal(again.headers.get(header), first.headers.get(header));
    }
    assert.equal(receiver.all.length, 1);
    assert.equal((await caller.call('GET', '/v1/webhooks')).json.data.length, 1);
    const other = { ...body, event_type: 'asset.ready' };
    const expected = [422, 'idempotency_key_reused'] as const;
    await fixture.expectRefusal(caller, expected, 'POST', '/v1/webhooks', other, key);
  });

  test('contract §8: a ping and a PATCH are not repeated for the same key either', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const moved = await fixture.receiver();
    const path = `/v1/webhooks/${webhook.id}`;
    const requests: readonly (readonly [string, string, object?])[] = [
      ['POST', `${path}/ping`],
      ['PATCH', path, { url: moved.url }],
    ];
    for (const [method, at, body] of requests) {
      const key = { 'idempotency-key': randomUUID() };
      const first = await caller.call(method, at, body, key);
      const again = await caller.call(method, at, body, key);
      assert.deepEqual([again.status, again.text], [200, first.text]);
      assert.equal(first.json.status, 'verified');
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
    }
    assert.deepEqual([receiver.all.length, moved.all.length], [2, 1]);
  });

  test('contract §6, §8: while it is pinged no transaction is held, and a retry sees it unverified', async () => {
    const service = await openTestService({ connections: 1 });
    const receiver = await openReceiver(() => ({ status: 200, delayMs: 2_000 }));
    const { call } = await service.givenOrganization();
    const body = { url: receiver.url, event_type: '*' };
    const key = { 'idempotency-key': randomUUID() };
    const registering = call('POST', '/v1/webhooks', body, key);
    await until('it is pinged', async () => receiver.all.length === 1, 5_000);
    const { json: list } = await call('GET', '/v1/webhooks');
    assert.deepEqual(
      list.data.map(({ status }: { status: string }) => status),
      ['unverified'],
      'read on the only connection there is',
    );
    const early = await call('POST', '/v1/webhooks', body, key);
    assert.deepEqual([early.status, early.json.status], [201, 'unverified']);
    const registered = await registering;
    assert.deepEqual(registered.json, {
      ...early.json,
      status: 'verified',
      last_ping: registered.json.last_ping,
      verified_at: registered.json.verified_at,
      updated_at: registered.json.updated_at,
    });
    assert.equal(receiver.all.length, 1);
    await receiver.close();
    await service.close();
  });

  describe('contract §3, §6: what happens while it is pinged', () => {
    /** A webhook whose first ping is under way. */
    const beingPinged = async () => {
      const caller = await fixture.service.givenOrganization();
      const receiver = await fixture.receiver(() => ({ status: 200, delayMs: 1_000 }));
      const body = { url: receiver.url, event_type: '*' };
      const registering = caller.call('POST', '/v1/webhooks', body);
      await until('it is pinged', async () => receiver.all.length === 1, 5_000);
      const { webhook_id: id } = receiver.all[0]?.json.data ?? {};
      return { caller, registering, path: `/v1/webhooks/${id}` };
    };

    test('moved: whoever answered at the old url has not verified the new one', async () => {
      const { caller, registering, path } = await beingPinged();
      await caller.call('PATCH', path, { url: unreachableUrl });
      const { status, json } = await registering;
      assert.deepEqual([status, json.status, json.url], [201, 'unverified', unreachableUrl]);
      assert.equal((await caller.call('GET', path)).json.status, 'unverified');
    });

    test('deleted: it was made all the same, and is gone', async () => {
      const { caller, registering, path } = await beingPinged();
      assert.equal((await caller.call('DELETE', path)).status, 204);
      const { status, json } = await registering;
      assert.deepEqual([status, json.status], [201, 'unverified']);
      assert.equal((await caller.call('GET', path)).status, 404);
    });
  });

  test('contract §2: created_at is business time, as in every event; its signature is of real time', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    await caller.call('PATCH', '/v1/sandbox/clock', { mode: 'manual' });
    await caller.call('POST', '/v1/sandbox/clock/advance', { by: '3d' });
    await fixture.deliverPending();
    await caller.call('POST', `/v1/webhooks/${webhook.id}/ping`);
    const now = fixture.service.clock.now().getTime();
    const { json, headers } = receiver.all.at(-1) ?? {};
    assert.equal(Date.parse(json.created_at), now + 3 * dayMs);
    assert.equal(headers?.['webhook-timestamp'], String(Math.floor(now / 1_000)));
  });
});
