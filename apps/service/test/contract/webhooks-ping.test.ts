/** The ping (spec §6.2, contract §3, §6, §8): which responses verify a webhook, and which do not. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import { openReceiver } from '../receiver.ts';
import { openTestService } from '../test-service.ts';
import {
  respondUnavailable,
  dayMs,
  envelopeOf,
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

  test('spec §6, contract §2, §6: one is sent on registration, in the envelope of every event', async () => {
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

  test('a ping is not in the history of events and has no sequence', async () => {
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
    test(`spec §6.2: only 200 verifies: ${status} leaves it unverified, and redirects are not followed`, async () => {
      const redirectTarget = await fixture.receiver();
      const { caller, webhook, receiver } = await fixture.givenWebhook({}, () => ({
        status,
        headers: { location: redirectTarget.url },
      }));
      assert.deepEqual([webhook.status, webhook.verified_at], ['unverified', null]);
      assert.deepEqual((await fixture.webhookOf(caller, webhook.id)).status, 'unverified');
      assert.deepEqual([receiver.all.length, redirectTarget.all.length], [1, 0]);
    });
  }

  test('spec §6.2: a webhook whose receiver refuses the connection is created, unverified', async () => {
    const caller = await fixture.service.givenOrganization();
    const { status, last_ping } = await fixture.register(caller, unreachableUrl);
    assert.equal(status, 'unverified');
    assert.equal(last_ping.status_code, null);
    assert.match(last_ping.failure, /connection/, 'the failure says why');
  });

  test('spec §6.2, §8: verified within 10 seconds, not later', async () => {
    const [prompt, late] = await Promise.all([
      fixture.givenWebhook({}, () => ({ status: 200, delayMs: 8_000 })),
      fixture.givenWebhook({}, () => ({ status: 200, delayMs: 11_000 })),
    ]);
    assert.equal(prompt.webhook.status, 'verified');
    assert.equal(late.webhook.status, 'unverified');
  });

  test('spec §6.2: events before the verification are never sent, all later ones are', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook({}, respondUnavailable);
    receiver.respondWith(respondOk);
    await fixture.triggerEvent(caller, 'Before');
    await fixture.advanceTime(dayMs);
    assert.deepEqual(receiver.events(), []);
    const [missed] = await fixture.eventsOf(caller);
    assert.deepEqual(
      (await fixture.eventOf(caller, missed.id)).webhooks,
      [],
      'no webhook delivery',
    );
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

  test('contract §3: a pending retry is sent to the new url once that is verified', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    const [event] = receiver.events();
    const newReceiver = await fixture.receiver(respondUnavailable);
    const path = `/v1/webhooks/${webhook.id}`;
    await caller.call('PATCH', path, { url: newReceiver.url });
    await fixture.exhaustRetries();
    assert.deepEqual([receiver.events().length, newReceiver.events().length], [1, 0]);
    newReceiver.respondWith(respondOk);
    assert.equal((await caller.call('POST', `${path}/ping`)).json.status, 'verified');
    await fixture.deliverPending();
    assert.deepEqual(
      newReceiver.events().map(({ json }) => json),
      [event?.json],
    );
    assert.equal(receiver.events().length, 1);
  });

  test('contract §3: events while the new url is unverified wait until it is verified', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const newReceiver = await fixture.receiver(respondUnavailable);
    const path = `/v1/webhooks/${webhook.id}`;
    await caller.call('PATCH', path, { url: newReceiver.url });
    await fixture.triggerEvent(caller, 'Meanwhile');
    await fixture.advanceTime(dayMs);
    assert.deepEqual([receiver.events(), newReceiver.events()], [[], []]);
    const [event] = await fixture.eventsOf(caller, '&delivery_status=pending');
    assert.equal(event.data.title, 'Meanwhile');
    newReceiver.respondWith(respondOk);
    await caller.call('POST', `${path}/ping`);
    await fixture.deliverPending();
    assert.deepEqual(
      newReceiver.events().map(({ json }) => json),
      [envelopeOf(event)],
    );
  });

  test('spec §6.2: a new ping at any time, each with its own id; a failed one does not remove the verification', async () => {
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
    assert.equal(last_ping.status_code, 503, 'last_ping has its response');
    assert.equal(last_ping.at, fixture.service.clock.now().toISOString());
    assert.equal(new Set(receiver.all.map(({ json }) => json.id)).size, 3);
    assert.equal(new Set(receiver.all.map(({ headers }) => headers['x-svc-delivery'])).size, 3);
    receiver.respondWith(respondOk);
    await fixture.triggerEvent(caller);
    assert.equal(receiver.events().length, 1, 'still verified');
  });

  test('contract §8: one key creates and pings once, and the replay has the status after the ping', async () => {
    const caller = await fixture.service.givenOrganization();
    const receiver = await fixture.receiver();
    const key = { 'idempotency-key': randomUUID() };
    const body = { url: receiver.url, event_type: '*' };
    const first = await caller.call('POST', '/v1/webhooks', body, key);
    assert.equal(first.json.status, 'verified');
    receiver.respondWith(respondUnavailable);
    const replay = await caller.call('POST', '/v1/webhooks', body, key);
    assert.deepEqual([replay.status, replay.text], [201, first.text], 'the secret too');
    assert.equal(replay.headers.get('idempotency-replayed'), 'true');
    for (const header of ['location', 'etag']) {
      assert.equal(replay.headers.get(header), first.headers.get(header));
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
    for (const [method, requestPath, body] of requests) {
      const key = { 'idempotency-key': randomUUID() };
      const first = await caller.call(method, requestPath, body, key);
      const replay = await caller.call(method, requestPath, body, key);
      assert.deepEqual([replay.status, replay.text], [200, first.text]);
      assert.equal(first.json.status, 'verified');
      assert.equal(replay.headers.get('idempotency-replayed'), 'true');
    }
    assert.deepEqual([receiver.all.length, moved.all.length], [2, 1]);
  });

  test('contract §6, §8: during the ping no transaction is open, and a retry gets it unverified', async () => {
    const service = await openTestService({ connections: 1 });
    const receiver = await openReceiver(() => ({ status: 200, delayMs: 2_000 }));
    const { call } = await service.givenOrganization();
    const body = { url: receiver.url, event_type: '*' };
    const key = { 'idempotency-key': randomUUID() };
    const registering = call('POST', '/v1/webhooks', body, key);
    await until('it is pinged', async () => receiver.all.length === 1);
    const { json: list } = await call('GET', '/v1/webhooks');
    assert.deepEqual(
      list.data.map(({ status }: { status: string }) => status),
      ['unverified'],
      'read on the only database connection',
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

  describe('contract §3, §6: changes during the ping', () => {
    /** A webhook whose receiver has its first ping and has not answered. */
    const givenUnansweredPing = async () => {
      const caller = await fixture.service.givenOrganization();
      const receiver = await fixture.receiver(() => ({ status: 200, delayMs: 1_000 }));
      const body = { url: receiver.url, event_type: '*' };
      const registering = caller.call('POST', '/v1/webhooks', body);
      await until('it is pinged', async () => receiver.all.length === 1);
      const { webhook_id: id } = receiver.all[0]?.json.data ?? {};
      return { caller, registering, path: `/v1/webhooks/${id}` };
    };

    test('a new url: the answer from the old url does not verify the new one', async () => {
      const { caller, registering, path } = await givenUnansweredPing();
      await caller.call('PATCH', path, { url: unreachableUrl });
      const { status, json } = await registering;
      assert.deepEqual([status, json.status, json.url], [201, 'unverified', unreachableUrl]);
      assert.equal((await caller.call('GET', path)).json.status, 'unverified');
    });

    test('a deletion: the registration answers 201, and the webhook is deleted', async () => {
      const { caller, registering, path } = await givenUnansweredPing();
      assert.equal((await caller.call('DELETE', path)).status, 204);
      const { status, json } = await registering;
      assert.deepEqual([status, json.status], [201, 'unverified']);
      assert.equal((await caller.call('GET', path)).status, 404);
    });
  });

  test('contract §2: created_at is business time, as in every event; the timestamp of the signature is real time', async () => {
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
