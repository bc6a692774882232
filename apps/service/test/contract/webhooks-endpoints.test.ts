/** Registering, reading, changing and deleting webhook endpoints (spec §6.1, contract §1–§4, §6, §7). */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { codeOf, type Json } from '../delivery-fixture.ts';
import type { OrgClient } from '../test-service.ts';
import {
  respondUnavailable,
  dayMs,
  unreachableUrl,
  openWebhookFixture,
  respondOk,
  type WebhookFixture,
} from '../webhook-fixture.ts';

const secretOf = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`;

describe('webhook endpoints', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  const post = (caller: OrgClient, fields: object) =>
    caller.call('POST', '/v1/webhooks', { url: unreachableUrl, event_type: '*', ...fields });

  test('contract §2: the fields of a webhook; its secret is shown only when it is created', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook({
      event_type: 'delivery.completed',
      description: 'Production',
    });
    const { id, secret, secret_hint, last_ping, ...rest } = webhook;
    assert.match(id, /^wh_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(secret_hint, secret.slice(-4));
    const at = fixture.service.clock.now().toISOString();
    assert.ok(last_ping.duration_ms >= 0 && last_ping.duration_ms < 10_000);
    assert.deepEqual(last_ping, {
      at,
      status_code: 200,
      failure: null,
      duration_ms: last_ping.duration_ms,
    });
    assert.deepEqual(rest, {
      url: receiver.url,
      event_type: ['delivery.completed'],
      status: 'verified',
      description: 'Production',
      verified_at: at,
      created_at: at,
      updated_at: at,
    });
    const path = `/v1/webhooks/${id}`;
    const readable = { id, secret_hint, ...rest, last_ping };
    assert.deepEqual((await caller.call('GET', path)).json, readable);
    assert.deepEqual((await caller.call('GET', '/v1/webhooks')).json.data, [readable]);
    assert.deepEqual((await caller.call('PATCH', path, {})).json, readable);
    const pinged = (await caller.call('POST', `${path}/ping`)).json;
    assert.deepEqual({ ...pinged, last_ping }, readable);
  });

  test('contract §1: 201 with Location and ETag, the same ETag as of GET', async () => {
    const caller = await fixture.service.givenOrganization();
    const { status, headers, json } = await post(caller, {});
    assert.deepEqual([status, headers.get('location')], [201, `/v1/webhooks/${json.id}`]);
    const path = `/v1/webhooks/${json.id}`;
    const read = await caller.call('GET', path);
    assert.equal(read.headers.get('etag'), headers.get('etag'));
    const condition = { 'if-none-match': headers.get('etag') ?? '' };
    assert.equal((await caller.call('GET', path, undefined, condition)).status, 304);
  });

  test('contract §1: If-Match on PATCH: the current tag passes, an old one → 412', async () => {
    const caller = await fixture.service.givenOrganization();
    const { headers, json } = await post(caller, {});
    const path = `/v1/webhooks/${json.id}`;
    const first = { 'if-match': headers.get('etag') ?? '' };
    const changed = await caller.call('PATCH', path, { description: 'A' }, first);
    assert.equal(changed.status, 200);
    const expected = [412, 'precondition_failed'] as const;
    const moved = { url: (await fixture.receiver()).url };
    await fixture.expectRefusal(caller, expected, 'PATCH', path, moved, first);
  });

  test('contract §6: url and event_type are required, and both are named', async () => {
    const caller = await fixture.service.givenOrganization();
    const expected = [422, 'missing_required_field', 'url', 'event_type'] as const;
    await fixture.expectRefusal(caller, expected, 'POST', '/v1/webhooks', {});
  });

  test('contract §6: event_type is a string or an array, and is returned as an array without duplicates', async () => {
    const caller = await fixture.service.givenOrganization();
    for (const [event_type, expected] of [
      ['*', ['*']],
      [['*'], ['*']],
      ['asset.ready', ['asset.ready']],
      [
        ['asset.ready', 'release.created', 'asset.ready'],
        ['asset.ready', 'release.created'],
      ],
    ] as const) {
      const { json } = await post(caller, { event_type });
      assert.deepEqual(json.event_type, expected);
    }
  });

  const eventTypes: readonly (readonly [what: string, event_type: unknown, field: string])[] = [
    ['one that does not exist', 'release.eaten', 'event_type'],
    ['one of several that does not exist', ['asset.ready', 'asset.ready', 'x'], 'event_type[2]'],
    ['ping, which every webhook gets', 'ping', 'event_type'],
    ['* beside others', ['*', 'release.created'], 'event_type'],
    ['a prefix', 'release.*', 'event_type'],
    ['an empty list', [], 'event_type'],
    ['more than 50', Array.from({ length: 51 }, () => 'asset.ready'), 'event_type'],
    ['a number', 7, 'event_type'],
    ['null', null, 'event_type'],
  ];
  for (const [what, event_type, field] of eventTypes) {
    test(`contract §6: event_type: ${what} → invalid_field, at registration and in PATCH`, async () => {
      const { caller, receiver, webhook } = await fixture.givenWebhook();
      const body = { url: receiver.url, event_type };
      const expected = [422, 'invalid_field', field] as const;
      await fixture.expectRefusal(caller, expected, 'POST', '/v1/webhooks', body);
      const path = `/v1/webhooks/${webhook.id}`;
      await fixture.expectRefusal(caller, expected, 'PATCH', path, { event_type });
    });
  }

  test('contract §6: the partner may send a secret of 24 to 64 bytes, and other lengths are refused', async () => {
    for (const bytes of [24, 25, 63, 64]) {
      const secret = secretOf(bytes);
      assert.equal((await fixture.givenWebhook({ secret })).webhook.secret, secret);
    }
    const caller = await fixture.service.givenOrganization();
    const { url } = await fixture.receiver();
    const bad = [secretOf(23), secretOf(65), secretOf(200), '', 'whsec_', 'secret', 'whsec_***', 7];
    for (const secret of bad) {
      const body = { url, event_type: '*', secret };
      await fixture.expectRefusal(
        caller,
        [422, 'invalid_field', 'secret'],
        'POST',
        '/v1/webhooks',
        body,
      );
    }
  });

  test('contract §1, §7: unknown and read-only fields are refused by name', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const body = { url: receiver.url, event_type: '*' };
    const path = `/v1/webhooks/${webhook.id}`;
    const unknown = [422, 'unknown_field', 'events'] as const;
    await fixture.expectRefusal(caller, unknown, 'POST', '/v1/webhooks', {
      ...body,
      events: ['*'],
    });
    await fixture.expectRefusal(caller, unknown, 'PATCH', path, { events: ['*'] });
    const readOnlyFields = [
      'id',
      'status',
      'secret_hint',
      'verified_at',
      'created_at',
      'updated_at',
    ];
    for (const field of readOnlyFields) {
      const readOnly = [422, 'read_only_field', field] as const;
      const value = { [field]: 'verified' };
      await fixture.expectRefusal(caller, readOnly, 'POST', '/v1/webhooks', { ...body, ...value });
      await fixture.expectRefusal(caller, readOnly, 'PATCH', path, value);
    }
    const secret = [422, 'read_only_field', 'secret'] as const;
    await fixture.expectRefusal(caller, secret, 'PATCH', path, { secret: secretOf(32) });
  });

  test('contract §2: a description of up to 500 characters, or none', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const path = `/v1/webhooks/${webhook.id}`;
    assert.equal(webhook.description, null);
    const longest = '𝄞'.repeat(500);
    assert.equal(
      (await caller.call('PATCH', path, { description: longest })).json.description,
      longest,
    );
    const expected = [422, 'invalid_field', 'description'] as const;
    const body = { url: receiver.url, event_type: '*', description: `${longest}!` };
    await fixture.expectRefusal(caller, expected, 'POST', '/v1/webhooks', body);
    await fixture.expectRefusal(caller, expected, 'PATCH', path, { description: `${longest}!` });
    const cleared = await caller.call('PATCH', path, { description: null });
    assert.equal(cleared.json.description, null);
  });

  test('contract §3: PATCH of other fields than the url: neither unverified nor pinged', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const path = `/v1/webhooks/${webhook.id}`;
    await fixture.advanceTime(1_000);
    const edit = { description: 'New', event_type: 'asset.ready', url: receiver.url };
    const { json } = await caller.call('PATCH', path, edit);
    assert.deepEqual(json, {
      ...(await fixture.webhookOf(caller, webhook.id)),
      description: 'New',
      event_type: ['asset.ready'],
      status: 'verified',
      verified_at: webhook.verified_at,
      updated_at: fixture.service.clock.now().toISOString(),
    });
    assert.equal(receiver.all.length, 1);
    await fixture.triggerEvent(caller);
    assert.equal(receiver.all.length, 1, 'types that it no longer subscribes to are not sent');
  });

  test('contract §3: PATCH of the url: unverified, and a new ping to the new url', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const path = `/v1/webhooks/${webhook.id}`;
    const newReceiver = await fixture.receiver(respondUnavailable);
    const moved = await caller.call('PATCH', path, { url: newReceiver.url });
    assert.deepEqual([moved.json.status, moved.json.verified_at], ['unverified', null]);
    assert.deepEqual(newReceiver.all[0]?.json.data, {
      webhook_id: webhook.id,
      url: newReceiver.url,
    });
    await fixture.triggerEvent(caller);
    assert.deepEqual([receiver.events(), newReceiver.events()], [[], []]);
    newReceiver.respondWith(respondOk);
    assert.equal((await caller.call('POST', `${path}/ping`)).json.status, 'verified');
    await fixture.triggerEvent(caller);
    assert.deepEqual([receiver.events().length, newReceiver.events().length], [0, 2]);
    const back = await caller.call('PATCH', path, { url: receiver.url });
    assert.equal(back.json.status, 'verified', 'at once, because the ping succeeds');
  });

  test('contract §4: a deleted webhook is not found and gets no more events', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    const path = `/v1/webhooks/${webhook.id}`;
    const deleted = await caller.call('DELETE', path);
    assert.deepEqual([deleted.status, deleted.text], [204, '']);
    const notFound = [404, 'resource_not_found'] as const;
    await fixture.expectRefusal(caller, notFound, 'GET', path);
    await fixture.expectRefusal(caller, notFound, 'DELETE', path);
    await fixture.expectRefusal(caller, notFound, 'POST', `${path}/ping`);
    assert.deepEqual((await caller.call('GET', '/v1/webhooks')).json.data, []);
    receiver.respondWith(respondOk);
    await fixture.advanceTime(dayMs);
    await fixture.triggerEvent(caller);
    assert.equal(receiver.events().length, 1, 'pending retries are not made either');
    const { id } = receiver.events()[0]?.json ?? {};
    assert.equal((await fixture.eventOf(caller, id)).attempts.length, 1, 'its history stays');
  });

  test('contract §1: listed newest first, in pages without gap or overlap', async () => {
    const caller = await fixture.service.givenOrganization();
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.unshift((await post(caller, {})).json.id);
    const collected: string[] = [];
    for (let cursor = ''; ;) {
      const { json } = await caller.call('GET', `/v1/webhooks?limit=3${cursor}`);
      collected.push(...json.data.map(({ id }: Json) => id));
      assert.equal(json.has_more, json.next_cursor !== null);
      if (json.next_cursor === null) break;
      cursor = `&cursor=${json.next_cursor}`;
    }
    assert.deepEqual(collected, ids);
    const { json } = await caller.call('GET', '/v1/webhooks?limit=3');
    const stranger = await fixture.service.givenOrganization();
    const stolen = await stranger.call('GET', `/v1/webhooks?cursor=${json.next_cursor}`);
    assert.deepEqual(codeOf(stolen), [400, 'invalid_cursor']);
    for (const query of ['limit=0', 'limit=101', 'status=verified']) {
      const { json: refused } = await caller.call('GET', `/v1/webhooks?${query}`);
      assert.equal(refused.error.code, 'invalid_parameter', query);
    }
  });

  test('an organization has at most 100 webhooks', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    for (let i = 1; i < 100; i++) await post(caller, {});
    const body = { url: receiver.url, event_type: '*' };
    await fixture.expectRefusal(caller, [409, 'invalid_state'], 'POST', '/v1/webhooks', body);
    await caller.call('DELETE', `/v1/webhooks/${webhook.id}`);
    assert.equal((await post(caller, {})).status, 201);
  });

  test('architecture §4: every change is audited; no secret is stored in plain text', async () => {
    const { caller, webhook } = await fixture.givenWebhook();
    const path = `/v1/webhooks/${webhook.id}`;
    await caller.call('PATCH', path, { description: 'x' });
    await caller.call('POST', `${path}/ping`);
    const { json: rotated } = await caller.call('POST', `${path}/rotate_secret`, {});
    await caller.call('DELETE', path);
    const audited = await fixture.service.query('select action from audit where audited_id = $1', [
      webhook.id,
    ]);
    // The outcome of a ping is a second change: of the registration, and of the ping that was asked for.
    const pings = ['record_ping', 'record_ping'];
    assert.deepEqual(
      audited.map(({ action }): string => action).toSorted(),
      ['create', 'delete', 'ping', ...pings, 'rotate_secret', 'update'].map(
        (each) => `webhook.${each}`,
      ),
    );
    const rows = await fixture.service.query(`
      select to_jsonb(w)::text as text from webhooks w
      union all select encode(sealed_secret, 'escape') from webhooks
      union all select encode(body, 'escape') from idempotency_keys
      union all select to_jsonb(a)::text from audit a
      union all select to_jsonb(e)::text from events e`);
    assert.ok(rows.length > 0);
    for (const secret of [webhook.secret, rotated.secret]) {
      assert.ok(rows.every(({ text }) => !String(text).includes(secret.slice('whsec_'.length))));
    }
  });
});
