/** The events of deliveries: spec §3.2, §6 and contract §3, §6. `close` checks each against the event catalogue. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  actionRequiredAnswer,
  type Json,
  removalRefusedAnswer,
  deliveredAnswer,
  openDeliveryFixture,
  rejectedAnswer,
  removedAnswer,
  type DeliveryFixture,
} from '../delivery-fixture.ts';

const [a, b] = ['aurora', 'cascade'] as const;

describe('events of deliveries', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const eventsAbout = async ({ release_id }: Json): Promise<Json[]> =>
    (await fixture.eventsOf(release_id)).filter(({ type }) => type.startsWith('delivery.'));
  /** The statuses in the delivery.completed events, in order. */
  const completions = async (delivery: Json): Promise<string[]> =>
    (await eventsAbout(delivery))
      .filter(({ type }) => type === 'delivery.completed')
      .map(({ data }) => data.status);
  const resubmit = async ({ id }: Json, ...stores: string[]) => {
    const reply = await fixture.post(`/${id}/resubmit`, { stores, force: true });
    assert.equal(reply.status, 200, reply.text);
    await fixture.runUntilIdle();
  };
  const takedown = async ({ id }: Json, ...stores: string[]) => {
    const reply = await fixture.post(`/${id}/takedown`, stores.length > 0 ? { stores } : {});
    assert.equal(reply.status, 200, reply.text);
    await fixture.runUntilIdle();
  };

  test('contract §6: delivery.store.updated carries one store, not all of them', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a, b] });
    await fixture.advanceTime(1_000);
    const outcome = await fixture.answer(delivery, { [b]: deliveredAnswer });
    const event = (await eventsAbout(delivery)).at(-1);
    const { id, sequence, webhooks, ...rest } = event;
    assert.deepEqual(webhooks, [], 'no endpoint is registered');
    assert.match(id, /^evt_/);
    assert.ok(Number.isInteger(sequence));
    assert.deepEqual(rest, {
      type: 'delivery.store.updated',
      created_at: fixture.service.clock.now().toISOString(),
      api_version: 'v1',
      environment: 'sandbox',
      data: {
        delivery_id: delivery.id,
        release_id: delivery.release_id,
        status: 'in_progress',
        previous_status: 'in_progress',
        store: outcome.stores[1],
      },
    });
  });

  test('contract §6: every status change of a store is an event, in order', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a] });
    await fixture.answer(delivery, { [a]: actionRequiredAnswer });
    await resubmit(delivery, a);
    await fixture.answer(delivery, { [a]: deliveredAnswer });
    await takedown(delivery);
    await fixture.answer(delivery, { [a]: removalRefusedAnswer });
    await takedown(delivery);
    await fixture.answer(delivery, { [a]: removedAnswer });
    const statuses = (await eventsAbout(delivery))
      .filter(({ type }) => type === 'delivery.store.updated')
      .map(({ data }) => data.store.status);
    assert.deepEqual(statuses, [
      'in_progress',
      'action_required',
      'pending',
      'in_progress',
      'delivered',
      'takedown_requested',
      'delivered',
      'takedown_requested',
      'taken_down',
    ]);
  });

  for (const [answer, status] of [
    [deliveredAnswer, 'delivered'],
    [rejectedAnswer, 'rejected'],
    [actionRequiredAnswer, 'action_required'],
  ] as const) {
    test(`spec §6: delivery.completed when it reaches ${status}, with the delivery as it is then`, async () => {
      const delivery = await fixture.givenDelivery({ stores: [a] });
      await fixture.advanceTime(1_000);
      const outcome = await fixture.answer(delivery, { [a]: answer });
      const events = await eventsAbout(delivery);
      assert.deepEqual(
        events.slice(-2).map(({ type }) => type),
        ['delivery.store.updated', 'delivery.completed'],
      );
      assert.deepEqual(events.at(-1).data, outcome);
      assert.equal(outcome.status, status);
    });
  }

  test('spec §6: delivery.completed comes only when all stores have delivered', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a, b] });
    await fixture.answer(delivery, { [a]: deliveredAnswer });
    assert.deepEqual(await completions(delivery), []);
    await fixture.answer(delivery, { [b]: deliveredAnswer });
    assert.deepEqual(await completions(delivery), ['delivered']);
  });

  test('contract §3: delivery.completed comes once while the status stays, although other stores change', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a, b, 'indigo'] });
    await fixture.answer(delivery, { [a]: rejectedAnswer });
    await fixture.answer(delivery, { [b]: rejectedAnswer });
    await fixture.answer(delivery, { indigo: actionRequiredAnswer });
    await fixture.answer(delivery, { indigo: deliveredAnswer });
    assert.deepEqual(await completions(delivery), ['rejected']);
  });

  test('contract §3: delivery.completed comes at every change: flagged, rejected, resubmitted, delivered', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a, b] });
    await fixture.answer(delivery, { [a]: actionRequiredAnswer });
    await fixture.answer(delivery, { [b]: rejectedAnswer });
    await resubmit(delivery, b);
    assert.deepEqual(await completions(delivery), [
      'action_required',
      'rejected',
      'action_required',
    ]);
    await resubmit(delivery, a);
    await fixture.answer(delivery, { [a]: deliveredAnswer, [b]: deliveredAnswer });
    assert.deepEqual((await completions(delivery)).slice(3), ['delivered']);
  });

  test('contract §3: the same refusal after a resubmission is another delivery.completed', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a] });
    await fixture.answer(delivery, { [a]: rejectedAnswer });
    await resubmit(delivery, a);
    await fixture.answer(delivery, { [a]: rejectedAnswer });
    assert.deepEqual(await completions(delivery), ['rejected', 'rejected']);
  });

  test('contract §3: answers of one batch add the same events as if each had come alone', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a, b] });
    const earlier = (await eventsAbout(delivery)).length;
    const outcome = await fixture.answer(delivery, {
      [a]: actionRequiredAnswer,
      [b]: rejectedAnswer,
    });
    const events = (await eventsAbout(delivery)).slice(earlier);
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.status]),
      [
        ['delivery.store.updated', 'action_required'],
        ['delivery.completed', 'action_required'],
        ['delivery.store.updated', 'rejected'],
        ['delivery.completed', 'rejected'],
      ],
    );
    const statuses = events[1].data.stores.map(({ status }: Json) => status);
    assert.deepEqual(statuses, ['action_required', 'in_progress'], 'as it was then');
    assert.deepEqual(events[3].data, outcome);
  });

  test('contract §3: a takedown at some stores adds no delivery.completed; the last one adds delivery.taken_down, once', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a, b] });
    await fixture.answer(delivery, { [a]: deliveredAnswer, [b]: deliveredAnswer });
    await takedown(delivery, a);
    await fixture.answer(delivery, { [a]: removedAnswer });
    assert.deepEqual(await completions(delivery), ['delivered']);
    await takedown(delivery);
    const outcome = await fixture.answer(delivery, { [b]: removedAnswer });
    const takenDown = (await eventsAbout(delivery)).filter(
      ({ type }) => type === 'delivery.taken_down',
    );
    assert.equal(takenDown.length, 1);
    assert.deepEqual(takenDown[0].data, outcome);
    assert.deepEqual(await completions(delivery), ['delivered']);
  });

  test('contract §3: a refused takedown adds no delivery.completed', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a] });
    await fixture.answer(delivery, { [a]: deliveredAnswer });
    await takedown(delivery);
    await fixture.answer(delivery, { [a]: removalRefusedAnswer });
    assert.deepEqual(await completions(delivery), ['delivered']);
  });

  test('contract §3: an update adds no delivery.completed', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a] });
    await fixture.answer(delivery, { [a]: deliveredAnswer });
    await fixture.patchRelease(delivery.release_id, { title: 'Night Driver' });
    await fixture.post(`/${delivery.id}/update`);
    await fixture.runUntilIdle();
    await fixture.answer(delivery, { [a]: deliveredAnswer });
    assert.deepEqual(await completions(delivery), ['delivered']);
    const storeUpdates = (await eventsAbout(delivery)).slice(-2).map(({ data }) => data.store);
    assert.deepEqual(
      storeUpdates.map(({ status, revision, pending_revision }) => [
        status,
        revision,
        pending_revision,
      ]),
      [
        ['delivered', 3, 4],
        ['delivered', 4, null],
      ],
    );
  });

  test('contract §3: cancelled before it was sent: delivery.taken_down, and no delivery.completed', async () => {
    const release_id = await fixture.givenApprovedRelease();
    const { json } = await fixture.post('', {
      release_id,
      stores: [a, b],
      territory_codes: ['WORLD'],
    });
    await takedown(json);
    assert.deepEqual(
      (await eventsAbout(json)).map(({ type }) => type),
      ['delivery.store.updated', 'delivery.store.updated', 'delivery.taken_down'],
    );
  });

  test('contract §3: cancelling the only pending store completes the delivery', async () => {
    const release_id = await fixture.givenApprovedRelease({ simulate: '*=silent' });
    await fixture.service.query(`update stores set status = 'paused' where store_id = $1`, [b]);
    const { json } = await fixture.post('', {
      release_id,
      stores: [a, b],
      territory_codes: ['WORLD'],
    });
    await fixture.runUntilIdle();
    await fixture.answer(json, { [a]: deliveredAnswer });
    await takedown(json, b);
    await fixture.service.query(`update stores set status = 'active' where store_id = $1`, [b]);
    assert.deepEqual(await completions(json), ['delivered']);
  });

  test('a refused request and an answer that changes nothing add no event', async () => {
    const delivery = await fixture.givenDelivery({ stores: [a] });
    await fixture.answer(delivery, { [a]: deliveredAnswer });
    const earlier = await eventsAbout(delivery);
    await fixture.post(`/${delivery.id}/resubmit`);
    await fixture.post(`/${delivery.id}/update`);
    await fixture.answer(delivery, { [a]: deliveredAnswer });
    await fixture.advanceTime(86_400_000);
    assert.deepEqual(await eventsAbout(delivery), earlier);
  });

  test('contract §4: the event catalogue lists them', async () => {
    const { json } = await fixture.service.request(undefined, 'GET', '/v1/event_types');
    const types = new Set(json.data.map(({ type }: Json) => type));
    for (const type of ['completed', 'taken_down', 'store.updated', 'store.overdue']) {
      assert.ok(types.has(`delivery.${type}`), type);
    }
  });
});
