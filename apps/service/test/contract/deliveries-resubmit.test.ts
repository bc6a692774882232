/** POST /v1/deliveries/{id}/resubmit: spec §3.2, §4.2 and contract §3, §4, §7. */

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

describe('POST /v1/deliveries/{id}/resubmit', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const resubmit = (id: string, body: object = {}) => fixture.post(`/${id}/resubmit`, body);
  /** aurora rejected, cascade flagged, indigo delivered, kilima has not answered. */
  const givenMixedDelivery = async (): Promise<Json> => {
    const delivery = await fixture.givenDelivery({
      stores: ['aurora', 'cascade', 'indigo', 'kilima'],
    });
    return fixture.answer(delivery, {
      aurora: rejectedAnswer,
      cascade: actionRequiredAnswer,
      indigo: deliveredAnswer,
    });
  };
  const correct = (delivery: Json, fields: object = { title: 'Night Driver' }) =>
    fixture.patchRelease(delivery.release_id, fields);

  test('spec §3.2: resends the current revision to the affected stores only, in the same delivery', async () => {
    const delivery = await givenMixedDelivery();
    const { revision } = await correct(delivery);
    const { status, json } = await resubmit(delivery.id);
    assert.equal(status, 200);
    assert.equal(json.id, delivery.id);
    assert.deepEqual(statusByStore(json), {
      aurora: 'pending',
      cascade: 'pending',
      indigo: 'delivered',
      kilima: 'in_progress',
    });
    assert.deepEqual(
      [json.revision, json.status, json.completed_at],
      [revision, 'in_progress', null],
    );
    for (const store of ['aurora', 'cascade']) {
      const { rejection_code, rejection_reason, ...rest } = storeDeliveryOf(json, store);
      assert.deepEqual([rejection_code, rejection_reason, rest.revision], [null, null, revision]);
    }
    assert.deepEqual(
      storeDeliveryOf(json, 'indigo'),
      storeDeliveryOf(delivery, 'indigo'),
      'unchanged',
    );
    assert.deepEqual(storeDeliveryOf(json, 'kilima'), storeDeliveryOf(delivery, 'kilima'));
    const { skipped, ...shown } = json;
    assert.deepEqual(await fixture.get(delivery.id), shown);
    assert.deepEqual(skipped, [
      { store_id: 'indigo', reason: 'indigo is delivered.' },
      { store_id: 'kilima', reason: 'kilima is in_progress.' },
    ]);
    await fixture.runUntilIdle();
    const sent = statusByStore(await fixture.get(delivery.id));
    assert.deepEqual([sent['aurora'], sent['cascade']], ['in_progress', 'in_progress']);
    assert.deepEqual(fixture.sentOf(delivery.id).slice(4).toSorted(), [
      'aurora deliver 4',
      'cascade deliver 4',
    ]);
    const done = await fixture.answer(delivery, {
      aurora: deliveredAnswer,
      cascade: deliveredAnswer,
      kilima: deliveredAnswer,
    });
    assert.equal(done.status, 'delivered');
    const { json: list } = await fixture.label.call(
      'GET',
      `/v1/deliveries?release_id=${delivery.release_id}`,
    );
    assert.equal(list.data.length, 1, 'no duplicate record');
  });

  test('contract §4: resends to the named stores only', async () => {
    const delivery = await givenMixedDelivery();
    await correct(delivery);
    const { json } = await resubmit(delivery.id, { stores: ['cascade'] });
    assert.deepEqual(statusByStore(json), { ...statusByStore(delivery), cascade: 'pending' });
    assert.equal(json.status, 'rejected');
  });

  for (const [store, status] of [
    ['indigo', 'delivered'],
    ['kilima', 'in_progress'],
  ] as const) {
    test(`contract §3: a named store that is ${status} is skipped; if it is the only one → 409 invalid_state`, async () => {
      const delivery = await givenMixedDelivery();
      await correct(delivery);
      const alone = await resubmit(delivery.id, { stores: [store] });
      assert.deepEqual([...codeOf(alone), ...fieldsOf(alone)], [409, 'invalid_state', 'stores[0]']);
      assert.deepEqual(await fixture.get(delivery.id), delivery, 'no trace');
      const { json } = await resubmit(delivery.id, { stores: ['aurora', store] });
      assert.deepEqual(statusByStore(json), { ...statusByStore(delivery), aurora: 'pending' });
    });
  }

  test('contract §3: one request is one change: the statuses in between are not announced', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    await fixture.answer(delivery, { aurora: rejectedAnswer, cascade: actionRequiredAnswer });
    await correct(delivery);
    const { json } = await resubmit(delivery.id);
    assert.equal(json.status, 'in_progress');
    const completed = (await fixture.eventsOf(delivery.release_id)).filter(
      ({ type }) => type === 'delivery.completed',
    );
    assert.deepEqual(
      completed.map(({ data }) => data.status),
      ['rejected'],
    );
  });

  test('contract §3: a store that refused exactly this revision is skipped, others are not', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    await fixture.answer(delivery, { aurora: rejectedAnswer, cascade: rejectedAnswer });
    await correct(delivery);
    await resubmit(delivery.id, { stores: ['aurora'] });
    await fixture.runUntilIdle();
    await fixture.answer(delivery, { aurora: rejectedAnswer });
    const { json } = await resubmit(delivery.id);
    assert.deepEqual(statusByStore(json), { aurora: 'rejected', cascade: 'pending' });
  });

  test('contract §3: no store is affected → 409 invalid_state', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    await correct(delivery);
    assert.deepEqual(codeOf(await resubmit(delivery.id)), [409, 'invalid_state'], 'in progress');
    await fixture.answer(delivery, { aurora: deliveredAnswer, cascade: deliveredAnswer });
    const reply = await resubmit(delivery.id, { force: true });
    assert.deepEqual(codeOf(reply), [409, 'invalid_state'], 'delivered, although force is true');
  });

  test('contract §3: nothing changed since the rejected revision → 409 nothing_changed; force overrides', async () => {
    const delivery = await givenMixedDelivery();
    assert.deepEqual(codeOf(await resubmit(delivery.id)), [409, 'nothing_changed']);
    assert.deepEqual(codeOf(await resubmit(delivery.id, { force: false })), [
      409,
      'nothing_changed',
    ]);
    assert.deepEqual(await fixture.get(delivery.id), delivery, 'no trace');
    const { status, json } = await resubmit(delivery.id, { force: true });
    assert.deepEqual([status, json.revision], [200, delivery.revision]);
    assert.equal(storeDeliveryOf(json, 'aurora').status, 'pending');
  });

  test('contract §3: the partner’s reference and metadata are not sent to stores, so they are not a change', async () => {
    const delivery = await givenMixedDelivery();
    await correct(delivery, { reference: `own-${delivery.id}`, metadata: { a: 'b' } });
    assert.deepEqual(codeOf(await resubmit(delivery.id)), [409, 'nothing_changed']);
  });

  test('contract §3: a change that was reverted is not a change', async () => {
    const delivery = await givenMixedDelivery();
    await correct(delivery);
    await correct(delivery, { title: 'Night Drive' });
    assert.deepEqual(codeOf(await resubmit(delivery.id)), [409, 'nothing_changed']);
  });

  test('contract §3: another file, or another track, is a change', async () => {
    const first = await givenMixedDelivery();
    const artwork_asset_id = await fixture.service.givenAsset(fixture.label, 'artwork');
    await correct(first, { artwork_asset_id });
    assert.equal((await resubmit(first.id)).status, 200);
    const second = await givenMixedDelivery();
    const { data } = (await fixture.label.call('GET', `/v1/tracks?release_id=${second.release_id}`))
      .json;
    await fixture.label.call('PATCH', `/v1/tracks/${data[0].id}`, { title: 'Day Drive' });
    assert.equal((await resubmit(second.id)).status, 200);
  });

  test('contract §3: after a second rejection the release is compared with the revision rejected last', async () => {
    const delivery = await fixture.givenDelivery({ simulate: '*=reject' });
    await fixture.advanceTime(1_000);
    await correct(delivery);
    assert.equal((await resubmit(delivery.id)).status, 200);
    await fixture.runUntilIdle();
    await fixture.advanceTime(1_000);
    assert.deepEqual(statusByStore(await fixture.get(delivery.id)), { aurora: 'rejected' });
    assert.deepEqual(codeOf(await resubmit(delivery.id)), [409, 'nothing_changed']);
    await correct(delivery, { title: 'Night Drives' });
    assert.equal((await resubmit(delivery.id)).json.revision, 5);
  });

  test('contract §3: a second resubmission finds no affected store', async () => {
    const delivery = await givenMixedDelivery();
    await correct(delivery);
    assert.equal((await resubmit(delivery.id)).status, 200);
    assert.deepEqual(codeOf(await resubmit(delivery.id)), [409, 'invalid_state']);
  });

  test('contract §3: of ten concurrent resubmissions one succeeds', async () => {
    const delivery = await givenMixedDelivery();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => resubmit(delivery.id, { force: true })),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(replies.filter(({ status }) => status === 409).length, 9);
  });

  test('contract §3: the revision of the resubmission is sent, although the release changes afterwards', async () => {
    const delivery = await givenMixedDelivery();
    const { revision } = await correct(delivery);
    await resubmit(delivery.id);
    await correct(delivery, { title: 'Later Still' });
    await fixture.runUntilIdle();
    const outcome = await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.deepEqual(
      [storeDeliveryOf(outcome, 'aurora').revision, outcome.revision],
      [revision, revision],
    );
    assert.ok(fixture.sentOf(delivery.id).includes(`aurora deliver ${revision}`));
  });

  test('spec §7: a file that is not ready → 409 asset_not_ready', async () => {
    const delivery = await givenMixedDelivery();
    const audio_asset_id = await fixture.service.givenAsset(fixture.label, 'audio', 'processing');
    const { data } = (
      await fixture.label.call('GET', `/v1/tracks?release_id=${delivery.release_id}`)
    ).json;
    await fixture.label.call('PATCH', `/v1/tracks/${data[0].id}`, { audio_asset_id });
    assert.deepEqual(codeOf(await resubmit(delivery.id)), [409, 'asset_not_ready']);
    assert.deepEqual(await fixture.get(delivery.id), delivery, 'no trace');
  });

  const bad: readonly [body: object, code: string, field: string][] = [
    [{ stores: [] }, 'invalid_field', 'stores'],
    [{ stores: ['nowhere'] }, 'invalid_field', 'stores[0]'],
    [{ stores: ['hanami'] }, 'invalid_field', 'stores[0]'],
    [{ stores: ['aurora', 'aurora'] }, 'invalid_field', 'stores[1]'],
    [{ force: 'yes' }, 'invalid_field', 'force'],
    [{ reason: 'x' }, 'unknown_field', 'reason'],
  ];
  for (const [body, code, field] of bad) {
    test(`contract §1, §7: ${JSON.stringify(body)} → 422 ${code}`, async () => {
      const { id } = await givenMixedDelivery();
      const reply = await resubmit(id, body);
      assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], [422, code, field]);
    });
  }

  test('contract §4: the body is optional', async () => {
    const delivery = await givenMixedDelivery();
    await correct(delivery);
    const reply = await fixture.label.call('POST', `/v1/deliveries/${delivery.id}/resubmit`);
    assert.equal(reply.status, 200);
  });
});
