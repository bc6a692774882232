/** Webhooks as a partner uses them: only over HTTP, with a real engine, a relay and a worker. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import type { Json } from '../delivery-fixture.ts';
import { openFullStack } from '../full-stack.ts';
import { isSigned, isSignedByStandard, openReceiver } from '../receiver.ts';
import { type Partner, partnerOf } from '../sandbox-partner.ts';
import { draft } from '../test-service.ts';

describe('webhooks', () => {
  let stack: Awaited<ReturnType<typeof openFullStack>>;
  before(async () => {
    stack = await openFullStack(27_380);
    await stack.service.admin('stores', 'seed');
  });
  after(() => stack.close());

  const newPartner = async () => partnerOf(stack.service, await stack.service.givenOrganization());

  test('registered, pinged and verified; then signed events arrive', async () => {
    const receiver = await openReceiver();
    const partner = await newPartner();
    const webhook = await partner.ask('POST', '/v1/webhooks', {
      url: receiver.url,
      event_type: ['release.created'],
    });
    assert.equal(webhook.status, 'verified');
    assert.equal(receiver.all.length, 1);
    assert.equal(receiver.all[0]?.json.type, 'ping');
    const release = await partner.ask('POST', '/v1/releases', draft());
    await until('the event has arrived', async () => receiver.events().length > 0);
    const [event] = receiver.events();
    assert.ok(event);
    assert.equal(event.json.data.id, release.id);
    assert.ok(receiver.all.every((each) => isSigned(each, webhook.secret)));
    assert.ok(receiver.all.every((each) => isSignedByStandard(each, webhook.secret)));
    let shown: Json;
    const isRecorded = async () => {
      shown = await partner.ask('GET', `/v1/events/${event.json.id}`);
      return shown.webhooks[0].delivery_status === 'delivered';
    };
    await until('its delivery is recorded', isRecorded);
    assert.deepEqual(
      shown.attempts.map(({ number, status_code }: Record<string, number>) => [
        number,
        status_code,
      ]),
      [[1, 200]],
    );
    await receiver.close();
  });

  test('contract §6: five retries in business time, then undelivered; then redelivered on request', async () => {
    const receiver = await openReceiver();
    const partner = await newPartner();
    await partner.setMode('manual');
    const webhook = await partner.ask('POST', '/v1/webhooks', {
      url: receiver.url,
      event_type: 'release.created',
    });
    receiver.respondWith(() => ({ status: 503, body: 'away' }));
    await partner.ask('POST', '/v1/releases', draft());
    await until('the first attempt was made', async () => receiver.events().length === 1);
    await partner.advance({ by: '1d' });
    assert.equal(receiver.events().length, 6, 'the first and five retries');
    const { id } = receiver.events()[0]?.json ?? {};
    const failed = await partner.ask('GET', `/v1/events/${id}`);
    assert.equal(failed.webhooks[0].delivery_status, 'undelivered');
    const times = failed.attempts.map(({ created_at }: { created_at: string }) =>
      Date.parse(created_at),
    );
    const gaps = times.slice(1).map((time: number, i: number) => (time - times[i]) / 1_000);
    for (const [i, base] of [5, 300, 1_800, 7_200, 18_000].entries()) {
      assert.ok(gaps[i] >= base * 0.8 && gaps[i] <= base * 1.2, `retry ${i + 1}: ${gaps[i]} s`);
    }
    const list = await partner.ask('GET', '/v1/events?delivery_status=undelivered');
    assert.equal(list.data.length, 1);
    receiver.respondWith(() => ({ status: 200 }));
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const { count } = await partner.ask('POST', `/v1/webhooks/${webhook.id}/redeliver`, { since });
    assert.equal(count, 1);
    await until('it has arrived', async () => receiver.events().length === 7);
    await receiver.close();
  });

  /** A webhook to the partner's inbox, for partners without a public URL. */
  const givenInbox = async () => {
    const partner = await newPartner();
    const { url } = await partner.ask('GET', '/v1/sandbox/inbox');
    const webhook = await partner.ask('POST', '/v1/webhooks', {
      url,
      event_type: 'release.created',
    });
    assert.equal(webhook.status, 'verified');
    return {
      partner,
      webhook,
      setAnswer: (answer: object) => partner.ask('POST', '/v1/sandbox/inbox', answer),
      messages: async (): Promise<Json[]> => (await partner.ask('GET', '/v1/sandbox/inbox')).data,
    };
  };
  const newestEvent = async ({ ask }: Partner): Promise<Json> => {
    const { data } = await ask('GET', '/v1/events?limit=1');
    return data.length === 0 ? undefined : ask('GET', `/v1/events/${data[0].id}`);
  };

  test('the inbox as a receiver: events arrive there, fail as configured, and are retried', async () => {
    const { partner, webhook, setAnswer, messages } = await givenInbox();
    await partner.setMode('manual');
    await setAnswer({ status: 503, times: 2 });
    await partner.ask('POST', '/v1/releases', draft());
    await until('it was tried', async () => (await messages()).length === 2);
    await partner.advance({ by: '1h' });
    const all = await messages();
    assert.deepEqual(
      all.map(({ event_type, status }) => [event_type, status]),
      [
        ['release.created', 200],
        ['release.created', 503],
        ['release.created', 503],
        ['ping', 200],
      ],
    );
    for (const { headers, body } of all) {
      const received = { path: '', headers, body: Buffer.from(body), json: undefined, at: 0 };
      assert.ok(isSigned(received, webhook.secret) && isSignedByStandard(received, webhook.secret));
    }
    const event = await newestEvent(partner);
    assert.equal(event.webhooks[0].delivery_status, 'delivered');
    assert.deepEqual(
      event.attempts.map(({ status_code }: Json) => status_code),
      [503, 503, 200],
    );
  });

  test('spec §6.4, §8: a receiver has 30 seconds to answer; contract §6: a slow one does not delay others', async () => {
    const [slow, tooSlow] = await Promise.all([givenInbox(), givenInbox()]);
    await slow.setAnswer({ status: 200, times: 1, delay: '26s' });
    await tooSlow.setAnswer({ status: 200, times: 1, delay: '34s' });
    const fast = await openReceiver();
    await tooSlow.partner.ask('POST', '/v1/webhooks', { url: fast.url, event_type: '*' });
    const startedAt = Date.now();
    await Promise.all(
      [slow, tooSlow].map(({ partner }) => partner.ask('POST', '/v1/releases', draft())),
    );
    await until('the fast receiver has the event', async () => fast.events().length === 1);
    const findAttempt = async ({ partner, webhook }: typeof slow): Promise<Json> => {
      const event = await newestEvent(partner);
      return event?.attempts.find(({ webhook_id }: Json) => webhook_id === webhook.id);
    };
    assert.equal(await findAttempt(tooSlow), undefined, 'while the slow receiver has not answered');
    const outcomes: Json[] = [];
    for (const each of [slow, tooSlow]) {
      await until('the attempt is recorded', async () => (await findAttempt(each)) !== undefined);
      outcomes.push(await findAttempt(each));
    }
    const [answered, late] = outcomes;
    assert.equal(answered.status_code, 200);
    assert.ok(answered.duration_ms >= 25_500, `${answered.duration_ms} ms`);
    assert.deepEqual(
      [late.status_code, late.failure],
      [null, 'The receiver did not answer in time.'],
    );
    assert.ok(late.duration_ms >= 29_500 && late.duration_ms < 33_900, `${late.duration_ms} ms`);
    assert.ok(Date.now() - startedAt < 120_000);
    await fast.close();
  });
});
