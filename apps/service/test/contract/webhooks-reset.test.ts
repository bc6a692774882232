/** A reset of the sandbox keeps webhooks, because they are configuration (contract §4, docs/guides/sandbox-catalogue.md). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-fixture.ts';
import type { OrgClient } from '../test-service.ts';
import {
  respondUnavailable,
  openWebhookFixture,
  respondOk,
  retryBasesMs,
  type WebhookFixture,
} from '../webhook-fixture.ts';

describe('a reset of the sandbox and webhooks', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  const reset = async (caller: OrgClient): Promise<void> => {
    const { status } = await caller.call('POST', '/v1/sandbox/reset', { seed: false });
    assert.equal(status, 202);
    await fixture.deliverPending();
    assert.equal((await caller.call('GET', '/v1/sandbox/reset')).json.status, 'idle');
  };

  test('webhooks stay with their secret, and events with their sequence and attempts', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    await fixture.triggerEvent(caller);
    const [event] = await fixture.eventsOf(caller);
    const earlier = await fixture.eventOf(caller, event.id);
    const webhookBefore = await fixture.webhookOf(caller, webhook.id);
    await reset(caller);
    assert.deepEqual((await caller.call('GET', '/v1/releases')).json.data, []);
    assert.deepEqual(await fixture.webhookOf(caller, webhook.id), webhookBefore);
    assert.deepEqual(await fixture.eventOf(caller, event.id), earlier);
    await fixture.triggerEvent(caller);
    assert.deepEqual(
      receiver.events().map(({ json }) => json.sequence),
      [1, 2],
      'the next event is sent as before',
    );
  });

  for (const failures of [1, 2, 3]) {
    test(`spec §6.4: an event with ${failures} failed attempts is still retried`, async () => {
      const { caller, receiver } = await fixture.givenWebhook();
      receiver.respondWith(respondUnavailable);
      await fixture.triggerEvent(caller);
      for (const base of retryBasesMs.slice(0, failures - 1)) await fixture.advanceTime(2 * base);
      assert.equal(receiver.events().length, failures);
      receiver.respondWith(respondOk);
      await reset(caller);
      const [event] = await fixture.eventsOf(caller);
      const { webhooks } = await fixture.eventOf(caller, event.id);
      assert.deepEqual(
        webhooks.map(({ delivery_status }: Json) => delivery_status),
        ['delivered'],
        'at once: the clock was reset, and the time of the retry might never come',
      );
    });
  }
});
