/** The events that a request caused, and the attempts to send them (contract §4). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toUuid } from '../../src/kernel/ids.ts';
import { draft, type OrgClient } from '../test-service.ts';
import {
  openWebhookFixture,
  respondOk,
  respondUnavailable,
  type WebhookFixture,
} from '../webhook-fixture.ts';

describe('the events of a request', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  const inspect = async ({ call }: OrgClient, id: string | null) => {
    await fixture.service.flushRequests();
    const { status, json, text } = await call('GET', `/v1/requests/${id}`);
    assert.equal(status, 200, text);
    return json;
  };

  test('contract §4: a request shows each attempt to send its events, failed and succeeded', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    receiver.respondWith(respondUnavailable);
    const created = await caller.call('POST', '/v1/releases', draft());
    const requestId = created.headers.get('x-request-id');
    const { events: unsent } = await inspect(caller, requestId);
    assert.deepEqual(unsent, [], 'the event has no sequence yet');
    await fixture.deliverPending();
    receiver.respondWith(respondOk);
    await fixture.advanceTime(10_000);

    const { events } = await inspect(caller, requestId);
    assert.equal(events.length, 1);
    const [event] = events;
    assert.equal(event.type, 'release.created');
    assert.deepEqual(
      event.attempts.map((attempt: { status_code: number }) => attempt.status_code),
      [503, 200],
    );
    assert.deepEqual(
      event.webhooks.map((each: { webhook_id: string; delivery_status: string }) => [
        each.webhook_id,
        each.delivery_status,
      ]),
      [[webhook.id, 'delivered']],
    );
    const { json } = await caller.call('GET', `/v1/events/${event.id}`);
    assert.deepEqual(event.attempts, json.attempts);
  });

  test('an event that a workflow announces later belongs to no request', async () => {
    const { service } = fixture;
    const caller = await service.givenOrganization();
    await service.admin('stores', 'seed');
    const release_id = await service.givenSubmittedRelease(caller);
    const plan = { release_id, stores: ['aurora'], territory_codes: ['DE'] };
    const delivery = await caller.call('POST', '/v1/deliveries', plan);
    assert.equal(delivery.status, 201, delivery.text);
    await fixture.deliverPending();
    const rows = await service.query(
      'select type, request_id from events where org_id = (select org_id from releases where id = $1)',
      [toUuid(release_id)],
    );
    const typesOf = (isCaused: boolean) =>
      new Set(rows.filter((row) => (row.request_id !== null) === isCaused).map(({ type }) => type));
    assert.deepEqual(typesOf(true), new Set(['release.created', 'release.status.changed']));
    assert.ok(typesOf(false).has('delivery.store.updated'));
  });

  test('at most 100 events are shown, and events_have_more says that there are others', async () => {
    const { service } = fixture;
    const caller = await service.givenOrganization();
    const created = await caller.call('POST', '/v1/releases', draft());
    const requestId = created.headers.get('x-request-id');
    await service.sequenceEvents();
    // As if the same request had appended 120 events more.
    await service.query(
      `insert into events (org_id, id, type, data, created_at, sequence, request_id)
       select org_id, uuid7_floor(uuid_extract_timestamp(id) + n * interval '1 ms'),
              type, data, now(), 100 + n, request_id
         from events, generate_series(1, 120) n
        where data ->> 'id' = $1`,
      [created.json.id],
    );
    const { events, events_have_more } = await inspect(caller, requestId);
    assert.equal(events.length, 100);
    assert.equal(events_have_more, true);
  });
});
