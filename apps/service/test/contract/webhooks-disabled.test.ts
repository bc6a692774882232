/** A webhook is disabled after 5 days in which every attempt failed (contract §3), and can be verified again. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-fixture.ts';
import type { OrgClient } from '../test-service.ts';
import {
  respondUnavailable,
  dayMs,
  envelopeOf,
  openWebhookFixture,
  respondOk,
  type WebhookFixture,
} from '../webhook-fixture.ts';

const disabledAfterMs = 5 * dayMs;

describe('disabled webhooks', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  const statusOf = async (caller: OrgClient, { id }: Json): Promise<string> =>
    (await fixture.webhookOf(caller, id)).status;

  /** A webhook that is disabled because its receiver has failed for five days, and still fails. */
  const givenDisabled = async () => {
    const created = await fixture.givenWebhook({ event_type: ['release.created'] });
    created.receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(created.caller, 'First');
    await fixture.exhaustRetries();
    await fixture.advanceTime(disabledAfterMs);
    await fixture.triggerEvent(created.caller, 'Last');
    assert.equal(await statusOf(created.caller, created.webhook), 'disabled');
    return created;
  };

  test('contract §3: disabled by an attempt that fails 5 days after the first failure, not a millisecond earlier', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook({
      event_type: ['release.created'],
    });
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller, 'First');
    await fixture.advanceTime(disabledAfterMs - 1);
    await fixture.triggerEvent(caller, 'Almost');
    assert.equal(await statusOf(caller, webhook), 'verified');
    await fixture.advanceTime(1);
    await fixture.triggerEvent(caller, 'Now');
    assert.equal(await statusOf(caller, webhook), 'disabled');
  });

  test('contract §3: a success restarts the five days', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook({
      event_type: ['release.created'],
    });
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    await fixture.advanceTime(4 * dayMs);
    receiver.respondWith(respondOk);
    await fixture.triggerEvent(caller);
    receiver.respondWith(respondUnavailable);
    await fixture.advanceTime(dayMs);
    await fixture.triggerEvent(caller);
    await fixture.advanceTime(disabledAfterMs - dayMs);
    await fixture.triggerEvent(caller);
    assert.equal(await statusOf(caller, webhook), 'verified');
  });

  test('contract §3: a webhook without attempts is not disabled', async () => {
    const { caller, webhook } = await fixture.givenWebhook();
    await fixture.advanceTime(30 * dayMs);
    assert.equal(await statusOf(caller, webhook), 'verified');
  });

  test('contract §6: webhook.disabled is sent once, with the webhook as GET shows it, to other subscribed webhooks', async () => {
    const caller = await fixture.service.givenOrganization();
    const [failing, other] = [await fixture.receiver(), await fixture.receiver()];
    const webhook = await fixture.register(caller, failing.url);
    await fixture.register(caller, other.url, { event_type: 'webhook.disabled' });
    failing.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    await fixture.advanceTime(disabledAfterMs);
    await fixture.triggerEvent(caller);
    await fixture.deliverPending();
    const [event, ...more] = await fixture.eventsOf(caller, '&type=webhook.disabled');
    assert.deepEqual(more, []);
    assert.deepEqual(event.data, await fixture.webhookOf(caller, webhook.id));
    assert.deepEqual([event.data.id, event.data.status], [webhook.id, 'disabled']);
    assert.equal('secret' in event.data, false);
    assert.deepEqual(
      other.events().map(({ json }) => json),
      [envelopeOf(event)],
    );
    await fixture.exhaustRetries();
    await fixture.triggerEvent(caller);
    assert.equal((await fixture.eventsOf(caller, '&type=webhook.disabled')).length, 1);
  });

  test('contract §3: nothing is sent to it; events meanwhile are undelivered with 0 attempts', async () => {
    const { caller, receiver, webhook } = await givenDisabled();
    const sent = receiver.events().length;
    receiver.respondWith(respondOk);
    await fixture.triggerEvent(caller, 'Missed');
    await fixture.exhaustRetries();
    assert.equal(receiver.events().length, sent, 'pending retries are not made either');
    const [missed, last] = await fixture.eventsOf(caller, '&type=release.created');
    assert.deepEqual((await fixture.eventOf(caller, missed.id)).webhooks, [
      {
        webhook_id: webhook.id,
        delivery_status: 'undelivered',
        attempts: 0,
        next_attempt_at: null,
      },
    ]);
    const { webhooks } = await fixture.eventOf(caller, last.id);
    assert.deepEqual([webhooks[0].delivery_status, webhooks[0].attempts], ['undelivered', 1]);
    assert.equal(await statusOf(caller, webhook), 'disabled');
  });

  test('contract §3: a successful ping verifies it again, and missed events can be redelivered', async () => {
    const { caller, receiver, webhook } = await givenDisabled();
    await fixture.triggerEvent(caller, 'Missed');
    await fixture.exhaustRetries();
    const path = `/v1/webhooks/${webhook.id}`;
    const since = { since: webhook.created_at };
    await fixture.expectRefusal(caller, [409, 'invalid_state'], 'POST', `${path}/redeliver`, since);
    const bad = await caller.call('POST', `${path}/ping`);
    assert.deepEqual([bad.status, bad.json.status], [200, 'disabled'], 'a failed ping does not');
    receiver.respondWith(respondOk);
    const sent = receiver.events().length;
    const good = await caller.call('POST', `${path}/ping`);
    assert.deepEqual([good.status, good.json.status], [200, 'verified']);
    await fixture.deliverPending();
    assert.equal(receiver.events().length, sent, 'nothing is redelivered automatically');
    const { status, json } = await caller.call('POST', `${path}/redeliver`, since);
    assert.deepEqual([status, json], [202, { count: 3, has_more: false }]);
    await fixture.deliverPending();
    const titles = receiver
      .events()
      .slice(sent)
      .map((each): string => each.json.data.title);
    assert.deepEqual(titles.toSorted(), ['First', 'Last', 'Missed']);
    await fixture.triggerEvent(caller, 'Back');
    assert.equal(receiver.events().at(-1)?.json.data.title, 'Back');
    assert.equal(await statusOf(caller, webhook), 'verified', 'the five days restart');
  });

  test('contract §3: with a new URL it is unverified, or verified if the ping succeeds', async () => {
    const { caller, webhook } = await givenDisabled();
    const path = `/v1/webhooks/${webhook.id}`;
    const failing = await fixture.receiver(respondUnavailable);
    assert.equal(
      (await caller.call('PATCH', path, { url: failing.url })).json.status,
      'unverified',
    );
    const working = await fixture.receiver();
    assert.equal((await caller.call('PATCH', path, { url: working.url })).json.status, 'verified');
  });

  test('contract §3: PATCH of other fields leaves it disabled, without a ping', async () => {
    const { caller, receiver, webhook } = await givenDisabled();
    const requests = receiver.all.length;
    const { json } = await caller.call('PATCH', `/v1/webhooks/${webhook.id}`, {
      url: receiver.url,
      description: 'Still away',
    });
    assert.equal(json.status, 'disabled');
    assert.equal(receiver.all.length, requests);
  });
});
