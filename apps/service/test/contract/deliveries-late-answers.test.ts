/** Stores that flag, remove or announce music after it was delivered: catalogue §1.2, contract §3. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  actionRequiredAnswer,
  type AnswerContent,
  deliveredAnswer,
  type DeliveryFixture,
  type Json,
  openDeliveryFixture,
  rejectedAnswer,
  removalRefusedAnswer,
  removedAnswer,
  statusByStore,
  storeDeliveryOf,
} from '../delivery-fixture.ts';

const dayMs = 86_400_000;

describe('answers after a release was delivered', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const givenLive = async (...stores: string[]): Promise<Json> => {
    const delivery = await fixture.givenDelivery({ stores });
    return fixture.answer(
      delivery,
      Object.fromEntries(stores.map((store) => [store, deliveredAnswer])),
    );
  };
  const givenUpdate = async (delivery: Json): Promise<string> => {
    await fixture.patchRelease(delivery.release_id, { title: 'Another title' });
    const { status, text } = await fixture.post(`/${delivery.id}/update`);
    assert.equal(status, 200, text);
    await fixture.runUntilIdle();
    return fixture.latestMessageId(delivery.id, 'aurora');
  };
  const upcOf = async (delivery: Json): Promise<string> =>
    (await fixture.releaseOf(delivery.release_id)).upc;
  /** The store names only the release. */
  const answerForRelease = async (delivery: Json, content: AnswerContent, storeId = 'aurora') => {
    const code = await upcOf(delivery);
    assert.deepEqual(await fixture.applyAnswers({ storeId, code, ...content }), []);
    return fixture.get(delivery.id);
  };
  const typesOf = async (delivery: Json, count: number): Promise<string[]> => {
    const { data } = await fixture.timelineOf(delivery.id, 'store_id=aurora');
    return data.slice(0, count).map(({ type }: { type: string }) => type);
  };

  test('delivered → action_required, with code and reason; live_at keeps its value', async () => {
    const delivery = await givenLive('aurora', 'cascade');
    await fixture.advanceTime(20 * dayMs);
    const flagged = await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    const store = storeDeliveryOf(flagged, 'aurora');
    assert.equal(flagged.status, 'action_required');
    assert.deepEqual(
      [store.status, store.rejection_code, store.rejection_reason, store.live_at, store.live_basis],
      [
        'action_required',
        'rights_conflict',
        'Confirm your rights.',
        storeDeliveryOf(delivery, 'aurora').live_at,
        'store',
      ],
    );
    assert.deepEqual(await typesOf(delivery, 1), ['action_required']);
    const event = (await fixture.eventsOf(delivery.release_id)).findLast(
      ({ type }) => type === 'delivery.store.updated',
    );
    assert.deepEqual(
      [event?.data.previous_status, event?.data.store.status],
      ['delivered', 'action_required'],
    );
  });

  test('delivered → taken_down by the store; the other stores stay', async () => {
    const delivery = await givenLive('aurora', 'cascade');
    const removed = await answerForRelease(delivery, removedAnswer);
    assert.deepEqual(statusByStore(removed), { aurora: 'taken_down', cascade: 'delivered' });
    assert.equal(storeDeliveryOf(removed, 'aurora').taken_down_by, 'store');
    assert.equal(removed.status, 'delivered');
    const all = await answerForRelease(delivery, removedAnswer, 'cascade');
    assert.equal(all.status, 'taken_down');
    const types = (await fixture.eventsOf(delivery.release_id)).map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'delivery.taken_down').length, 1);
  });

  test('a flagged release is removed by the store, or confirmed again', async () => {
    const first = await givenLive('aurora');
    await fixture.answer(first, { aurora: actionRequiredAnswer });
    const removed = await fixture.answer(first, { aurora: removedAnswer });
    assert.deepEqual([removed.status, removed.stores[0].taken_down_by], ['taken_down', 'store']);
    const second = await givenLive('aurora');
    await fixture.answer(second, { aurora: actionRequiredAnswer });
    const confirmed = await fixture.answer(second, { aurora: deliveredAnswer });
    assert.deepEqual(
      [confirmed.status, confirmed.stores[0].rejection_code, confirmed.stores[0].live_at],
      ['delivered', null, second.stores[0].live_at],
    );
  });

  test('a flagged release that is live is asked for at once on takedown', async () => {
    const delivery = await givenLive('aurora');
    await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    const { json } = await fixture.post(`/${delivery.id}/takedown`);
    assert.deepEqual(statusByStore(json), { aurora: 'takedown_requested' });
    await fixture.runUntilIdle();
    const flagged = await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    assert.deepEqual(
      statusByStore(flagged),
      { aurora: 'takedown_requested' },
      'no flag counts now',
    );
    const removed = await answerForRelease(delivery, removedAnswer);
    assert.deepEqual([removed.status, removed.stores[0].taken_down_by], ['taken_down', 'partner']);
  });

  test('an update under way continues: confirmed → delivered at the new revision', async () => {
    const delivery = await givenLive('aurora');
    const messageId = await givenUpdate(delivery);
    const flagged = await answerForRelease(delivery, actionRequiredAnswer);
    const [store] = flagged.stores;
    assert.deepEqual(
      [store.status, store.revision, store.pending_revision, store.update.status],
      ['action_required', 3, 4, 'pending'],
    );
    await fixture.applyAnswers({ messageId: messageId as `msg_${string}`, ...deliveredAnswer });
    const [updated] = (await fixture.get(delivery.id)).stores;
    assert.deepEqual(
      [updated.status, updated.revision, updated.update, updated.rejection_code],
      ['delivered', 4, null, null],
    );
  });

  test('an update under way continues: refused → stays action_required, pending_revision cleared', async () => {
    const delivery = await givenLive('aurora');
    await givenUpdate(delivery);
    await answerForRelease(delivery, actionRequiredAnswer);
    const [store] = (await fixture.answer(delivery, { aurora: rejectedAnswer })).stores;
    assert.deepEqual(
      [store.status, store.revision, store.pending_revision, store.rejection_code],
      ['action_required', 3, null, 'rights_conflict'],
    );
    assert.equal(store.update.rejection_code, 'metadata_error');
  });

  test('a removal while an update is under way: the update is not sent again', async () => {
    const delivery = await givenLive('aurora');
    await givenUpdate(delivery);
    const removed = await answerForRelease(delivery, removedAnswer);
    assert.deepEqual([removed.status, removed.stores[0].update], ['taken_down', null]);
  });

  test('the flag of a message that a resubmission replaced does not flag the new one', async () => {
    const delivery = await fixture.givenDelivery();
    const early = await fixture.latestMessageId(delivery.id, 'aurora');
    await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    await fixture.post(`/${delivery.id}/resubmit`, { force: true });
    await fixture.runUntilIdle();
    const live = await fixture.answer(delivery, { aurora: deliveredAnswer });
    const rejection = { code: 'other', reason: 'Another reason.' };
    await fixture.applyAnswers({ messageId: early, kind: 'action_required', rejection });
    assert.deepEqual(await fixture.get(delivery.id), live);
  });

  test('an old takedown’s repeated success does not touch a newer delivery', async () => {
    const old = await givenLive('aurora');
    await fixture.post(`/${old.id}/takedown`);
    await fixture.runUntilIdle();
    const takedownId = await fixture.latestMessageId(old.id, 'aurora');
    const done = await fixture.answer(old, { aurora: removedAnswer });
    const plan = { release_id: old.release_id, stores: ['aurora'], territory_codes: ['WORLD'] };
    const { json: newer } = await fixture.post('', plan);
    await fixture.runUntilIdle();
    const live = await fixture.answer(newer, { aurora: deliveredAnswer });
    await fixture.applyAnswers(
      { messageId: takedownId, ...removedAnswer },
      { messageId: takedownId, ...deliveredAnswer },
    );
    assert.deepEqual(await fixture.get(newer.id), live);
    assert.deepEqual(await fixture.get(old.id), done);
    const removed = await answerForRelease(newer, removedAnswer);
    assert.equal(removed.stores[0].taken_down_by, 'store', 'the release is that of the newer one');
    assert.deepEqual(await fixture.get(old.id), done);
  });

  test('a store that announces what is rejected has it', async () => {
    const delivery = await fixture.givenDelivery();
    await fixture.answer(delivery, { aurora: rejectedAnswer });
    const live = await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.deepEqual(
      [live.status, live.stores[0].rejection_code, live.stores[0].live_basis],
      ['delivered', null, 'store'],
    );
    assert.equal((await fixture.releaseOf(delivery.release_id)).status, 'delivered');
  });

  test('a store that announces what is taken down is asked again to take it down', async () => {
    const delivery = await givenLive('aurora');
    await fixture.post(`/${delivery.id}/takedown`);
    await fixture.runUntilIdle();
    await fixture.answer(delivery, { aurora: removedAnswer });
    const announced = await answerForRelease(delivery, deliveredAnswer);
    assert.deepEqual(statusByStore(announced), { aurora: 'takedown_requested' });
    const types = await typesOf(delivery, 3);
    assert.deepEqual(types, ['takedown_dispatched', 'takedown_requested', 'unexpectedly_live']);
    const sent = fixture.sentOf(delivery.id);
    assert.deepEqual(sent.slice(1), ['aurora takedown 3', 'aurora takedown 3']);
    const removed = await fixture.answer(delivery, { aurora: removedAnswer });
    assert.equal(removed.status, 'taken_down');
  });

  test('a repeated announcement of what was taken down since changes nothing', async () => {
    const delivery = await givenLive('aurora');
    const early = await fixture.latestMessageId(delivery.id, 'aurora');
    await fixture.post(`/${delivery.id}/takedown`);
    await fixture.runUntilIdle();
    const done = await fixture.answer(delivery, { aurora: removedAnswer });
    await fixture.applyAnswers({ messageId: early, ...deliveredAnswer });
    assert.deepEqual(await fixture.get(delivery.id), done);
  });

  test('a refused takedown of a flagged release → delivered, and the takedown no longer waits', async () => {
    const delivery = await givenLive('aurora');
    await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    await fixture.post(`/${delivery.id}/takedown`);
    await fixture.runUntilIdle();
    const [store] = (await fixture.answer(delivery, { aurora: removalRefusedAnswer })).stores;
    assert.deepEqual([store.status, store.takedown_requested_at], ['delivered', null]);
  });

  test('an answer that names nothing we know is returned to the caller', async () => {
    const unknown = { storeId: 'aurora', code: '000000000000', ...removedAnswer } as const;
    assert.deepEqual(await fixture.applyAnswers(unknown), [unknown]);
  });
});
