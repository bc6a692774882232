/** Stores that only confirm the receipt, or say nothing: catalogue §1.3. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  actionRequiredAnswer,
  deliveredAnswer,
  type DeliveryFixture,
  type Json,
  openDeliveryFixture,
  rejectedAnswer,
  removalRefusedAnswer,
} from '../delivery-fixture.ts';

const acknowledged = { kind: 'acknowledged' } as const;
const dayMs = 86_400_000;
const [ingesting, silent] = ['jangala', 'emberline'];

describe('stores that do not announce availability', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const storeOf = async (delivery: Json): Promise<Json> =>
    (await fixture.get(delivery.id)).stores[0];
  /** The release comes out in 40 days. */
  const given = (storeId: string, release: object = {}): Promise<Json> =>
    fixture.givenDelivery({ stores: [storeId], release: { release_date: inDays(40), ...release } });
  const inDays = (days: number): string =>
    new Date(fixture.service.clock.now().getTime() + days * dayMs).toISOString().slice(0, 10);
  /** Business time moves to the deadline of the store, or a little before it. */
  const reachDeadline = async (delivery: Json, offsetMs = 0): Promise<void> => {
    const { expected_by } = await storeOf(delivery);
    const now = fixture.service.clock.now().getTime();
    await fixture.advanceTime(Date.parse(expected_by) - now + offsetMs);
    await fixture.runUntilIdle();
  };
  const givenInferred = async (storeId: string): Promise<Json> => {
    const delivery = await given(storeId);
    if (storeId === ingesting) await fixture.answer(delivery, { [storeId]: acknowledged });
    await reachDeadline(delivery);
    return fixture.get(delivery.id);
  };
  const update = async (delivery: Json): Promise<void> => {
    await fixture.patchRelease(delivery.release_id, { title: 'Another title' });
    const { status, text } = await fixture.post(`/${delivery.id}/update`);
    assert.equal(status, 200, text);
    await fixture.runUntilIdle();
  };
  const takeDown = async (delivery: Json): Promise<void> => {
    await fixture.post(`/${delivery.id}/takedown`);
    await fixture.runUntilIdle();
  };
  const overdueOf = async (delivery: Json): Promise<number> =>
    (await fixture.eventsOf(delivery.release_id)).filter(
      ({ type }) => type === 'delivery.store.overdue',
    ).length;
  const lastType = async (delivery: Json): Promise<string> =>
    (await fixture.timelineOf(delivery.id)).data[0].type;

  test('ingest: live at the later of send + lead time and the release date, if there is a receipt', async () => {
    const delivery = await given(ingesting);
    const { expected_by } = await storeOf(delivery);
    assert.equal(expected_by, `${inDays(40)}T00:00:00.000Z`, 'the release date, not a day later');
    const received = await fixture.answer(delivery, { [ingesting]: acknowledged });
    assert.equal(received.stores[0].status, 'in_progress');
    assert.notEqual(received.stores[0].acknowledged_at, null);
    await reachDeadline(delivery, -1);
    assert.equal((await storeOf(delivery)).status, 'in_progress');
    await fixture.advanceTime(1);
    await fixture.runUntilIdle();
    const live = await fixture.get(delivery.id);
    assert.deepEqual(
      [live.status, live.stores[0].live_at, live.stores[0].live_basis],
      ['delivered', expected_by, 'inferred'],
    );
    assert.equal(await lastType(delivery), 'inferred');
    assert.equal(await overdueOf(delivery), 0);
    assert.equal((await fixture.releaseOf(delivery.release_id)).status, 'delivered');
  });

  test('ingest: without a receipt it is overdue; a late receipt makes it live at once', async () => {
    const delivery = await given(ingesting);
    await reachDeadline(delivery);
    assert.equal((await storeOf(delivery)).status, 'in_progress');
    assert.equal(await overdueOf(delivery), 1);
    const live = await fixture.answer(delivery, { [ingesting]: acknowledged });
    assert.deepEqual(
      [live.status, live.stores[0].live_basis, live.stores[0].expected_by],
      ['delivered', 'inferred', null],
    );
  });

  test('none: live at the deadline, never overdue', async () => {
    const delivery = await given(silent);
    await reachDeadline(delivery);
    const live = await fixture.get(delivery.id);
    assert.deepEqual([live.status, live.stores[0].live_basis], ['delivered', 'inferred']);
    assert.equal(await overdueOf(delivery), 0);
  });

  test('the deadline of a release with release_at is that moment', async () => {
    const release_at = `${inDays(40)}T15:00:00.000Z`;
    const delivery = await given(silent, { release_at });
    assert.equal((await storeOf(delivery)).expected_by, release_at);
  });

  test('a store’s own word replaces the inference; live_at keeps its value', async () => {
    const live = await givenInferred(silent);
    await fixture.advanceTime(1_000);
    const [store] = (await fixture.answer(live, { [silent]: deliveredAnswer })).stores;
    assert.deepEqual(
      [store.live_basis, store.live_at, store.store_url],
      ['store', live.stores[0].live_at, 'https://aurora.example/1'],
    );
  });

  for (const storeId of [ingesting, silent]) {
    test(`${storeId}: a rejection after an inferred delivered → rejected, live_at and live_basis null`, async () => {
      const live = await givenInferred(storeId);
      const [store] = (await fixture.answer(live, { [storeId]: rejectedAnswer })).stores;
      assert.deepEqual(
        [store.status, store.live_at, store.live_basis, store.rejection_code],
        ['rejected', null, null, 'metadata_error'],
      );
    });
  }

  test('ingest: an update and a takedown are confirmed by the receipt of their message', async () => {
    const live = await givenInferred(ingesting);
    await update(live);
    const [updated] = (await fixture.answer(live, { [ingesting]: acknowledged })).stores;
    assert.deepEqual([updated.revision, updated.update, updated.expected_by], [4, null, null]);
    assert.equal(await lastType(live), 'inferred');
    await takeDown(live);
    const down = await fixture.answer(live, { [ingesting]: acknowledged });
    assert.deepEqual([down.status, down.stores[0].taken_down_by], ['taken_down', 'partner']);
  });

  test('ingest: an update without a receipt is overdue', async () => {
    const live = await givenInferred(ingesting);
    await update(live);
    await reachDeadline(live);
    assert.equal((await storeOf(live)).pending_revision, 4);
    assert.equal(await overdueOf(live), 1);
  });

  test('none: an update counts as done at expected_by, a takedown after 72 hours', async () => {
    const live = await givenInferred(silent);
    await update(live);
    await reachDeadline(live);
    const [updated] = (await fixture.get(live.id)).stores;
    assert.deepEqual([updated.revision, updated.update], [4, null]);
    assert.equal(await lastType(live), 'inferred');
    await takeDown(live);
    const requestedAt = fixture.service.clock.now().getTime();
    const { expected_by } = await storeOf(live);
    assert.equal(Date.parse(expected_by) - requestedAt, 72 * 3_600_000);
    await reachDeadline(live, -1);
    assert.equal((await storeOf(live)).status, 'takedown_requested');
    await fixture.advanceTime(1);
    await fixture.runUntilIdle();
    const down = await fixture.get(live.id);
    assert.deepEqual([down.status, down.stores[0].taken_down_by], ['taken_down', 'partner']);
    assert.equal(await lastType(live), 'inferred');
    assert.equal(await overdueOf(live), 0);
  });

  test('none: a rejection of an update that was inferred to be done shows in update', async () => {
    const live = await givenInferred(silent);
    await update(live);
    await reachDeadline(live);
    const [store] = (await fixture.answer(live, { [silent]: rejectedAnswer })).stores;
    assert.deepEqual(
      [store.status, store.rejection_code, store.update.status, store.update.rejection_code],
      ['delivered', null, 'rejected', 'metadata_error'],
    );
    const again = await fixture.post(`/${live.id}/update`);
    assert.equal(again.status, 200, 'the same revision can be sent again');
  });

  test('none: a takedown that was inferred to be done, and is refused later → delivered', async () => {
    const live = await givenInferred(silent);
    await takeDown(live);
    await reachDeadline(live);
    const back = await fixture.answer(live, { [silent]: removalRefusedAnswer });
    assert.deepEqual(
      [back.status, back.stores[0].rejection_code, back.stores[0].taken_down_by],
      ['delivered', 'takedown_refused', null],
    );
  });

  test('none: silence does not resolve a flag', async () => {
    const live = await givenInferred(silent);
    await update(live);
    const code = (await fixture.releaseOf(live.release_id)).upc;
    await fixture.applyAnswers({ storeId: silent, code, ...actionRequiredAnswer });
    await reachDeadline(live);
    const [store] = (await fixture.get(live.id)).stores;
    assert.deepEqual(
      [store.status, store.revision, store.rejection_code],
      ['action_required', 4, 'rights_conflict'],
    );
  });

  test('a takedown that waits is requested as soon as the release is inferred to be live', async () => {
    const delivery = await given(silent);
    await takeDown(delivery);
    assert.equal((await storeOf(delivery)).status, 'in_progress');
    await reachDeadline(delivery);
    assert.equal((await storeOf(delivery)).status, 'takedown_requested');
    assert.deepEqual(fixture.sentOf(delivery.id), [`${silent} deliver 3`, `${silent} takedown 3`]);
  });

  test('none: a message that was not sent by its deadline is not inferred to be done', async () => {
    const delivery = await given(silent);
    await fixture.service.query(
      `update delivery_stores set message_state = 'dispatched' where store_id = $1`,
      [silent],
    );
    await fixture.service.query(`update stores set status = 'paused' where store_id = $1`, [
      silent,
    ]);
    await reachDeadline(delivery);
    assert.equal((await storeOf(delivery)).status, 'in_progress');
    await fixture.service.query(`update stores set status = 'active' where store_id = $1`, [
      silent,
    ]);
    await fixture.service.query(
      `update delivery_stores set message_state = 'sent' where store_id = $1`,
      [silent],
    );
    await fixture.advanceTime(3_600_000);
    await fixture.runUntilIdle();
    assert.equal((await storeOf(delivery)).status, 'delivered');
  });
});
