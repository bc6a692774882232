/**
 * The history of events (spec §6.5, §6.6, contract §1, §2, §4): delivery status, filters, pages, 30 days of
 * retention.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { maintainPartitions } from '../../src/platform/db/partitions.ts';
import { codeOf, type Json } from '../delivery-fixture.ts';
import { type OrgClient, openTestService, completeDraft } from '../test-service.ts';
import {
  respondUnavailable,
  dayMs,
  envelopeOf,
  openWebhookFixture,
  respondOk,
  type WebhookFixture,
} from '../webhook-fixture.ts';

describe('the history of events', () => {
  let fixture: WebhookFixture;
  before(async () => {
    fixture = await openWebhookFixture();
  });
  after(() => fixture.close());

  test('contract §4: delivery_status counts only existing webhooks', async () => {
    const { caller, receiver, webhook } = await fixture.givenWebhook();
    await fixture.register(caller, (await fixture.receiver()).url);
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    await fixture.exhaustRetries();
    assert.equal((await fixture.undelivered(caller)).length, 1);
    await caller.call('DELETE', `/v1/webhooks/${webhook.id}`);
    assert.deepEqual(await fixture.undelivered(caller), []);
    assert.equal((await fixture.eventsOf(caller, '&delivery_status=delivered')).length, 1);
  });

  describe('contract §4: delivery_status', () => {
    let caller: OrgClient;
    let ids: Record<string, string>;
    /** Two webhooks, and one event for every combination of their delivery statuses. */
    before(async () => {
      caller = await fixture.service.givenOrganization();
      ids = {};
      const triggerNamedEvent = async (name: string) => {
        await fixture.triggerEvent(caller, name);
        ids[name] = (await fixture.eventsOf(caller))[0].id;
      };
      await triggerNamedEvent('without webhooks');
      const [first, second] = [await fixture.receiver(), await fixture.receiver()];
      for (const { url } of [first, second]) {
        await fixture.register(caller, url, { event_type: 'release.created' });
      }
      second.respondWith(respondUnavailable);
      await triggerNamedEvent('delivered and undelivered');
      first.respondWith(respondUnavailable);
      await triggerNamedEvent('undelivered twice');
      await fixture.exhaustRetries();
      first.respondWith(respondOk);
      await triggerNamedEvent('delivered and pending');
      second.respondWith(respondOk);
      await triggerNamedEvent('delivered twice');
    });

    const namesOf = async (query: string): Promise<readonly string[]> => {
      const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
      return (await fixture.eventsOf(caller, query)).map(({ id }) => names.get(id) ?? id);
    };

    test('pending: an attempt to one of its webhooks is due', async () => {
      assert.deepEqual(await namesOf('&delivery_status=pending'), ['delivered and pending']);
    });

    test('delivered: all of its webhooks have received it', async () => {
      assert.deepEqual(await namesOf('&delivery_status=delivered'), ['delivered twice']);
    });

    test('spec §6.5: undelivered: the retries are exhausted for one of its webhooks', async () => {
      assert.deepEqual(await namesOf('&delivery_status=undelivered'), [
        'undelivered twice',
        'delivered and undelivered',
      ]);
    });

    test('without the filter all events, also those without webhooks', async () => {
      assert.equal((await namesOf('')).length, 5);
    });

    test('contract §1: with after ascending, and together with type', async () => {
      assert.deepEqual(await namesOf('&delivery_status=undelivered&after=0'), [
        'delivered and undelivered',
        'undelivered twice',
      ]);
      assert.deepEqual(await namesOf('&delivery_status=undelivered&after=2'), [
        'undelivered twice',
      ]);
      assert.deepEqual(await namesOf('&delivery_status=undelivered&type=asset.ready'), []);
      assert.equal((await namesOf('&delivery_status=undelivered&type=release.created')).length, 2);
    });

    test('contract §1: in pages, whose cursor is bound to these filters and this organization', async () => {
      const path = '/v1/events?delivery_status=undelivered&limit=1';
      const first = await caller.call('GET', path);
      const { next_cursor: cursor } = first.json;
      assert.equal(first.json.has_more, true);
      const second = await caller.call('GET', `${path}&cursor=${cursor}`);
      assert.deepEqual(
        [first, second].flatMap(({ json }) => json.data.map(({ id }: Json) => id)),
        [ids['undelivered twice'], ids['delivered and undelivered']],
      );
      assert.deepEqual([second.json.has_more, second.json.next_cursor], [false, null]);
      const stranger = await fixture.service.givenOrganization();
      const forged = [
        await caller.call('GET', `/v1/events?delivery_status=pending&limit=1&cursor=${cursor}`),
        await caller.call('GET', `/v1/events?limit=1&cursor=${cursor}`),
        await caller.call('GET', `${path}&after=0&cursor=${cursor}`),
        await stranger.call('GET', `${path}&cursor=${cursor}`),
      ];
      for (const reply of forged) assert.deepEqual(codeOf(reply), [400, 'invalid_cursor']);
    });

    for (const query of [
      'delivery_status=failed',
      'delivery_status=',
      'delivery_status=pending&delivery_status=delivered',
      'after=1.5',
      'after=9007199254740992',
      'limit=0',
      'limit=101',
      'webhook_id=wh_01h455vb4pex5vsknk084sn02q',
    ]) {
      test(`contract §1, §7: ?${query} → 400 invalid_parameter`, async () => {
        const reply = await caller.call('GET', `/v1/events?${query}`);
        assert.deepEqual(codeOf(reply), [400, 'invalid_parameter']);
      });
    }
  });

  test('contract §2: sequences are gapless from 1 per organization, independent of other organizations', async () => {
    const [first, second] = await fixture.service.givenOrganizations(2);
    for (let i = 0; i < 5; i++) {
      for (const caller of [first, second]) await fixture.triggerEvent(caller!, `T${i}`);
    }
    for (const caller of [first, second]) {
      const sequences = (await fixture.eventsOf(caller!, '&after=0')).map(
        ({ sequence }) => sequence,
      );
      assert.deepEqual(sequences, [1, 2, 3, 4, 5]);
    }
  });

  test('contract §6: release.created and release.status.changed arrive with the data of the history', async () => {
    const { caller, receiver } = await fixture.givenWebhook({
      event_type: ['release.created', 'release.status.changed'],
    });
    const { json: release } = await caller.call('POST', '/v1/releases', completeDraft());
    await fixture.service.makeSubmittable(caller, release.id);
    await caller.call('POST', `/v1/releases/${release.id}/submit`);
    await fixture.deliverPending();
    const [created, changed] = receiver.events();
    assert.deepEqual(created?.json.data, release);
    const { release: sentRelease, ...change } = changed?.json.data ?? {};
    assert.deepEqual(change, {
      release_id: release.id,
      previous_status: 'draft',
      status: 'submitted',
    });
    assert.deepEqual([sentRelease.id, sentRelease.status], [release.id, 'submitted']);
    const listed = await fixture.eventsOf(caller, '&after=0');
    assert.deepEqual(
      receiver.events().map(({ json }) => json),
      listed.map(envelopeOf),
    );
  });

  test('contract §2: every event has its environment: live or sandbox', async () => {
    const live = await openTestService({ environment: 'live' });
    const caller = await live.givenOrganization();
    await caller.call('POST', '/v1/releases', completeDraft());
    await live.sequenceEvents();
    const { json } = await caller.call('GET', '/v1/events');
    const [{ id, environment, api_version }] = json.data;
    assert.deepEqual([environment, api_version], ['live', 'v1']);
    assert.equal((await caller.call('GET', `/v1/events/${id}`)).json.environment, 'live');
    await live.close();
  });

  test('contract §1: GET /v1/events/{id} has an ETag, which changes with its attempts', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    receiver.respondWith(respondUnavailable);
    await fixture.triggerEvent(caller);
    const path = `/v1/events/${receiver.events()[0]?.json.id}`;
    const first = await caller.call('GET', path);
    const condition = { 'if-none-match': first.headers.get('etag') ?? '' };
    assert.equal((await caller.call('GET', path, undefined, condition)).status, 304);
    receiver.respondWith(respondOk);
    await fixture.advanceTime(6_000);
    const second = await caller.call('GET', path, undefined, condition);
    assert.deepEqual([second.status, second.json.attempts.length], [200, 2]);
  });

  test('contract §7: an unknown event → 404; an id of another resource too', async () => {
    const { caller } = await fixture.givenWebhook();
    for (const id of ['evt_01h455vb4pex5vsknk084sn02q', 'evt_1', 'wh_01h455vb4pex5vsknk084sn02q']) {
      await fixture.expectRefusal(caller, [404, 'resource_not_found'], 'GET', `/v1/events/${id}`);
    }
  });

  test('an event without a sequence is neither listed nor sent', async () => {
    const { caller, receiver } = await fixture.givenWebhook();
    await caller.call('POST', '/v1/releases', completeDraft());
    assert.deepEqual(await fixture.eventsOf(caller), []);
    assert.deepEqual(receiver.events(), []);
    await fixture.deliverPending();
    assert.equal((await fixture.eventsOf(caller)).length, 1);
    assert.equal(receiver.events().length, 1);
  });

  test('spec §6.6, §8: stored for 30 days with its attempts, then deleted', async () => {
    // Retention uses the database's clock, which a test cannot move, so the rows are made older instead.
    for (const [ageDays, found] of [
      [30, [200, 1, 1]],
      [32, [404, undefined, 0]],
    ] as const) {
      const now = new Date(Date.now() - ageDays * dayMs).toISOString();
      const past = await openWebhookFixture(now, undefined, { hasRealTime: true });
      const { caller, receiver } = await past.givenWebhook();
      await past.triggerEvent(caller);
      const path = `/v1/events/${receiver.events()[0]?.json.id}`;
      for (const table of ['events', 'webhook_attempts', 'webhook_deliveries']) {
        await past.service.query(`update ${table} set stored_at = $1`, [past.service.clock.now()]);
      }
      await maintainPartitions(past.service.workerDb.withoutTenant);
      const { status, json } = await caller.call('GET', path);
      const { length } = await past.eventsOf(caller);
      assert.deepEqual([status, json.attempts?.length, length], found, `${ageDays} days`);
      await past.close();
    }
  });
});
