/** Redelivery on request (spec §6.5, contract §4, §8): one event, or everything undelivered since a time. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type OrgId, toUuid } from '../../src/kernel/ids.ts';
import type { Json } from '../delivery-fixture.ts';
import type { Receiver } from '../receiver.ts';
import type { OrgClient } from '../test-service.ts';
import {
  respondUnavailable,
  dayMs,
  envelopeOf,
  unreachableUrl,
  openWebhookFixture,
  respondOk,
  type WebhookFixture,
} from '../webhook-fixture.ts';

const unknownWebhook = 'wh_01h455vb4pex5vsknk084sn02q';
const unknownEvent = 'evt_01h455vb4pex5vsknk084sn02q';

describe('redelivery', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  const redeliver = async (
    caller: OrgClient,
    eventId: string,
    body: object = {},
  ): Promise<number> => {
    const { status, json } = await caller.call('POST', `/v1/events/${eventId}/redeliver`, body);
    assert.equal(status, 202);
    assert.deepEqual(Object.keys(json), ['count']);
    await fixture.deliverPending();
    return json.count;
  };
  const redeliverSince = async (
    caller: OrgClient,
    { id }: Json,
    since: string,
  ): Promise<number> => {
    const { status, json } = await caller.call('POST', `/v1/webhooks/${id}/redeliver`, { since });
    assert.equal(status, 202);
    await fixture.deliverPending();
    return json.count;
  };
  const idsOf = (events: readonly Json[]): string[] => events.map(({ id }) => id);
  const onlyId = ({ events }: Pick<Receiver, 'events'>): string => {
    const [id, ...more] = events().map(({ json }): string => json.id);
    assert.ok(id !== undefined && more.length === 0);
    return id;
  };
  const receivedIds = (receiver: Pick<Receiver, 'events'>): string[] =>
    receiver.events().map(({ json }) => json.id);
  const now = () => fixture.service.clock.now().toISOString();

  /** A webhook with `count` undelivered events, oldest first, one per minute; its receiver works again. */
  const givenUndelivered = async (count: number) => {
    const created = await fixture.givenWebhook();
    created.receiver.respondWith(respondUnavailable);
    for (let i = 0; i < count; i++) {
      await fixture.triggerEvent(created.caller, `T${i}`);
      await fixture.advanceTime(60_000);
    }
    await fixture.exhaustRetries();
    created.receiver.respondWith(respondOk);
    const events = (await fixture.undelivered(created.caller)).toReversed();
    assert.equal(events.length, count);
    const sent = created.receiver.events().length;
    const redelivered = () => receivedIds(created.receiver).slice(sent);
    return { ...created, events, redelivered };
  };

  describe('of one event', () => {
    test('spec §6.5: an undelivered event is sent with its own id, as a new attempt', async () => {
      const { caller, receiver, events, redelivered } = await givenUndelivered(2);
      const [{ id }] = events as [Json];
      assert.equal(await redeliver(caller, id), 1);
      assert.deepEqual(redelivered(), [id]);
      const { webhooks, attempts } = await fixture.eventOf(caller, id);
      assert.deepEqual([webhooks[0].delivery_status, webhooks[0].attempts], ['delivered', 7]);
      assert.equal(attempts.length, 7, 'the history of its attempts stays');
      assert.equal(attempts.at(-1).id, receiver.events().at(-1)?.headers['x-svc-delivery']);
      assert.deepEqual(idsOf(await fixture.undelivered(caller)), idsOf(events.slice(1)));
    });

    test('spec §6.4: it gets six more attempts', async () => {
      const { caller, receiver, events, redelivered } = await givenUndelivered(1);
      receiver.respondWith(respondUnavailable);
      const [{ id }] = events as [Json];
      assert.equal(await redeliver(caller, id), 1);
      await fixture.exhaustRetries();
      assert.equal(redelivered().length, 6);
      assert.deepEqual(idsOf(await fixture.undelivered(caller)), [id]);
    });

    test('contract §4: a delivered event is sent again; a pending one is sent at once', async () => {
      const { caller, receiver } = await fixture.givenWebhook();
      await fixture.triggerEvent(caller);
      const id = onlyId(receiver);
      assert.equal(await redeliver(caller, id), 1);
      assert.deepEqual(
        receivedIds(receiver),
        [id, id],
        'the same event id, by which consumers recognize it',
      );
      receiver.respondWith(respondUnavailable);
      await fixture.triggerEvent(caller);
      const [pending] = await fixture.eventsOf(caller);
      receiver.respondWith(respondOk);
      assert.equal(await redeliver(caller, pending.id), 1);
      assert.equal(receiver.events().length, 4);
      await fixture.exhaustRetries();
      assert.equal(receiver.events().length, 4, 'the earlier retry is not made');
    });

    test('contract §4: without webhook_id to all webhooks that had it, with webhook_id to that one', async () => {
      const { caller, receiver, webhook } = await fixture.givenWebhook();
      const [second, third] = [await fixture.receiver(), await fixture.receiver()];
      await fixture.register(caller, second.url);
      await fixture.triggerEvent(caller);
      await fixture.register(caller, third.url);
      const id = onlyId(receiver);
      const counts = () => [receiver, second, third].map((each) => each.events().length);
      assert.deepEqual(counts(), [1, 1, 0]);
      assert.equal(await redeliver(caller, id), 2);
      assert.deepEqual(counts(), [2, 2, 0]);
      assert.equal(await redeliver(caller, id, { webhook_id: webhook.id }), 1);
      assert.deepEqual(counts(), [3, 2, 0]);
    });

    test('contract §4: webhook_id may name a webhook that was registered later or for other types', async () => {
      const caller = await fixture.service.givenOrganization();
      await fixture.triggerEvent(caller);
      const [event] = await fixture.eventsOf(caller);
      assert.equal(await redeliver(caller, event.id), 0, 'no webhook delivery');
      const receiver = await fixture.receiver();
      const { id: webhook_id } = await fixture.register(caller, receiver.url, {
        event_type: 'asset.ready',
      });
      assert.equal(await redeliver(caller, event.id, { webhook_id }), 1);
      assert.deepEqual(
        receiver.events().map(({ json }) => json),
        [envelopeOf(event)],
      );
    });

    test('contract §1, §7: an unknown webhook → invalid_field; one of another organization gets the same answer', async () => {
      const { caller } = await fixture.givenWebhook();
      await fixture.triggerEvent(caller);
      const [{ id }] = await fixture.eventsOf(caller);
      const { webhook: foreign } = await fixture.givenWebhook();
      const expected = [422, 'invalid_field', 'webhook_id'] as const;
      const texts: string[] = [];
      for (const webhook_id of [unknownWebhook, foreign.id]) {
        const reply = await fixture.expectRefusal(
          caller,
          expected,
          'POST',
          `/v1/events/${id}/redeliver`,
          {
            webhook_id,
          },
        );
        texts.push(reply.text.replaceAll(/req_\w{26}/g, ''));
      }
      assert.equal(texts[0], texts[1]);
      for (const webhook_id of ['x', id, 7]) {
        const body = { webhook_id };
        await fixture.expectRefusal(caller, expected, 'POST', `/v1/events/${id}/redeliver`, body);
      }
      const unknown = [422, 'unknown_field', 'webhook'] as const;
      const path = `/v1/events/${id}/redeliver`;
      await fixture.expectRefusal(caller, unknown, 'POST', path, { webhook: foreign.id });
    });

    test('contract §3: an unverified webhook → 409 invalid_state', async () => {
      const { caller } = await fixture.givenWebhook();
      const { id: webhook_id } = await fixture.register(caller, unreachableUrl);
      await fixture.triggerEvent(caller);
      const [{ id }] = await fixture.eventsOf(caller);
      const path = `/v1/events/${id}/redeliver`;
      await fixture.expectRefusal(caller, [409, 'invalid_state'], 'POST', path, { webhook_id });
    });

    test('contract §7: an unknown event → 404', async () => {
      const { caller } = await fixture.givenWebhook();
      for (const id of [unknownEvent, 'evt_1', unknownWebhook]) {
        const path = `/v1/events/${id}/redeliver`;
        await fixture.expectRefusal(caller, [404, 'resource_not_found'], 'POST', path, {});
      }
    });
  });

  describe('since a time', () => {
    test('spec §6.5: everything undelivered since then, and nothing else', async () => {
      const { caller, webhook, events, redelivered } = await givenUndelivered(3);
      await fixture.triggerEvent(caller, 'Delivered at once');
      const sent = redelivered().length;
      const [, second] = events as [Json, Json];
      assert.equal(await redeliverSince(caller, webhook, second.created_at), 2);
      assert.deepEqual(redelivered().slice(sent).toSorted(), idsOf(events.slice(1)).toSorted());
      assert.deepEqual(idsOf(await fixture.undelivered(caller)), idsOf(events.slice(0, 1)));
      assert.equal(await redeliverSince(caller, webhook, second.created_at), 0, 'none remains');
      assert.equal(await redeliverSince(caller, webhook, '1970-01-01T00:00:00Z'), 1);
    });

    test('a time in the future, and one long ago', async () => {
      const { caller, webhook, redelivered } = await givenUndelivered(1);
      assert.equal(await redeliverSince(caller, webhook, '2999-01-01T00:00:00Z'), 0);
      assert.deepEqual(redelivered(), []);
      assert.equal(await redeliverSince(caller, webhook, '1969-12-31T23:59:59Z'), 1);
    });

    test('a time in another time zone', async () => {
      const { caller, webhook, events } = await givenUndelivered(2);
      const [, second] = events as [Json, Json];
      const localTime = new Date(Date.parse(second.created_at) + 2 * 3_600_000).toISOString();
      const since = localTime.replace('Z', '+02:00');
      assert.equal(await redeliverSince(caller, webhook, since), 1);
    });

    test('only to that webhook', async () => {
      const { caller, receiver, webhook } = await fixture.givenWebhook();
      const other = await fixture.receiver();
      await fixture.register(caller, other.url);
      for (const each of [receiver, other]) each.respondWith(respondUnavailable);
      await fixture.triggerEvent(caller);
      await fixture.exhaustRetries();
      for (const each of [receiver, other]) each.respondWith(respondOk);
      assert.equal(await redeliverSince(caller, webhook, webhook.created_at), 1);
      assert.deepEqual([receiver.events().length, other.events().length], [7, 6]);
    });

    for (const [what, body, code, field] of [
      ['missing', {}, 'missing_required_field', 'since'],
      ['not a time', { since: 'yesterday' }, 'invalid_field', 'since'],
      ['a date', { since: '2026-11-16' }, 'invalid_field', 'since'],
      ['not a date of the calendar', { since: '2026-02-30T00:00:00Z' }, 'invalid_field', 'since'],
      ['a number', { since: 1_700_000_000 }, 'invalid_field', 'since'],
      ['sent with an unknown field', { since: '2026-11-16T00:00:00Z', x: 1 }, 'unknown_field', 'x'],
    ] as const) {
      test(`contract §7: since is ${what} → ${code}`, async () => {
        const { caller, webhook } = await fixture.givenWebhook();
        const path = `/v1/webhooks/${webhook.id}/redeliver`;
        await fixture.expectRefusal(caller, [422, code, field], 'POST', path, body);
      });
    }

    test('contract §3, §7: an unverified webhook → 409 invalid_state; an unknown one → 404', async () => {
      const caller = await fixture.service.givenOrganization();
      const { id } = await fixture.register(caller, unreachableUrl);
      const body = { since: now() };
      const path = `/v1/webhooks/${id}/redeliver`;
      await fixture.expectRefusal(caller, [409, 'invalid_state'], 'POST', path, body);
      const unknown = `/v1/webhooks/${unknownWebhook}/redeliver`;
      await fixture.expectRefusal(caller, [404, 'resource_not_found'], 'POST', unknown, body);
    });
  });

  test('contract §4: of more than 10,000 events has_more is true, and the same request continues', async () => {
    const other = await openWebhookFixture(new Date().toISOString());
    const { caller, webhook } = await other.givenWebhook();
    await other.service.query(
      `with new_events as (
         insert into events (org_id, id, type, data, created_at, sequence)
         select $1, uuidv7(), 'release.created', '{}', $2, i from generate_series(1, 10001) i returning id
       )
       insert into webhook_deliveries (org_id, event_id, webhook_id, status, attempt_id)
       select $1, id, $3, 'undelivered', uuidv7() from new_events`,
      [toUuid(caller.orgId as OrgId), webhook.created_at, toUuid(webhook.id)],
    );
    const redeliverAll = async () => {
      const path = `/v1/webhooks/${webhook.id}/redeliver`;
      const { status, json } = await caller.call('POST', path, { since: webhook.created_at });
      assert.equal(status, 202);
      return json;
    };
    assert.deepEqual(await redeliverAll(), { count: 10_000, has_more: true });
    assert.deepEqual(await redeliverAll(), { count: 1, has_more: false });
    assert.deepEqual(await redeliverAll(), { count: 0, has_more: false });
    await other.close();
  });

  test('contract §8: a replay sends nothing twice; each request is audited', async () => {
    const { caller, webhook, events, redelivered } = await givenUndelivered(2);
    const [{ id }] = events as [Json];
    const requests: readonly (readonly [string, object])[] = [
      [`/v1/events/${id}/redeliver`, {}],
      [`/v1/webhooks/${webhook.id}/redeliver`, { since: webhook.created_at }],
    ];
    for (const [path, body] of requests) {
      const key = { 'idempotency-key': randomUUID() };
      const first = await caller.call('POST', path, body, key);
      await fixture.deliverPending();
      const second = await caller.call('POST', path, body, key);
      await fixture.deliverPending();
      assert.deepEqual([first.status, second.status, second.text], [202, 202, first.text]);
    }
    assert.deepEqual(redelivered().toSorted(), idsOf(events).toSorted());
    const audited = await fixture.service.query(
      `select action, audited_id from audit where action like '%.redeliver' and audited_id = any($1) order by id`,
      [[id, webhook.id]],
    );
    assert.deepEqual(audited, [
      { action: 'event.redeliver', audited_id: id },
      { action: 'webhook.redeliver', audited_id: webhook.id },
    ]);
    await fixture.advanceTime(dayMs);
    assert.equal(redelivered().length, 2);
  });

  for (const what of ['deleted', 'unverified'] as const) {
    test(`contract §4: a webhook that is ${what} is not counted, and its webhook deliveries stay delivered`, async () => {
      const { caller, receiver, webhook } = await fixture.givenWebhook();
      await fixture.triggerEvent(caller);
      const id = onlyId(receiver);
      const path = `/v1/webhooks/${webhook.id}`;
      await (what === 'deleted'
        ? caller.call('DELETE', path)
        : caller.call('PATCH', path, { url: unreachableUrl }));
      assert.equal(await redeliver(caller, id), 0);
      const { webhooks } = await fixture.eventOf(caller, id);
      assert.equal(webhooks[0].delivery_status, 'delivered');
    });
  }
});
