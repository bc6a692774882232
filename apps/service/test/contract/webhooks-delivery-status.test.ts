/** How often and with which outcome events were sent, in the list and in the single event (contract §4, §6). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../../../scripts/servers/server.ts';
import type { Json } from '../delivery-fixture.ts';
import type { OrgClient } from '../test-service.ts';
import {
  dayMs,
  openWebhookFixture,
  respondOk,
  respondUnavailable,
  type WebhookFixture,
} from '../webhook-fixture.ts';

describe('the delivery status of events', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  const redeliver = async (
    caller: OrgClient,
    eventId: string,
    body: object = {},
  ): Promise<void> => {
    const { status, text } = await caller.call('POST', `/v1/events/${eventId}/redeliver`, body);
    assert.equal(status, 202, text);
  };
  const newestId = async (caller: OrgClient): Promise<string> =>
    (await fixture.eventsOf(caller))[0].id;
  /** The number of each attempt, and whether it belongs to a redelivery. */
  const attemptsOf = async (caller: OrgClient, id: string): Promise<[number, boolean][]> =>
    (await fixture.eventOf(caller, id)).attempts.map(({ number, redelivery }: Json) => [
      number,
      redelivery,
    ]);
  /** The only webhook of an event, as the list and the single event show it. */
  const shownDelivery = async (caller: OrgClient, id: string): Promise<Json> => {
    const listed = (await fixture.eventsOf(caller)).find((event) => event.id === id);
    const { webhooks } = await fixture.eventOf(caller, id);
    assert.deepEqual(listed?.webhooks, webhooks, 'the list and the single event agree');
    assert.equal(webhooks.length, 1);
    return webhooks[0];
  };
  const range = (from: number, to: number, redelivery: boolean): [number, boolean][] =>
    Array.from({ length: to - from + 1 }, (_, i) => [from + i, redelivery]);

  describe('contract §4: GET /v1/events', () => {
    test('each event has its webhooks, each with its status, its attempts and the next one', async () => {
      const caller = await fixture.service.givenOrganization();
      await fixture.triggerEvent(caller, 'Before any webhook');
      const [good, failing] = [await fixture.receiver(), await fixture.receiver()];
      const ofGood = await fixture.register(caller, good.url);
      const ofFailing = await fixture.register(caller, failing.url, {
        event_type: 'release.created',
      });
      failing.respondWith(respondUnavailable);
      await fixture.triggerEvent(caller, 'Given up by one');
      await fixture.exhaustRetries();
      await fixture.triggerEvent(caller, 'Pending at one');

      const [pending, undelivered, unsent] = await fixture.eventsOf(caller);
      assert.deepEqual(unsent.webhooks, [], 'no webhook was registered then');
      const delivered = {
        webhook_id: ofGood.id,
        delivery_status: 'delivered',
        attempts: 1,
        next_attempt_at: null,
      };
      assert.deepEqual(undelivered.webhooks, [
        delivered,
        {
          webhook_id: ofFailing.id,
          delivery_status: 'undelivered',
          attempts: 6,
          next_attempt_at: null,
        },
      ]);
      const { next_attempt_at: at, ...rest } = pending.webhooks[1];
      assert.deepEqual(pending.webhooks[0], delivered);
      assert.deepEqual(rest, {
        webhook_id: ofFailing.id,
        delivery_status: 'pending',
        attempts: 1,
      });
      const waitMs = Date.parse(at) - fixture.service.clock.now().getTime();
      assert.ok(waitMs >= 4_000 && waitMs <= 6_000, `${waitMs} ms`);
    });

    test('with every filter and on every page', async () => {
      const { caller, receiver, webhook } = await fixture.givenWebhook();
      receiver.respondWith(respondUnavailable);
      for (let i = 0; i < 3; i++) await fixture.triggerEvent(caller, `T${i}`);
      await fixture.exhaustRetries();
      const statusesAt = async (path: string): Promise<string[]> => {
        const found: string[] = [];
        for (let cursor = ''; ;) {
          const { json } = await caller.call('GET', `/v1/events?limit=2${path}${cursor}`);
          for (const { webhooks } of json.data) {
            assert.equal(webhooks[0].webhook_id, webhook.id);
            found.push(`${webhooks[0].delivery_status} ${webhooks[0].attempts}`);
          }
          if (json.next_cursor === null) return found;
          cursor = `&cursor=${json.next_cursor}`;
        }
      };
      const expected = Array.from({ length: 3 }, () => 'undelivered 6');
      const byType = '&type=release.created';
      for (const path of ['', '&after=0', byType, '&delivery_status=undelivered']) {
        assert.deepEqual(await statusesAt(path), expected, path);
      }
    });

    test('a deleted webhook is left out, as in the filter delivery_status; another organization’s never appears', async () => {
      const { caller, webhook } = await fixture.givenWebhook();
      const { webhook: other } = await fixture.givenWebhook();
      const second = await fixture.register(caller, (await fixture.receiver()).url);
      await fixture.triggerEvent(caller);
      const webhookIds = async () =>
        (await fixture.eventsOf(caller))[0].webhooks.map(({ webhook_id }: Json) => webhook_id);
      assert.deepEqual(await webhookIds(), [webhook.id, second.id]);
      await caller.call('DELETE', `/v1/webhooks/${webhook.id}`);
      assert.deepEqual(await webhookIds(), [second.id]);
      assert.ok(!(await webhookIds()).includes(other.id));
    });
  });

  describe('contract §6: attempts after a redelivery', () => {
    test('are counted on: six failures and one success are seven attempts', async () => {
      const { caller, receiver } = await fixture.givenWebhook();
      receiver.respondWith(respondUnavailable);
      await fixture.triggerEvent(caller);
      await fixture.exhaustRetries();
      const id = await newestId(caller);
      assert.deepEqual(await attemptsOf(caller, id), range(1, 6, false));
      receiver.respondWith(respondOk);
      await redeliver(caller, id);
      const requested = await shownDelivery(caller, id);
      assert.deepEqual([requested.delivery_status, requested.attempts], ['pending', 6]);
      await fixture.deliverPending();
      assert.deepEqual(await attemptsOf(caller, id), [...range(1, 6, false), [7, true]]);
      const delivered = await shownDelivery(caller, id);
      assert.deepEqual([delivered.delivery_status, delivered.attempts], ['delivered', 7]);
    });

    test('that fail too: six more, with the same waits, then undelivered again; each redelivery counts on', async () => {
      const { caller, receiver } = await fixture.givenWebhook();
      receiver.respondWith(respondUnavailable);
      await fixture.triggerEvent(caller);
      await fixture.exhaustRetries();
      const id = await newestId(caller);
      for (const total of [12, 18]) {
        await redeliver(caller, id);
        await fixture.deliverPending();
        const { attempts } = await fixture.eventOf(caller, id);
        const { created_at: at, next_retry_at: retryAt } = attempts.at(-1);
        const waitMs = Date.parse(retryAt) - Date.parse(at);
        assert.ok(waitMs >= 4_000 && waitMs <= 6_000, `the first retry again: ${waitMs} ms`);
        await fixture.exhaustRetries();
        const { delivery_status, attempts: count } = await shownDelivery(caller, id);
        assert.deepEqual([delivery_status, count], ['undelivered', total]);
      }
      assert.deepEqual(await attemptsOf(caller, id), [
        ...range(1, 6, false),
        ...range(7, 18, true),
      ]);
      await fixture.advanceTime(dayMs);
      assert.equal(receiver.events().length, 18);
    });

    test('of everything since a time are counted in the same way', async () => {
      const { caller, receiver, webhook } = await fixture.givenWebhook();
      receiver.respondWith(respondUnavailable);
      await fixture.triggerEvent(caller);
      await fixture.exhaustRetries();
      receiver.respondWith(respondOk);
      const path = `/v1/webhooks/${webhook.id}/redeliver`;
      const { status } = await caller.call('POST', path, { since: webhook.created_at });
      assert.equal(status, 202);
      await fixture.deliverPending();
      const id = await newestId(caller);
      assert.equal((await shownDelivery(caller, id)).attempts, 7);
      assert.deepEqual((await attemptsOf(caller, id)).at(-1), [7, true]);
    });

    test('a retry that is waiting is sent at once instead, and the attempts before it count', async () => {
      const { caller, receiver } = await fixture.givenWebhook();
      receiver.respondWith(respondUnavailable);
      await fixture.triggerEvent(caller);
      await fixture.advanceTime(10_000);
      const id = await newestId(caller);
      assert.equal((await shownDelivery(caller, id)).attempts, 2);
      await redeliver(caller, id);
      await fixture.deliverPending();
      assert.deepEqual(await attemptsOf(caller, id), [...range(1, 2, false), [3, true]]);
      await fixture.exhaustRetries();
      assert.equal(receiver.events().length, 8, 'two, and six of the redelivery');
      assert.equal((await shownDelivery(caller, id)).attempts, 8);
    });

    test('an event that a webhook never got begins with 1, as a redelivery', async () => {
      const caller = await fixture.service.givenOrganization();
      await fixture.triggerEvent(caller);
      const id = await newestId(caller);
      const { id: webhook_id } = await fixture.register(caller, (await fixture.receiver()).url);
      await redeliver(caller, id, { webhook_id });
      await fixture.deliverPending();
      assert.deepEqual(await attemptsOf(caller, id), [[1, true]]);
      assert.equal((await shownDelivery(caller, id)).attempts, 1);
    });

    for (const [outcome, status] of [
      ['fails', 503],
      ['succeeds', 200],
    ] as const) {
      test(`a redelivery that is requested while an attempt is in flight, which ${outcome}: both are made and counted`, async () => {
        const { caller, receiver } = await fixture.givenWebhook();
        receiver.respondWith(respondUnavailable);
        await fixture.triggerEvent(caller);
        await fixture.advanceTime(10_000);
        const id = await newestId(caller);
        assert.equal(receiver.events().length, 2);

        receiver.respondWith(() => ({ status, delayMs: 1_000 }));
        const sending = fixture.advanceTime(600_000);
        await until('the third is in flight', () => receiver.events().length === 3);
        receiver.respondWith(respondUnavailable);
        await redeliver(caller, id);
        await sending;

        const { attempts } = await fixture.eventOf(caller, id);
        assert.deepEqual(
          attempts.map(({ number, redelivery, status_code }: Json) => [
            number,
            redelivery,
            status_code,
          ]),
          [
            [1, false, 503],
            [2, false, 503],
            [3, false, status],
            [4, true, 503],
          ],
        );
        assert.equal(new Set(attempts.map((each: Json) => each.id)).size, 4);
        assert.equal(
          attempts[2].next_retry_at,
          fixture.service.clock.now().toISOString(),
          'the next attempt was due at once',
        );
        const shown = await shownDelivery(caller, id);
        assert.deepEqual([shown.delivery_status, shown.attempts], ['pending', 4]);
        await fixture.exhaustRetries();
        assert.equal(receiver.events().length, 9, 'three, and six of the redelivery');
        assert.equal((await shownDelivery(caller, id)).attempts, 9);
      });
    }
  });
});
