/** Signatures (spec §5.2, contract §6), also while a secret is rotated. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-fixture.ts';
import { isSigned, isSignedByStandard, type Received } from '../receiver.ts';
import type { OrgClient } from '../test-service.ts';
import { dayMs, openWebhookFixture, type WebhookFixture } from '../webhook-fixture.ts';

describe('signatures of webhooks', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  const rotate = async (caller: OrgClient, { id }: Json, body: object = {}): Promise<Json> => {
    const { status, json, text } = await caller.call(
      'POST',
      `/v1/webhooks/${id}/rotate_secret`,
      body,
    );
    assert.equal(status, 200, text);
    return json;
  };
  const receiveNext = async (
    caller: OrgClient,
    receiver: { readonly all: readonly Received[] },
  ) => {
    await fixture.triggerEvent(caller);
    const received = receiver.all.at(-1);
    assert.ok(received);
    return received;
  };
  /** Which of the secrets verify X-SVC-Signature, and which verify webhook-signature. */
  const verifiedBy = (received: Received, secrets: readonly string[]) => [
    secrets.map((secret) => isSigned(received, secret)),
    secrets.map((secret) => isSignedByStandard(received, secret)),
  ];

  test('spec §5.2, contract §6: every request has the headers a receiver needs, signed over the exact bytes', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    await fixture.triggerEvent(caller, 'Für Élise – 夜 🎵');
    const [, event] = receiver.all;
    assert.ok(event);
    const { headers, json } = event;
    assert.equal(json.data.title, 'Für Élise – 夜 🎵');
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['content-length'], String(event.body.length));
    assert.equal(headers['user-agent'], 'Tonearm-Webhooks/1');
    assert.equal(headers['x-svc-event'], 'release.created');
    assert.match(String(headers['x-svc-delivery']), /^att_[0-9a-hjkmnp-tv-z]{26}$/);
    assert.match(String(headers['x-svc-signature']), /^sha256=[0-9a-f]{64}$/);
    assert.equal(headers['webhook-id'], json.id);
    const now = Math.floor(fixture.service.clock.now().getTime() / 1_000);
    assert.equal(headers['webhook-timestamp'], String(now), 'real time');
    assert.match(String(headers['webhook-signature']), /^v1,[A-Za-z0-9+/]{43}=$/);
    for (const each of receiver.all) {
      assert.ok(isSigned(each, webhook.secret) && isSignedByStandard(each, webhook.secret));
      const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
      assert.ok(!isSigned(each, other) && !isSignedByStandard(each, other));
      const truncated = { ...each, body: each.body.subarray(1) };
      assert.ok(
        !isSigned(truncated, webhook.secret) && !isSignedByStandard(truncated, webhook.secret),
      );
      const replayed = { ...each, headers: { ...each.headers, 'webhook-timestamp': '1' } };
      assert.ok(!isSignedByStandard(replayed, webhook.secret), 'the time is signed too');
    }
  });

  test('contract §6: with a secret of the partner the first ping can be verified', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const { receiver } = await fixture.givenWebhook({ secret });
    const [ping] = receiver.all;
    assert.ok(ping && isSigned(ping, secret) && isSignedByStandard(ping, secret));
  });

  test('contract §2: the new secret is shown once, with its webhook', async () => {
    const { caller, webhook } = await fixture.givenWebhook();
    await fixture.advanceTime(1_000);
    const { secret, ...rest } = await rotate(caller, webhook);
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(secret, webhook.secret);
    const { secret: _old, ...earlier } = webhook;
    assert.deepEqual(rest, {
      ...earlier,
      secret_hint: secret.slice(-4),
      updated_at: fixture.service.clock.now().toISOString(),
    });
    assert.deepEqual(await fixture.webhookOf(caller, webhook.id), rest);
  });

  for (const grace of [1, 3_600, 604_800]) {
    test(`contract §6: for ${grace} s X-SVC-Signature uses the old secret and webhook-signature both; then only the new one`, async () => {
      const { caller, receiver, webhook } = await fixture.givenWebhook();
      const { secret } = await rotate(caller, webhook, { grace_period_seconds: grace });
      const secrets = [webhook.secret, secret];
      await fixture.advanceTime(grace * 1_000 - 1);
      const during = await receiveNext(caller, receiver);
      assert.deepEqual(verifiedBy(during, secrets), [
        [true, false],
        [true, true],
      ]);
      assert.equal(String(during.headers['webhook-signature']).split(' ').length, 2);
      await caller.call('POST', `/v1/webhooks/${webhook.id}/ping`);
      const ping = receiver.all.at(-1);
      assert.equal(ping?.json.type, 'ping');
      assert.deepEqual(ping && verifiedBy(ping, secrets), verifiedBy(during, secrets));
      await fixture.advanceTime(1);
      const afterwards = await receiveNext(caller, receiver);
      assert.deepEqual(verifiedBy(afterwards, secrets), [
        [false, true],
        [false, true],
      ]);
      assert.equal(String(afterwards.headers['webhook-signature']).split(' ').length, 1);
    });
  }

  test('contract §6: with a grace of 0 the old secret is invalid at once', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const { secret } = await rotate(caller, webhook, { grace_period_seconds: 0 });
    assert.deepEqual(verifiedBy(await receiveNext(caller, receiver), [webhook.secret, secret]), [
      [false, true],
      [false, true],
    ]);
  });

  test('contract §6: the default grace is 86400 s', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    await rotate(caller, webhook);
    await fixture.advanceTime(dayMs - 1);
    assert.ok(isSigned(await receiveNext(caller, receiver), webhook.secret));
    await fixture.advanceTime(1);
    assert.ok(!isSigned(await receiveNext(caller, receiver), webhook.secret));
  });

  test('contract §6: after a second rotation within the grace only the secret directly before is the old one', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const second = await rotate(caller, webhook);
    const third = await rotate(caller, webhook);
    const secrets = [webhook.secret, second.secret, third.secret];
    assert.deepEqual(verifiedBy(await receiveNext(caller, receiver), secrets), [
      [false, true, false],
      [false, true, true],
    ]);
    const fourth = await rotate(caller, webhook, { grace_period_seconds: 0 });
    assert.deepEqual(
      verifiedBy(await receiveNext(caller, receiver), [third.secret, fourth.secret]),
      [
        [false, true],
        [false, true],
      ],
    );
  });

  test('contract §6: the grace and webhook-timestamp are real time, independent of the sandbox clock', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    await rotate(caller, webhook, { grace_period_seconds: 3_600 });
    await caller.call('PATCH', '/v1/sandbox/clock', { mode: 'manual' });
    const advanced = await caller.call('POST', '/v1/sandbox/clock/advance', { by: '3d' });
    assert.equal(advanced.status, 202, advanced.text);
    await fixture.deliverPending();
    const received = await receiveNext(caller, receiver);
    const now = fixture.service.clock.now().getTime();
    assert.equal(Date.parse(received.json.created_at), now + 3 * dayMs, 'business time');
    assert.equal(Number(received.headers['webhook-timestamp']), Math.floor(now / 1_000));
    assert.ok(isSigned(received, webhook.secret), 'the old secret is still valid');
  });

  for (const grace of [-1, 604_801, 1.5, '60', null]) {
    test(`contract §6: grace_period_seconds ${JSON.stringify(grace)} → invalid_field, and nothing is rotated`, async () => {
      const { caller, webhook } = await fixture.givenWebhook();
      const path = `/v1/webhooks/${webhook.id}/rotate_secret`;
      const expected = [422, 'invalid_field', 'grace_period_seconds'] as const;
      await fixture.expectRefusal(caller, expected, 'POST', path, { grace_period_seconds: grace });
    });
  }

  test('contract §1, §7: an unknown field, and an unknown webhook', async () => {
    const { caller, webhook } = await fixture.givenWebhook();
    const path = `/v1/webhooks/${webhook.id}/rotate_secret`;
    const body = { secret: webhook.secret };
    await fixture.expectRefusal(caller, [422, 'unknown_field', 'secret'], 'POST', path, body);
    const unknown = '/v1/webhooks/wh_01h455vb4pex5vsknk084sn02q/rotate_secret';
    await fixture.expectRefusal(caller, [404, 'resource_not_found'], 'POST', unknown, {});
  });

  test('contract §8: a replay rotates once and gets the same answer', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    const path = `/v1/webhooks/${webhook.id}/rotate_secret`;
    const key = { 'idempotency-key': randomUUID() };
    const first = await caller.call('POST', path, { grace_period_seconds: 60 }, key);
    const replay = await caller.call('POST', path, { grace_period_seconds: 60 }, key);
    assert.deepEqual([replay.status, replay.text], [200, first.text]);
    assert.ok(isSigned(await receiveNext(caller, receiver), webhook.secret));
  });
});
