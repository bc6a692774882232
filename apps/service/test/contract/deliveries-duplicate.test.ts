/** One delivery per release and store: spec §7 and contract §3. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  codeOf,
  fieldsOf,
  openDeliveryFixture,
  storeDeliveryOf,
  type DeliveryFixture,
  statusByStore,
} from '../delivery-fixture.ts';

describe('a second delivery', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const create = (fields: object) =>
    fixture.post('', { stores: ['aurora'], territory_codes: ['WORLDWIDE'], ...fields });

  test('contract §3: a second delivery to the same store → 409, which names the first', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    const { release_id } = delivery;
    const reply = await create({ release_id, stores: ['indigo', 'cascade'] });
    assert.deepEqual(codeOf(reply), [409, 'duplicate_submission']);
    assert.match(reply.json.error.message, new RegExp(delivery.id));
    assert.deepEqual(fieldsOf(reply), ['stores[1]']);
    assert.equal(
      (await create({ release_id, stores: ['indigo'] })).status,
      201,
      'other stores are allowed',
    );
  });

  test('contract §3: a store can be delivered to again once its store delivery is taken down', async () => {
    const delivery = await fixture.givenDelivery({
      simulate: '*=confirm',
      stores: ['aurora', 'cascade'],
    });
    await fixture.advanceTime(1_000);
    await fixture.post(`/${delivery.id}/takedown`, { stores: ['aurora'] });
    const { release_id } = delivery;
    const early = await create({ release_id });
    assert.deepEqual(
      codeOf(early),
      [409, 'duplicate_submission'],
      'not while the takedown is only requested',
    );
    await fixture.runUntilIdle();
    await fixture.advanceTime(1_000);
    assert.equal(storeDeliveryOf(await fixture.get(delivery.id), 'aurora').status, 'taken_down');
    const second = await create({ release_id });
    assert.equal(second.status, 201);
    assert.notEqual(second.json.id, delivery.id);
    assert.deepEqual(codeOf(await create({ release_id, stores: ['cascade'] })), [
      409,
      'duplicate_submission',
    ]);
  });

  test('contract §3: of ten concurrent deliveries of one release to one store one succeeds', async () => {
    const release_id = await fixture.givenApprovedRelease();
    const replies = await Promise.all(Array.from({ length: 10 }, () => create({ release_id })));
    const created = replies.filter(({ status }) => status === 201);
    assert.equal(created.length, 1);
    assert.ok(replies.every(({ status }) => status === 201 || status === 409));
    assert.deepEqual(statusByStore(created[0]?.json), { aurora: 'pending' });
  });
});
