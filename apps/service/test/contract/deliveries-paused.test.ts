/** Deliveries to stores that are paused: contract §2, §3. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dispatchResumedStores } from '../../src/delivery/commands/dispatch-resumed-stores.ts';
import { type Json, landed, openScene, part, type Scene, standing } from '../delivery-scene.ts';

describe('a delivery to a paused store', () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene();
  });
  after(() => scene.close());

  const deliver = async (release_id: string, stores = ['aurora', 'cascade']): Promise<Json> => {
    const reply = await scene.post('', { release_id, stores, territory_codes: ['WORLDWIDE'] });
    assert.equal(reply.status, 201, reply.text);
    return reply.json;
  };
  const silent = { simulate: '*=silent' };
  const pause = (store: string, status = 'paused') =>
    scene.service.query('update stores set status = $2 where store_id = $1', [store, status]);
  const resume = async (store: string): Promise<number> => {
    await pause(store, 'active');
    const count = await dispatchResumedStores({ db: scene.service.workerDb });
    await scene.runUntilIdle();
    return count;
  };

  test('contract §2: its part stays pending while others go on, and is sent when it resumes', async () => {
    await pause('cascade');
    const delivery = await deliver(await scene.givenApproved(silent));
    await scene.runUntilIdle();
    await scene.wait(86_400_000);
    const waiting = await scene.get(delivery.id);
    assert.deepEqual(standing(waiting), { aurora: 'in_progress', cascade: 'pending' });
    assert.equal(part(waiting, 'cascade').expected_by, null);
    assert.equal(
      await dispatchResumedStores({ db: scene.service.workerDb }),
      0,
      'not while it is paused',
    );
    assert.equal(await resume('cascade'), 1);
    assert.equal(standing(await scene.get(delivery.id))['cascade'], 'in_progress');
    assert.equal(await resume('cascade'), 0, 'once');
  });

  test('contract §3: taken down meanwhile, it is cancelled and stays so', async () => {
    await pause('cascade');
    const delivery = await deliver(await scene.givenApproved(silent), ['cascade']);
    await scene.runUntilIdle();
    const { json } = await scene.post(`/${delivery.id}/takedown`);
    assert.equal(json.status, 'taken_down');
    await resume('cascade');
    assert.deepEqual(await scene.get(delivery.id), json);
    assert.deepEqual(scene.sentOf(delivery.id), []);
  });

  test('contract §3: a takedown waits for it as well', async () => {
    const delivery = await deliver(await scene.givenApproved(silent), ['cascade']);
    await scene.runUntilIdle();
    await scene.answer(delivery, { cascade: landed });
    await pause('cascade');
    await scene.post(`/${delivery.id}/takedown`);
    await scene.runUntilIdle();
    assert.deepEqual(scene.sentOf(delivery.id), ['cascade deliver 3']);
    await resume('cascade');
    assert.deepEqual(scene.sentOf(delivery.id), ['cascade deliver 3', 'cascade takedown 3']);
    const outcome = await scene.answer(delivery, { cascade: { kind: 'removed' } });
    assert.equal(outcome.status, 'taken_down');
  });
});
