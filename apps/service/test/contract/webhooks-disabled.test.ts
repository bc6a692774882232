/** Disabled (contract §3): after 5 days in which every attempt failed; and back, with what was missed. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-scene.ts';
import { away, dayMs, openWebhookScene, present, type WebhookScene } from '../webhook-scene.ts';
import type { Caller } from '../test-service.ts';

const givenUpAfterMs = 5 * dayMs;

describe('disabled webhooks', () => {
  let scene: WebhookScene;
  before(async () => {
    scene = await openWebhookScene();
  });
  after(() => scene.close());

  const statusOf = async (caller: Caller, { id }: Json): Promise<string> =>
    (await scene.webhookOf(caller, id)).status;

  /** A webhook that has failed for five days, and the receiver, which still does. */
  const givenDisabled = async () => {
    const given = await scene.given({ event_type: ['release.created'] });
    given.receiver.answer(away);
    await scene.announce(given.caller, 'First');
    await scene.giveUp();
    await scene.wait(givenUpAfterMs);
    await scene.announce(given.caller, 'Last');
    assert.equal(await statusOf(given.caller, given.webhook), 'disabled');
    return given;
  };

  test('contract §3: an attempt that fails 5 days after the first failure, not a moment earlier', async () => {
    const { caller, receiver, webhook } = await scene.given({ event_type: ['release.created'] });
    receiver.answer(away);
    await scene.announce(caller, 'First');
    await scene.wait(givenUpAfterMs - 1);
    await scene.announce(caller, 'Almost');
    assert.equal(await statusOf(caller, webhook), 'verified');
    await scene.wait(1);
    await scene.announce(caller, 'Now');
    assert.equal(await statusOf(caller, webhook), 'disabled');
  });

  test('contract §3: one success, and the five days begin anew', async () => {
    const { caller, receiver, webhook } = await scene.given({ event_type: ['release.created'] });
    receiver.answer(away);
    await scene.announce(caller);
    await scene.wait(4 * dayMs);
    receiver.answer(present);
    await scene.announce(caller);
    receiver.answer(away);
    await scene.wait(dayMs);
    await scene.announce(caller);
    await scene.wait(givenUpAfterMs - dayMs);
    await scene.announce(caller);
    assert.equal(await statusOf(caller, webhook), 'verified');
  });

  test('contract §3: no attempts, no failure: silence disables nobody', async () => {
    const { caller, webhook } = await scene.given();
    await scene.wait(30 * dayMs);
    assert.equal(await statusOf(caller, webhook), 'verified');
  });

  test('contract §6: webhook.disabled, once: the webhook as it is now, to the others that want it', async () => {
    const caller = await scene.service.givenOrganization();
    const [failing, other] = [await scene.receiver(), await scene.receiver()];
    const webhook = await scene.register(caller, failing.url);
    await scene.register(caller, other.url, { event_type: 'webhook.disabled' });
    failing.answer(away);
    await scene.announce(caller);
    await scene.wait(givenUpAfterMs);
    await scene.announce(caller);
    await scene.settle();
    const [event, ...more] = await scene.eventsOf(caller, '&type=webhook.disabled');
    assert.deepEqual(more, []);
    assert.deepEqual(event.data, await scene.webhookOf(caller, webhook.id));
    assert.deepEqual([event.data.id, event.data.status], [webhook.id, 'disabled']);
    assert.equal('secret' in event.data, false);
    assert.deepEqual(
      other.events().map(({ json }) => json),
      [event],
    );
    await scene.giveUp();
    await scene.announce(caller);
    assert.equal((await scene.eventsOf(caller, '&type=webhook.disabled')).length, 1);
  });

  test('contract §3: nothing is sent there any more; what happens meanwhile is undelivered with 0 attempts', async () => {
    const { caller, receiver, webhook } = await givenDisabled();
    const sent = receiver.events().length;
    receiver.answer(present);
    await scene.announce(caller, 'Missed');
    await scene.giveUp();
    assert.equal(receiver.events().length, sent, 'not even what was to be tried again');
    const [missed, last] = await scene.eventsOf(caller, '&type=release.created');
    assert.deepEqual((await scene.eventOf(caller, missed.id)).webhooks, [
      {
        webhook_id: webhook.id,
        delivery_status: 'undelivered',
        attempts: 0,
        next_attempt_at: null,
      },
    ]);
    const { webhooks } = await scene.eventOf(caller, last.id);
    assert.deepEqual([webhooks[0].delivery_status, webhooks[0].attempts], ['undelivered', 1]);
    assert.equal(await statusOf(caller, webhook), 'disabled');
  });

  test('contract §3: a good ping brings it back, and what it missed can be redelivered', async () => {
    const { caller, receiver, webhook } = await givenDisabled();
    await scene.announce(caller, 'Missed');
    await scene.giveUp();
    const path = `/v1/webhooks/${webhook.id}`;
    const since = { since: webhook.created_at };
    await scene.refuses(caller, [409, 'invalid_state'], 'POST', `${path}/redeliver`, since);
    const bad = await caller.call('POST', `${path}/ping`);
    assert.deepEqual([bad.status, bad.json.status], [200, 'disabled'], 'a bad one does not');
    receiver.answer(present);
    const sent = receiver.events().length;
    const good = await caller.call('POST', `${path}/ping`);
    assert.deepEqual([good.status, good.json.status], [200, 'verified']);
    await scene.settle();
    assert.equal(receiver.events().length, sent, 'nothing by itself');
    const { status, json } = await caller.call('POST', `${path}/redeliver`, since);
    assert.deepEqual([status, json], [202, { count: 3, has_more: false }]);
    await scene.settle();
    const titles = receiver
      .events()
      .slice(sent)
      .map((each): string => each.json.data.title);
    assert.deepEqual(titles.toSorted(), ['First', 'Last', 'Missed']);
    await scene.announce(caller, 'Back');
    assert.equal(receiver.events().at(-1)?.json.data.title, 'Back');
    assert.equal(await statusOf(caller, webhook), 'verified', 'and its five days begin anew');
  });

  test('contract §3: moved elsewhere it is unverified, and verified by that ping', async () => {
    const { caller, webhook } = await givenDisabled();
    const path = `/v1/webhooks/${webhook.id}`;
    const dead = await scene.receiver(away);
    assert.equal((await caller.call('PATCH', path, { url: dead.url })).json.status, 'unverified');
    const alive = await scene.receiver();
    assert.equal((await caller.call('PATCH', path, { url: alive.url })).json.status, 'verified');
  });

  test('contract §3: PATCH of anything else leaves it disabled, without a ping', async () => {
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
