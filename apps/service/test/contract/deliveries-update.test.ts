/** POST /v1/deliveries/{id}/update: contract §2, §3, §4, §7. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  codeOf,
  fieldsOf,
  actionRequiredAnswer,
  type Json,
  deliveredAnswer,
  openDeliveryFixture,
  storeDeliveryOf,
  rejectedAnswer,
  type DeliveryFixture,
  statusByStore,
} from '../delivery-fixture.ts';

describe('POST /v1/deliveries/{id}/update', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const update = (id: string, body: object = {}) => fixture.post(`/${id}/update`, body);
  const correct = (delivery: Json, title = 'Night Driver') =>
    fixture.patchRelease(delivery.release_id, { title });
  const givenLiveDelivery = async (...stores: string[]): Promise<Json> => {
    const delivery = await fixture.givenDelivery({ stores });
    return fixture.answer(
      delivery,
      Object.fromEntries(stores.map((store) => [store, deliveredAnswer])),
    );
  };
  /** A delivery whose update was sent and not answered. */
  const givenPendingUpdate = async (...stores: string[]): Promise<Json> => {
    const delivery = await givenLiveDelivery(...stores);
    await correct(delivery);
    const reply = await update(delivery.id);
    assert.equal(reply.status, 200, reply.text);
    await fixture.runUntilIdle();
    return fixture.get(delivery.id);
  };
  const revisions = (store: Json) => [store.status, store.revision, store.pending_revision];

  test('contract §3: stays delivered, with a pending_revision until the store confirms', async () => {
    const delivery = await givenLiveDelivery('aurora', 'cascade');
    const { revision } = await correct(delivery);
    const { status, json } = await update(delivery.id);
    assert.equal(status, 200);
    assert.deepEqual([json.id, json.status, json.revision], [delivery.id, 'delivered', revision]);
    assert.deepEqual(json.stores.map(revisions), [
      ['delivered', 3, revision],
      ['delivered', 3, revision],
    ]);
    assert.deepEqual({ ...(await fixture.get(delivery.id)), skipped: [] }, json);
    await fixture.runUntilIdle();
    const sent = await fixture.get(delivery.id);
    assert.equal(sent.status, 'delivered');
    assert.notEqual(storeDeliveryOf(sent, 'aurora').expected_by, null);
    assert.deepEqual(fixture.sentOf(delivery.id).slice(2).toSorted(), [
      'aurora update 4',
      'cascade update 4',
    ]);
    await fixture.advanceTime(1_000);
    const half = await fixture.answer(delivery, { aurora: { kind: 'delivered', url: null } });
    assert.deepEqual(half.stores.map(revisions), [
      ['delivered', revision, null],
      ['delivered', 3, revision],
    ]);
    const aurora = storeDeliveryOf(half, 'aurora');
    assert.deepEqual(
      [aurora.live_at, aurora.store_url, aurora.expected_by],
      [
        storeDeliveryOf(delivery, 'aurora').live_at,
        storeDeliveryOf(delivery, 'aurora').store_url,
        null,
      ],
      'live_at and store_url stay',
    );
    assert.equal(half.completed_at, delivery.completed_at, 'the delivery was delivered before');
  });

  test('contract §4: is sent only to the named stores', async () => {
    const delivery = await givenLiveDelivery('aurora', 'cascade');
    await correct(delivery);
    const { json } = await update(delivery.id, { stores: ['cascade'] });
    assert.deepEqual(storeDeliveryOf(json, 'aurora'), storeDeliveryOf(delivery, 'aurora'));
    assert.equal(storeDeliveryOf(json, 'cascade').pending_revision, 4);
  });

  test('contract §4: is sent only to stores with an older revision', async () => {
    const delivery = await givenLiveDelivery('aurora', 'cascade');
    await correct(delivery);
    await update(delivery.id, { stores: ['aurora'] });
    await fixture.runUntilIdle();
    const earlier = await fixture.answer(delivery, { aurora: deliveredAnswer });
    const { json } = await update(delivery.id);
    assert.deepEqual(storeDeliveryOf(json, 'aurora'), storeDeliveryOf(earlier, 'aurora'));
    assert.equal(storeDeliveryOf(json, 'cascade').pending_revision, 4);
  });

  test('contract §7: nothing changed → 409 nothing_changed, also while that revision is pending', async () => {
    const delivery = await givenLiveDelivery('aurora');
    assert.deepEqual(codeOf(await update(delivery.id)), [409, 'nothing_changed']);
    await fixture.patchRelease(delivery.release_id, { metadata: { own: 'pairs' } });
    assert.deepEqual(codeOf(await update(delivery.id)), [409, 'nothing_changed']);
    assert.deepEqual(await fixture.get(delivery.id), delivery, 'no trace');
    await correct(delivery);
    assert.equal((await update(delivery.id)).status, 200);
    assert.deepEqual(codeOf(await update(delivery.id)), [409, 'nothing_changed']);
  });

  test('contract §3: a newer update replaces a pending one, whose late answer changes nothing', async () => {
    const delivery = await givenPendingUpdate('aurora');
    const early = await fixture.latestMessageId(delivery.id, 'aurora');
    await correct(delivery, 'Night Drives');
    assert.deepEqual((await update(delivery.id)).json.stores.map(revisions), [['delivered', 3, 5]]);
    await fixture.runUntilIdle();
    await fixture.applyAnswers({ messageId: early, ...deliveredAnswer });
    assert.deepEqual((await fixture.get(delivery.id)).stores.map(revisions), [['delivered', 3, 5]]);
    const done = await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.deepEqual(done.stores.map(revisions), [['delivered', 5, null]]);
  });

  test('contract §3: a refused update: the store keeps its revision, and the reason is shown', async () => {
    const delivery = await givenPendingUpdate('aurora');
    const outcome = await fixture.answer(delivery, { aurora: rejectedAnswer });
    assert.deepEqual(
      [outcome.status, ...outcome.stores.map(revisions)],
      ['delivered', ['delivered', 3, null]],
    );
    const { rejection_code, rejection_reason } = outcome.stores[0];
    assert.deepEqual([rejection_code, rejection_reason], [null, null], 'not of the store itself');
    assert.deepEqual(outcome.stores[0].update, {
      revision: 4,
      status: 'rejected',
      rejection_code: 'metadata_error',
      rejection_reason: 'The title is not the cover’s.',
    });
    const repeated = await update(delivery.id);
    assert.deepEqual(
      [repeated.status, storeDeliveryOf(repeated.json, 'aurora').update],
      [200, { revision: 4, status: 'pending', rejection_code: null, rejection_reason: null }],
    );
  });

  test('contract §3: a flagged update stays pending, and may still be confirmed', async () => {
    const delivery = await givenPendingUpdate('aurora');
    const flagged = await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    assert.deepEqual(
      [flagged.status, ...flagged.stores.map(revisions)],
      ['delivered', ['delivered', 3, 4]],
    );
    assert.deepEqual(
      [flagged.stores[0].rejection_code, flagged.stores[0].update.rejection_code],
      [null, 'rights_conflict'],
    );
    assert.equal(flagged.stores[0].update.status, 'flagged');
    const outcome = await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.deepEqual(outcome.stores.map(revisions), [['delivered', 4, null]]);
    assert.equal(outcome.stores[0].update, null);
  });

  test('contract §3: after a confirmation only a flag or a removal counts', async () => {
    const delivery = await givenPendingUpdate('aurora');
    const outcome = await fixture.answer(delivery, { aurora: deliveredAnswer });
    await fixture.advanceTime(1_000);
    for (const answer of [deliveredAnswer, rejectedAnswer]) {
      assert.deepEqual(await fixture.answer(delivery, { aurora: answer }), outcome);
    }
    const flagged = await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    assert.deepEqual(flagged.stores.map(revisions), [['action_required', 4, null]]);
  });

  test('contract §2: a store without the capability is skipped; if it is the only one → 409', async () => {
    const delivery = await givenLiveDelivery('aurora', 'firefly');
    await correct(delivery);
    const named = await update(delivery.id, { stores: ['firefly'] });
    assert.deepEqual([...codeOf(named), ...fieldsOf(named)], [409, 'invalid_state', 'stores[0]']);
    const { status, json } = await update(delivery.id);
    assert.equal(status, 200);
    assert.equal(storeDeliveryOf(json, 'aurora').pending_revision, 4);
    assert.deepEqual(storeDeliveryOf(json, 'firefly'), storeDeliveryOf(delivery, 'firefly'));
    const alone = await givenLiveDelivery('firefly');
    await correct(alone);
    assert.deepEqual(codeOf(await update(alone.id)), [409, 'invalid_state']);
  });

  test('contract §2: territory_codes change only when the store confirms the update', async () => {
    const delivery = await givenLiveDelivery('glasshouse');
    const { territory_codes: earlier } = storeDeliveryOf(delivery, 'glasshouse');
    await fixture.patchRelease(delivery.release_id, { territories: ['DE', 'JP'] });
    const { json } = await update(delivery.id);
    assert.deepEqual(storeDeliveryOf(json, 'glasshouse').territory_codes, earlier);
    await fixture.runUntilIdle();
    const refused = await fixture.answer(delivery, { glasshouse: rejectedAnswer });
    assert.deepEqual(storeDeliveryOf(refused, 'glasshouse').territory_codes, earlier);
    await fixture.patchRelease(delivery.release_id, { title: 'Once More' });
    await update(delivery.id);
    await fixture.runUntilIdle();
    const confirmed = await fixture.answer(delivery, { glasshouse: deliveredAnswer });
    assert.deepEqual(storeDeliveryOf(confirmed, 'glasshouse').territory_codes, ['DE', 'JP']);
  });

  test('contract §3, §4: only delivered stores can be updated: others → 409 when named', async () => {
    const delivery = await fixture.givenDelivery({
      stores: ['aurora', 'cascade', 'indigo', 'kilima'],
    });
    await fixture.answer(delivery, {
      aurora: deliveredAnswer,
      cascade: rejectedAnswer,
      indigo: actionRequiredAnswer,
    });
    await correct(delivery);
    for (const store of ['cascade', 'indigo', 'kilima']) {
      assert.deepEqual(codeOf(await update(delivery.id, { stores: [store] })), [
        409,
        'invalid_state',
      ]);
    }
    const { json } = await update(delivery.id);
    assert.deepEqual(
      json.stores.map(({ pending_revision }: Json) => pending_revision),
      [4, null, null, null],
    );
    assert.deepEqual(statusByStore(json), statusByStore(await fixture.get(delivery.id)));
  });

  test('contract §3: a changed revision that the rules refuse is not sent', async () => {
    const delivery = await givenLiveDelivery('aurora');
    await fixture.patchRelease(delivery.release_id, { original_release_date: '2028-01-01' });
    const { json } = await update(delivery.id);
    assert.deepEqual(json.stores.map(revisions), [['delivered', 3, 4]]);
    await fixture.runUntilIdle();
    const outcome = await fixture.get(delivery.id);
    assert.deepEqual(
      [outcome.status, ...outcome.stores.map(revisions)],
      ['delivered', ['delivered', 3, null]],
    );
    assert.equal(outcome.stores[0].update.rejection_code, 'review_rejected');
    assert.deepEqual(fixture.sentOf(delivery.id), ['aurora deliver 3'], 'never sent');
    await fixture.patchRelease(delivery.release_id, { original_release_date: '2020-01-01' });
    assert.equal((await update(delivery.id)).status, 200, 'after a correction');
  });

  test('contract §3: a takedown while an update is pending: the answer to the update changes nothing', async () => {
    const delivery = await givenPendingUpdate('aurora');
    const early = await fixture.latestMessageId(delivery.id, 'aurora');
    const { json } = await fixture.post(`/${delivery.id}/takedown`);
    assert.deepEqual(json.stores.map(revisions), [['takedown_requested', 3, null]]);
    await fixture.applyAnswers({ messageId: early, ...deliveredAnswer });
    assert.equal(statusByStore(await fixture.get(delivery.id))['aurora'], 'takedown_requested');
  });

  const bad: readonly [body: object, code: string, field: string][] = [
    [{ stores: [] }, 'invalid_field', 'stores'],
    [{ stores: ['hanami'] }, 'invalid_field', 'stores[0]'],
    [{ stores: ['aurora', 'aurora'] }, 'invalid_field', 'stores[1]'],
    [{ force: true }, 'unknown_field', 'force'],
  ];
  for (const [body, code, field] of bad) {
    test(`contract §1, §7: ${JSON.stringify(body)} → 422 ${code}`, async () => {
      const { id } = await givenLiveDelivery('aurora');
      const reply = await update(id, body);
      assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], [422, code, field]);
    });
  }
});
