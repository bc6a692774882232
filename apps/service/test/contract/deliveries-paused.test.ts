/** Deliveries to stores that are paused: contract §2, §3. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dispatchResumedStores } from '../../src/delivery/commands/dispatch-resumed-stores.ts';
import {
  type Json,
  deliveredAnswer,
  openDeliveryFixture,
  storeDeliveryOf,
  type DeliveryFixture,
  statusByStore,
} from '../delivery-fixture.ts';

describe('a delivery to a paused store', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const deliver = async (release_id: string, stores = ['aurora', 'cascade']): Promise<Json> => {
    const reply = await fixture.post('', { release_id, stores, territory_codes: ['WORLDWIDE'] });
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  };
  const silent = { simulate: '*=silent' };
  const setStatus = (store: string, status: string) =>
    fixture.service.query('update stores set status = $2 where store_id = $1', [store, status]);
  const pause = (store: string) => setStatus(store, 'paused');
  const resume = async (store: string): Promise<number> => {
    await setStatus(store, 'active');
    const count = await dispatchResumedStores({ db: fixture.service.workerDb });
    await fixture.runUntilIdle();
    return count;
  };

  test('contract §2: the store stays pending while others progress, and is sent its message when it resumes', async () => {
    await pause('cascade');
    const delivery = await deliver(await fixture.givenApprovedRelease(silent));
    await fixture.runUntilIdle();
    await fixture.advanceTime(86_400_000);
    const waiting = await fixture.get(delivery.id);
    assert.deepEqual(statusByStore(waiting), { aurora: 'in_progress', cascade: 'pending' });
    assert.equal(storeDeliveryOf(waiting, 'cascade').expected_by, null);
    assert.equal(
      await dispatchResumedStores({ db: fixture.service.workerDb }),
      0,
      'not while it is paused',
    );
    assert.equal(await resume('cascade'), 1);
    assert.equal(statusByStore(await fixture.get(delivery.id))['cascade'], 'in_progress');
    assert.equal(await resume('cascade'), 0, 'once');
  });

  test('contract §3: a takedown while it is paused cancels the store delivery for good', async () => {
    await pause('cascade');
    const delivery = await deliver(await fixture.givenApprovedRelease(silent), ['cascade']);
    await fixture.runUntilIdle();
    const { json } = await fixture.post(`/${delivery.id}/takedown`);
    assert.equal(json.status, 'taken_down');
    await resume('cascade');
    assert.deepEqual({ ...(await fixture.get(delivery.id)), skipped: [] }, json);
    assert.deepEqual(fixture.sentOf(delivery.id), []);
  });

  test('contract §3: a takedown message also waits until the store resumes', async () => {
    const delivery = await deliver(await fixture.givenApprovedRelease(silent), ['cascade']);
    await fixture.runUntilIdle();
    await fixture.answer(delivery, { cascade: deliveredAnswer });
    await pause('cascade');
    await fixture.post(`/${delivery.id}/takedown`);
    await fixture.runUntilIdle();
    assert.deepEqual(fixture.sentOf(delivery.id), ['cascade deliver 3']);
    await resume('cascade');
    assert.deepEqual(fixture.sentOf(delivery.id), ['cascade deliver 3', 'cascade takedown 3']);
    const outcome = await fixture.answer(delivery, { cascade: { kind: 'removed' } });
    assert.equal(outcome.status, 'taken_down');
  });
});
