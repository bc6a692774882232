/**
 * The sandbox inbox as the receiver of a webhook (contract §4, §6; docs/guides/sandbox.md), without a server of the
 * partner.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Json } from '../delivery-fixture.ts';
import { inboxPath } from '../inbox-fixture.ts';
import { isSigned, isSignedByStandard, type Received } from '../receiver.ts';
import { envelopeOf, openWebhookFixture, type WebhookFixture } from '../webhook-fixture.ts';

describe('a webhook to the organization’s own inbox', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  const givenInbox = async () => {
    const caller = await fixture.service.givenOrganization();
    const readInbox = async (): Promise<Json> => (await caller.call('GET', inboxPath)).json;
    const setAnswer = async (answer: object): Promise<void> => {
      assert.equal((await caller.call('POST', inboxPath, answer)).status, 200);
    };
    const { url } = await readInbox();
    return { caller, readInbox, setAnswer, url };
  };
  /** A message of the inbox in the form that `receiver.ts` records. */
  const asReceived = ({ headers, body }: Json): Received => ({
    path: '',
    headers,
    body: Buffer.from(body),
    json: JSON.parse(body),
    at: 0,
  });

  test('is verified, because its ping is answered; events arrive there with valid signatures', async () => {
    const { caller, readInbox, url } = await givenInbox();
    const webhook = await fixture.register(caller, url, { event_type: 'release.created' });
    assert.deepEqual([webhook.status, webhook.url], ['verified', url]);
    const release = await fixture.triggerEvent(caller);
    const [event] = await fixture.eventsOf(caller);
    const { data } = await readInbox();
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
    assert.deepEqual(JSON.parse(data[0].body), envelopeOf(event));
    assert.deepEqual(event.data, release);
    assert.equal(
      data[0].headers['x-svc-delivery'],
      (await fixture.eventOf(caller, event.id)).attempts[0].id,
    );
  });

  test('stays unverified if the inbox fails the ping, until it is pinged again', async () => {
    const { caller, setAnswer, url } = await givenInbox();
    await setAnswer({ status: 500, times: 1 });
    const webhook = await fixture.register(caller, url);
    assert.equal(webhook.status, 'unverified');
    const { json } = await caller.call('POST', `/v1/webhooks/${webhook.id}/ping`);
    assert.equal(json.status, 'verified');
  });

  test('is retried after the Retry-After of the inbox, and receives the event in the end', async () => {
    const { caller, readInbox, setAnswer, url } = await givenInbox();
    await fixture.register(caller, url);
    await setAnswer({ status: 503, times: 2, retry_after: 8 });
    await fixture.triggerEvent(caller);
    const [{ id }] = await fixture.eventsOf(caller);
    const delivery = async () => (await fixture.eventOf(caller, id)).webhooks[0];
    const inMs = async () =>
      Date.parse((await delivery()).next_attempt_at) - fixture.service.clock.now().getTime();
    assert.equal(await inMs(), 8_000, 'contract §6: inside [5 s, 10 s]');
    await fixture.advanceTime(8_000);
    assert.equal(await inMs(), 300_000, 'contract §6: at least the usual 5 minutes');
    await fixture.advanceTime(300_000);
    assert.equal((await delivery()).delivery_status, 'delivered');
    const { data } = await readInbox();
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

  test('has an undelivered event if the inbox always fails; later it can be redelivered', async () => {
    const { caller, readInbox, setAnswer, url } = await givenInbox();
    const webhook = await fixture.register(caller, url);
    await setAnswer({ status: 410 });
    await fixture.triggerEvent(caller);
    await fixture.exhaustRetries();
    const [{ id }] = await fixture.undelivered(caller);
    assert.equal((await readInbox()).data.length, 7, 'a ping and six attempts');
    await setAnswer({ status: 204 });
    const since = { since: webhook.created_at };
    const { json } = await caller.call('POST', `/v1/webhooks/${webhook.id}/redeliver`, since);
    assert.deepEqual(json, { count: 1, has_more: false });
    await fixture.deliverPending();
    assert.deepEqual(await fixture.undelivered(caller), []);
    const [newest] = (await readInbox()).data;
    assert.deepEqual([newest.event_id, newest.status], [id, 204]);
  });

  test('times out if the inbox answers too late', async () => {
    const { caller, setAnswer, url } = await givenInbox();
    await fixture.register(caller, url);
    await setAnswer({ status: 200, times: 1, delay: '3s' });
    await fixture.triggerEvent(caller);
    const [{ id }] = await fixture.eventsOf(caller);
    const { attempts } = await fixture.eventOf(caller, id);
    assert.equal(attempts[0].failure, 'The receiver did not answer in time.');
  });
});
