/** Requests to dispatch a delivery: one that has not begun does the work of those after it (ADR 0062). */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addMs, minuteMs } from '../src/kernel/duration.ts';
import { type Id, toUuid } from '../src/kernel/ids.ts';
import {
  deliveredAnswer,
  type DeliveryFixture,
  type Json,
  openDeliveryFixture,
  rejectedAnswer,
} from './delivery-fixture.ts';

describe('requests to dispatch a delivery', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const openDispatches = (id: string) =>
    fixture.service.query(
      `select id, state from timers
        where key like $1 and handler = 'dispatch' and state in ('waiting', 'firing') and due_at <= $2`,
      [`%:${id}`, fixture.service.clock.now()],
    );
  const givenDelivered = async (...stores: readonly string[]): Promise<Json> => {
    const delivery = await fixture.givenDelivery({ stores });
    const delivered = stores.map((store) => [store, deliveredAnswer]);
    return fixture.answer(delivery, Object.fromEntries(delivered));
  };
  const takeDown = async (id: string, store: string): Promise<void> => {
    const { status, text } = await fixture.post(`/${id}/takedown`, { stores: [store] });
    assert.equal(status, 200, text);
  };
  const sentKindsOf = (id: string) =>
    fixture.messagesOf(id).map(({ storeId, message }) => `${storeId} ${message.kind}`);

  test('share the one that has not begun', async () => {
    const { id } = await givenDelivered('aurora', 'cascade', 'indigo');
    for (const store of ['aurora', 'cascade', 'indigo']) await takeDown(id, store);
    assert.equal((await openDispatches(id)).length, 1);
    await fixture.runUntilIdle();
    assert.deepEqual(
      sentKindsOf(id)
        .filter((sent) => sent.endsWith('takedown'))
        .toSorted(),
      ['aurora takedown', 'cascade takedown', 'indigo takedown'],
    );
  });

  test('begin another when the handler of the last has begun', async () => {
    const { id } = await givenDelivered('aurora', 'cascade');
    await takeDown(id, 'aurora');
    // It may have read the messages already.
    await fixture.service.query(
      `update timers set state = 'firing' where key like $1 and state = 'waiting'`,
      [`%:${id}`],
    );
    await takeDown(id, 'cascade');
    assert.equal((await openDispatches(id)).length, 2);
    await fixture.runUntilIdle();
    assert.equal((await openDispatches(id)).length, 0);
    assert.equal(sentKindsOf(id).filter((sent) => sent.endsWith('takedown')).length, 2);
  });

  test('do not wait for one whose time has not come: a process whose clock is ahead requested it', async () => {
    const { id } = await givenDelivered('aurora', 'cascade');
    await takeDown(id, 'aurora');
    await fixture.service.query(
      `update timers set due_at = $2 where id = (select dispatch_timer_id from deliveries where id = $1)`,
      [toUuid(id as Id<'dlv'>), addMs(fixture.service.clock.now(), minuteMs)],
    );
    await takeDown(id, 'cascade');
    assert.equal((await openDispatches(id)).length, 1);
    await fixture.runUntilIdle();
    assert.equal(sentKindsOf(id).filter((sent) => sent.endsWith('takedown')).length, 2);
  });

  test('do not wait for one that the reconciler has requeued: its message may be lost', async () => {
    const { id } = await givenDelivered('aurora', 'cascade');
    await takeDown(id, 'aurora');
    await fixture.service.query(`update timers set recheck_count = 1 where key like $1`, [
      `%:${id}`,
    ]);
    await takeDown(id, 'cascade');
    assert.equal((await openDispatches(id)).length, 2);
    await fixture.runUntilIdle();
    assert.equal(sentKindsOf(id).filter((sent) => sent.endsWith('takedown')).length, 2);
  });

  test('count for a resubmission too', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    await fixture.answer(delivery, { aurora: rejectedAnswer, cascade: deliveredAnswer });
    await fixture.patchRelease(delivery.release_id, { title: 'Corrected' });
    await fixture.runUntilIdle();
    await takeDown(delivery.id, 'cascade');
    const { status, text } = await fixture.post(`/${delivery.id}/resubmit`, { stores: ['aurora'] });
    assert.equal(status, 200, text);
    assert.equal((await openDispatches(delivery.id)).length, 1);
    await fixture.runUntilIdle();
    assert.deepEqual(sentKindsOf(delivery.id).slice(2).toSorted(), [
      'aurora deliver',
      'cascade takedown',
    ]);
  });
});
