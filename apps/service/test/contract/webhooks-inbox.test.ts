/** The sandbox's inbox as the receiver of a webhook (contract §4, §6; docs/sandbox.md): no server of one's own. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-fixture.ts';
import { inboxPath } from '../inbox-fixture.ts';
import { isSigned, isSignedByStandard, type Received } from '../receiver.ts';
import { openWebhookFixture, type WebhookFixture } from '../webhook-fixture.ts';

describe('a webhook to the organization’s own inbox', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  const given = async () => {
    const caller = await fixture.service.givenOrganization();
    const look = async (): Promise<Json> => (await caller.call('GET', inboxPath)).json;
    const tell = async (answer: object): Promise<void> => {
      assert.equal((await caller.call('POST', inboxPath, answer)).status, 200);
    };
    const { url } = await look();
    return { caller, look, tell, url };
  };
  /** As a receiver of one's own would have got it. */
  const asReceived = ({ headers, body }: Json): Received => ({
    path: '',
    headers,
    body: Buffer.from(body),
    json: JSON.parse(body),
    at: 0,
  });

  test('its ping is answered, so it is verified; events arrive there, and can be verified', async () => {
    const { caller, look, url } = await given();
    const webhook = await fixture.register(caller, url, { event_type: 'release.created' });
    assert.deepEqual([webhook.status, webhook.url], ['verified', url]);
    const release = await fixture.triggerEvent(caller);
    const [event] = await fixture.eventsOf(caller);
    const { data } = await look();
    assert.deepEqual(
      data.map(({ event_type, event_id, status }: Json) => [event_type, event_id, status]),
      [
        ['release.created', event.id, 200],
        ['ping', data[1].event_id, 200],
      ],
    );
    for (const message of data) {
      const received = asReceived(message);
      assert.ok(isSigned(received, webhook.secret));
      assert.ok(isSignedByStandard(received, webhook.secret));
    }
    assert.deepEqual(JSON.parse(data[0].body), event);
    assert.deepEqual(event.data, release);
    assert.equal(
      data[0].headers['x-svc-delivery'],
      (await fixture.eventOf(caller, event.id)).attempts[0].id,
    );
  });

  test('told to fail the ping it stays unverified, until it is pinged again', async () => {
    const { caller, tell, url } = await given();
    await tell({ status: 500, times: 1 });
    const webhook = await fixture.register(caller, url);
    assert.equal(webhook.status, 'unverified');
    const { json } = await caller.call('POST', `/v1/webhooks/${webhook.id}/ping`);
    assert.equal(json.status, 'verified');
  });

  test('told to fail twice, with a Retry-After, it is tried again when it asked, and gets it at last', async () => {
    const { caller, look, tell, url } = await given();
    await fixture.register(caller, url);
    await tell({ status: 503, times: 2, retry_after: 8 });
    await fixture.triggerEvent(caller);
    const [{ id }] = await fixture.eventsOf(caller);
    const owed = async () => (await fixture.eventOf(caller, id)).webhooks[0];
    const inMs = async () =>
      Date.parse((await owed()).next_attempt_at) - fixture.service.clock.now().getTime();
    assert.equal(await inMs(), 8_000, 'contract §6: inside [5 s, 10 s]');
    await fixture.advanceTime(8_000);
    assert.equal(await inMs(), 300_000, 'contract §6: at least the usual 5 minutes');
    await fixture.advanceTime(300_000);
    assert.equal((await owed()).delivery_status, 'delivered');
    const { data } = await look();
    assert.deepEqual(
      data.map(({ event_id, status }: Json) => [event_id === id, status]),
      [
        [true, 200],
        [true, 503],
        [true, 503],
        [false, 200],
      ],
    );
    const { attempts } = await fixture.eventOf(caller, id);
    assert.deepEqual(
      attempts.map(({ status_code, response }: Json) => [status_code, response]),
      [
        [503, '{"received":false}'],
        [503, '{"received":false}'],
        [200, '{"received":true}'],
      ],
    );
  });

  test('told to fail for good the event is undelivered; mended it is sent again by hand', async () => {
    const { caller, look, tell, url } = await given();
    const webhook = await fixture.register(caller, url);
    await tell({ status: 410 });
    await fixture.triggerEvent(caller);
    await fixture.exhaustRetries();
    const [{ id }] = await fixture.undelivered(caller);
    assert.equal((await look()).data.length, 7, 'a ping and six attempts');
    await tell({ status: 204 });
    const since = { since: webhook.created_at };
    const { json } = await caller.call('POST', `/v1/webhooks/${webhook.id}/redeliver`, since);
    assert.deepEqual(json, { count: 1, has_more: false });
    await fixture.deliverPending();
    assert.deepEqual(await fixture.undelivered(caller), []);
    const [newest] = (await look()).data;
    assert.deepEqual([newest.event_id, newest.status], [id, 204]);
  });

  test('too slow is no answer', async () => {
    const { caller, tell, url } = await given();
    await fixture.register(caller, url);
    await tell({ status: 200, times: 1, delay: '3s' });
    await fixture.triggerEvent(caller);
    const [{ id }] = await fixture.eventsOf(caller);
    const { attempts } = await fixture.eventOf(caller, id);
    assert.equal(attempts[0].failure, 'The receiver did not answer in time.');
  });
});
