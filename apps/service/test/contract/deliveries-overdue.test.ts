/** expected_by and delivery.store.overdue: spec §8 and contract §2, §6. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  actionRequiredAnswer,
  type Json,
  deliveredAnswer,
  openDeliveryFixture,
  storeDeliveryOf,
  removedAnswer,
  type DeliveryFixture,
} from '../delivery-fixture.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('the time by which a store should answer', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const overdueOf = async ({ release_id }: Json): Promise<Json[]> =>
    (await fixture.eventsOf(release_id)).filter(({ type }) => type === 'delivery.store.overdue');
  const now = () => fixture.service.clock.now().getTime();
  const advanceTo = (iso: string) => fixture.advanceTime(Date.parse(iso) - now());

  test('contract §2: expected_by is null before the message is sent, then at least a day after the end of the release date', async () => {
    const release_id = await fixture.givenApprovedRelease({ simulate: '*=silent' });
    const plan = { release_id, stores: ['aurora', 'hanami'], territory_codes: ['WORLD'] };
    const { json } = await fixture.post('', plan);
    assert.deepEqual(
      json.stores.map(({ expected_by }: Json) => expected_by),
      [null, null],
    );
    await fixture.runUntilIdle();
    const sent = await fixture.get(json.id);
    assert.deepEqual(
      sent.stores.map(({ expected_by }: Json) => expected_by),
      ['2027-01-17T00:00:00.000Z', '2027-01-17T00:00:00.000Z'],
    );
  });

  test('contract §2: expected_by is the store’s lead time in business days, if that is later', async () => {
    const { stores } = await fixture.givenDelivery({
      stores: ['aurora', 'hanami', 'indigo'],
      release: { release_date: '2026-11-17' },
    });
    const from = fixture.service.clock.now();
    assert.equal(from.getUTCDay(), 1, 'a Monday');
    const at = (days: number) => new Date(from.getTime() + days * dayMs).toISOString();
    assert.deepEqual(
      stores.map(({ expected_by }: Json) => expected_by),
      [at(7), at(21), '2026-11-19T00:00:00.000Z'],
      '5 and 15 business days; 1, but the release date is later',
    );
  });

  test('contract §6: delivery.store.overdue comes once, for that store only, and the store may still answer', async () => {
    const delivery = await fixture.givenDelivery({
      stores: ['aurora', 'hanami'],
      release: { release_date: '2026-11-20' },
    });
    const [aurora, hanami] = [
      storeDeliveryOf(delivery, 'aurora'),
      storeDeliveryOf(delivery, 'hanami'),
    ];
    await fixture.advanceTime(Date.parse(aurora.expected_by) - now() - 1);
    assert.deepEqual(await overdueOf(delivery), [], 'not a moment early');
    await fixture.advanceTime(1);
    const [event, ...others] = await overdueOf(delivery);
    assert.deepEqual(others, []);
    assert.deepEqual(event.data, {
      delivery_id: delivery.id,
      release_id: delivery.release_id,
      status: 'in_progress',
      store: { ...aurora, updated_at: event.data.store.updated_at },
    });
    assert.equal(event.data.store.status, 'in_progress', 'overdue is not a status');
    await fixture.advanceTime(dayMs);
    assert.equal((await overdueOf(delivery)).length, 1, 'once');
    await advanceTo(hanami.expected_by);
    assert.deepEqual(
      (await overdueOf(delivery)).map(({ data }) => data.store.store_id),
      ['aurora', 'hanami'],
      'each at its own time',
    );
    const { data } = await fixture.timelineOf(delivery.id, 'store_id=aurora');
    assert.equal(data[0].type, 'overdue');
    const outcome = await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.deepEqual(
      [storeDeliveryOf(outcome, 'aurora').status, storeDeliveryOf(outcome, 'aurora').expected_by],
      ['delivered', null],
    );
  });

  test('contract §6: a store that has answered is never overdue', async () => {
    const release_date = new Date(now() + 2 * dayMs).toISOString().slice(0, 10);
    const delivery = await fixture.givenDelivery({
      stores: ['aurora', 'cascade'],
      release: { release_date },
    });
    await fixture.answer(delivery, { aurora: deliveredAnswer, cascade: actionRequiredAnswer });
    await fixture.advanceTime(60 * dayMs);
    assert.deepEqual(await overdueOf(delivery), []);
  });

  test('spec §8, contract §2: a takedown is expected within 72 hours, and overdue after', async () => {
    const release_date = new Date(now() + 5 * dayMs).toISOString().slice(0, 10);
    const delivery = await fixture.givenDelivery({ release: { release_date } });
    await fixture.answer(delivery, { aurora: deliveredAnswer });
    await fixture.post(`/${delivery.id}/takedown`);
    await fixture.runUntilIdle();
    const requested = await fixture.get(delivery.id);
    const expected = new Date(now() + 72 * hourMs).toISOString();
    assert.equal(requested.stores[0].expected_by, expected);
    await fixture.advanceTime(72 * hourMs);
    const [event, ...others] = await overdueOf(delivery);
    assert.deepEqual([others.length, event.data.store.status], [0, 'takedown_requested']);
    assert.equal((await fixture.answer(delivery, { aurora: removedAnswer })).status, 'taken_down');
  });

  test('contract §2: an update is expected within the lead time', async () => {
    const release_date = new Date(now() + 40 * dayMs).toISOString().slice(0, 10);
    const delivery = await fixture.givenDelivery({ stores: ['indigo'], release: { release_date } });
    await fixture.answer(delivery, { indigo: deliveredAnswer });
    await fixture.patchRelease(delivery.release_id, { title: 'Night Driver' });
    await fixture.post(`/${delivery.id}/update`);
    await fixture.runUntilIdle();
    const expected = Date.parse((await fixture.get(delivery.id)).stores[0].expected_by);
    assert.ok(expected - now() >= dayMs && expected - now() <= 3 * dayMs, 'one business day');
    await fixture.advanceTime(expected - now());
    assert.equal((await overdueOf(delivery)).length, 1);
  });

  test('contract §6: each message has its own time: a resubmitted store can be overdue again', async () => {
    const release_date = new Date(now() + 2 * dayMs).toISOString().slice(0, 10);
    const delivery = await fixture.givenDelivery({ release: { release_date } });
    await advanceTo(delivery.stores[0].expected_by);
    await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    const { json } = await fixture.post(`/${delivery.id}/resubmit`, { force: true });
    assert.equal(json.stores[0].expected_by, null, 'not sent yet');
    await fixture.runUntilIdle();
    const resubmitted = await fixture.get(delivery.id);
    assert.ok(resubmitted.stores[0].expected_by > delivery.stores[0].expected_by);
    await advanceTo(resubmitted.stores[0].expected_by);
    assert.equal((await overdueOf(delivery)).length, 2);
  });
});
