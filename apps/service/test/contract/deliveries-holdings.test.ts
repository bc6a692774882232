/** The directory of what stores have: catalogue §1.2. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findStoreHoldings } from '../../src/delivery/face.ts';
import { type Id, toUuid, toWire } from '../../src/kernel/ids.ts';
import { systemOrgId } from '../../src/kernel/system-organization.ts';
import { unpackTerritories } from '../../src/kernel/territory-set.ts';
import {
  deliveredAnswer,
  type DeliveryFixture,
  type Json,
  openDeliveryFixture,
  rejectedAnswer,
  removedAnswer,
} from '../delivery-fixture.ts';

describe('the directory store_holdings', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const holdingsOf = (delivery: Json): Promise<Json[]> =>
    fixture.service.query(
      `select * from store_holdings where delivery_id = $1 order by held_from, track_id nulls first`,
      [toUuid(delivery.id as Id<'dlv'>)],
    );
  const firstTrackOf = async (delivery: Json): Promise<Json> =>
    (await fixture.label.call('GET', `/v1/tracks?release_id=${delivery.release_id}`)).json.data[0];

  test('written when a store becomes delivered: the UPC, and each ISRC with its territories', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora', 'indigo'] });
    assert.deepEqual(await holdingsOf(delivery), []);
    await fixture.answer(delivery, { indigo: deliveredAnswer, aurora: rejectedAnswer });
    const [release, track] = await holdingsOf(delivery);
    const { upc } = await fixture.releaseOf(delivery.release_id);
    const { id, isrc } = await firstTrackOf(delivery);
    assert.deepEqual([release.code, release.track_id, release.held_to], [upc, null, null]);
    assert.deepEqual(
      [track.code, toWire('trk', track.track_id), track.store_id],
      [isrc.replaceAll('-', ''), id, 'indigo'],
    );
    assert.deepEqual(unpackTerritories(track.territories), ['US']);
    assert.equal(toWire('rel', release.release_id), delivery.release_id);
  });

  test('an update ends what the store had and begins what it has; a takedown ends it', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['glasshouse'] });
    await fixture.answer(delivery, { glasshouse: deliveredAnswer });
    await fixture.advanceTime(1_000);
    const { id } = await firstTrackOf(delivery);
    await fixture.label.call('PATCH', `/v1/tracks/${id}`, { territory: ['DE', 'JP'] });
    await fixture.post(`/${delivery.id}/update`);
    await fixture.runUntilIdle();
    await fixture.answer(delivery, { glasshouse: deliveredAnswer });
    const updated = await holdingsOf(delivery);
    assert.deepEqual(
      updated.map(({ held_to }) => held_to === null),
      [false, false, true, true],
    );
    assert.deepEqual(unpackTerritories(updated[3].territories), ['DE', 'JP']);
    assert.equal(unpackTerritories(updated[2].territories).length, 10, 'the release keeps its own');
    await fixture.advanceTime(1_000);
    await fixture.post(`/${delivery.id}/takedown`);
    await fixture.runUntilIdle();
    await fixture.answer(delivery, { glasshouse: removedAnswer });
    const ended = await holdingsOf(delivery);
    assert.equal(ended.length, 4, 'rows never expire');
    assert.ok(ended.every(({ held_from, held_to }) => held_to >= held_from));
  });

  test('catalogue §1.2: what a store had is found by its code, also if it had it for no time', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['indigo'] });
    const messageId = await fixture.latestMessageId(delivery.id, 'indigo');
    // Applied in one transaction.
    await fixture.applyAnswers({ messageId, ...deliveredAnswer }, { messageId, ...removedAnswer });
    const rows = await holdingsOf(delivery);
    assert.equal(rows.length, 2);
    assert.ok(rows.every(({ held_from, held_to }) => held_to?.getTime() === held_from.getTime()));
    const { upc } = await fixture.releaseOf(delivery.release_id);
    const unknown = await fixture.applyAnswers({
      storeId: 'indigo',
      code: upc,
      ...deliveredAnswer,
    });
    assert.deepEqual(unknown, []);
    const { status } = (await fixture.get(delivery.id)).stores[0];
    assert.equal(status, 'takedown_requested', 'it is unexpectedly live');
  });

  test('reports find what a store had by codes and by release, of every organization or of one', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['indigo'] });
    await fixture.answer(delivery, { indigo: deliveredAnswer });
    const [release, track] = await holdingsOf(delivery);
    const { withoutTenant: db } = fixture.service.workerDb;
    const store = { storeId: 'indigo', orgId: null };
    const byCodes = await findStoreHoldings(db, {
      ...store,
      codes: [`0${release.code}`, track.code],
    });
    assert.deepEqual(
      new Set(byCodes.map(({ trackUuid }) => trackUuid)),
      new Set([track.track_id, null]),
    );
    const found = byCodes.find(({ trackUuid }) => trackUuid !== null);
    assert.deepEqual(found, {
      code: track.code,
      orgUuid: track.org_id,
      releaseUuid: track.release_id,
      trackUuid: track.track_id,
      territories: track.territories.toString('hex'),
      heldFrom: track.held_from.toISOString().slice(0, 10),
      heldTo: null,
    });
    const tracks = { ...store, tracksOfReleaseUuids: [track.release_id] };
    assert.deepEqual(await findStoreHoldings(db, tracks), [found]);
    const stranger = { ...tracks, orgId: systemOrgId };
    assert.deepEqual(await findStoreHoldings(db, stranger), []);
    assert.deepEqual(await findStoreHoldings(db, { ...tracks, storeId: 'aurora' }), []);
  });
});
