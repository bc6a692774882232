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

  test('contract §3: one delivery per release and store → 409 naming the delivery', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    const { release_id } = delivery;
    const reply = await create({ release_id, stores: ['indigo', 'cascade'] });
    assert.deepEqual(codeOf(reply), [409, 'duplicate_submission']);
    assert.match(reply.json.error.message, new RegExp(delivery.id));
    assert.deepEqual(fieldsOf(reply), ['stores[1]']);
    assert.equal(
      (await create({ release_id, stores: ['indigo'] })).status,
      201,
      'other stores may',
    );
  });

  test('contract §3: and again once that store’s part is taken down', async () => {
    const delivery = await fixture.givenDelivery({
      simulate: '*=confirm',
      stores: ['aurora', 'cascade'],
    });
    await fixture.advanceTime(1_000);
    await fixture.post(`/${delivery.id}/takedown`, { stores: ['aurora'] });
    const { release_id } = delivery;
    const early = await create({ release_id });
    assert.deepEqual(codeOf(early), [409, 'duplicate_submission'], 'not while it is asked for');
    await fixture.runUntilIdle();
    await fixture.advanceTime(1_000);
    assert.equal(storeDeliveryOf(await fixture.get(delivery.id), 'aurora').status, 'taken_down');
    const again = await create({ release_id });
    assert.equal(again.status, 201);
    assert.notEqual(again.json.id, delivery.id);
    assert.deepEqual(codeOf(await create({ release_id, stores: ['cascade'] })), [
      409,
      'duplicate_submission',
    ]);
  });

  test('contract §3: of ten for the same release and store at the same moment one succeeds', async () => {
    const release_id = await fixture.givenApprovedRelease();
    const replies = await Promise.all(Array.from({ length: 10 }, () => create({ release_id })));
    const made = replies.filter(({ status }) => status === 201);
    assert.equal(made.length, 1);
    assert.ok(replies.every(({ status }) => status === 201 || status === 409));
    assert.deepEqual(statusByStore(made[0]?.json), { aurora: 'pending' });
  });
});
