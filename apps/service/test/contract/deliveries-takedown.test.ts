/** POST /v1/deliveries/{id}/takedown: spec §3.2, §8 and contract §3, §4, §7. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toUuid } from '../../src/kernel/ids.ts';
import {
  codeOf,
  fieldsOf,
  actionRequiredAnswer,
  type Json,
  removalRefusedAnswer,
  deliveredAnswer,
  openDeliveryFixture,
  storeDeliveryOf,
  rejectedAnswer,
  removedAnswer,
  type DeliveryFixture,
  statusByStore,
} from '../delivery-fixture.ts';

const five = ['aurora', 'cascade', 'emberline', 'indigo', 'kilima'];

describe('POST /v1/deliveries/{id}/takedown', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const takedown = (id: string, body: object = {}) => fixture.post(`/${id}/takedown`, body);
  const givenLiveDelivery = async (...stores: string[]): Promise<Json> => {
    const delivery = await fixture.givenDelivery({ stores });
    return fixture.answer(
      delivery,
      Object.fromEntries(stores.map((store) => [store, deliveredAnswer])),
    );
  };
  const withStatus = (stores: readonly string[], status: string) =>
    Object.fromEntries(stores.map((store) => [store, status]));

  test('spec §3.2: delivered → takedown_requested → taken_down once all have confirmed', async () => {
    const delivery = await givenLiveDelivery('aurora', 'cascade');
    const { status, json } = await takedown(delivery.id);
    assert.equal(status, 200);
    assert.deepEqual(statusByStore(json), withStatus(['aurora', 'cascade'], 'takedown_requested'));
    assert.equal(json.status, 'delivered', 'spec §3.2: it changes once all confirm');
    assert.deepEqual({ ...(await fixture.get(delivery.id)), skipped: [] }, json);
    await fixture.runUntilIdle();
    const first = await fixture.answer(delivery, { cascade: removedAnswer });
    assert.deepEqual(statusByStore(first), { aurora: 'takedown_requested', cascade: 'taken_down' });
    assert.equal(first.status, 'delivered');
    const last = await fixture.answer(delivery, { aurora: removedAnswer });
    assert.equal(last.status, 'taken_down');
    assert.equal(storeDeliveryOf(last, 'aurora').expected_by, null);
    assert.equal(last.completed_at, delivery.completed_at);
  });

  test('contract §3: takes down 3 of 5 stores, then the rest', async () => {
    const delivery = await givenLiveDelivery(...five);
    const [three, two] = [five.slice(0, 3), five.slice(3)];
    const { json } = await takedown(delivery.id, { stores: three });
    assert.deepEqual(statusByStore(json), {
      ...withStatus(three, 'takedown_requested'),
      ...withStatus(two, 'delivered'),
    });
    await fixture.runUntilIdle();
    const half = await fixture.answer(
      delivery,
      Object.fromEntries(three.map((s) => [s, removedAnswer])),
    );
    assert.equal(half.status, 'delivered');
    const rest = await takedown(delivery.id);
    assert.equal(rest.status, 200);
    assert.deepEqual(statusByStore(rest.json), {
      ...withStatus(three, 'taken_down'),
      ...withStatus(two, 'takedown_requested'),
    });
    await fixture.runUntilIdle();
    const whole = await fixture.answer(
      delivery,
      Object.fromEntries(two.map((s) => [s, removedAnswer])),
    );
    assert.equal(whole.status, 'taken_down');
    assert.deepEqual(codeOf(await takedown(delivery.id)), [409, 'invalid_state']);
  });

  test('contract §3: a store delivery that was not sent yet becomes taken_down at once and is never sent', async () => {
    const release_id = await fixture.givenApprovedRelease();
    const plan = { release_id, stores: ['aurora', 'cascade'], territory_codes: ['WORLD'] };
    const { json: delivery } = await fixture.post('', plan);
    const first = await takedown(delivery.id, { stores: ['cascade'] });
    assert.deepEqual(statusByStore(first.json), { aurora: 'pending', cascade: 'taken_down' });
    assert.equal(first.json.status, 'in_progress');
    const both = await takedown(delivery.id);
    assert.deepEqual(
      [both.json.status, statusByStore(both.json)['aurora']],
      ['taken_down', 'taken_down'],
    );
    await fixture.runUntilIdle();
    await fixture.advanceTime(60_000);
    const { skipped, ...shown } = both.json;
    assert.deepEqual(skipped, [{ store_id: 'cascade', reason: 'cascade is taken_down.' }]);
    assert.deepEqual(await fixture.get(delivery.id), shown);
    assert.deepEqual(fixture.sentOf(delivery.id), []);
  });

  test('contract §3: a store in progress is sent the takedown as soon as it has delivered', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    const { status, json } = await takedown(delivery.id);
    assert.deepEqual([status, statusByStore(json)['aurora']], [200, 'in_progress']);
    const repeated = await takedown(delivery.id);
    assert.deepEqual(codeOf(repeated), [409, 'invalid_state'], 'requested already');
    const delivered = await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.deepEqual(statusByStore(delivered), { aurora: 'takedown_requested' });
    const outcome = await fixture.answer(delivery, { aurora: removedAnswer });
    assert.deepEqual(
      [outcome.status, statusByStore(outcome)['aurora']],
      ['taken_down', 'taken_down'],
    );
    assert.deepEqual(fixture.sentOf(delivery.id), ['aurora deliver 3', 'aurora takedown 3']);
  });

  test('contract §3: a store in progress shows the takedown that waits; if it rejects, it is closed', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    const { json } = await takedown(delivery.id);
    assert.equal(json.stores[0].takedown_requested_at, fixture.service.clock.now().toISOString());
    const outcome = await fixture.answer(delivery, { aurora: rejectedAnswer });
    assert.deepEqual(
      [outcome.status, statusByStore(outcome)['aurora'], outcome.stores[0].taken_down_by],
      ['taken_down', 'taken_down', 'partner'],
    );
    const { data } = await fixture.timelineOf(delivery.id, 'store_id=aurora');
    const types = data.map(({ type }: { type: string }) => type);
    assert.deepEqual(types.slice(0, 3), ['closed', 'rejected', 'takedown_wanted']);
    assert.deepEqual(fixture.sentOf(delivery.id), ['aurora deliver 3'], 'the store is not asked');
  });

  test('contract §3: a resubmission clears a takedown that waits', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    await takedown(delivery.id);
    const resubmitted = await fixture.post(`/${delivery.id}/resubmit`, { force: true });
    assert.equal(resubmitted.status, 200);
    assert.equal(resubmitted.json.stores[0].takedown_requested_at, null);
    await fixture.runUntilIdle();
    const delivered = await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.equal(
      statusByStore(delivered)['aurora'],
      'delivered',
      'a resubmission cancels the takedown',
    );
  });

  test('contract §3: a flagged store is sent the takedown as soon as it has delivered', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    assert.equal((await takedown(delivery.id)).status, 200);
    const delivered = await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.deepEqual(statusByStore(delivered), { aurora: 'takedown_requested' });
  });

  test('contract §3: a refused takedown → delivered, with the reason, and can be requested again', async () => {
    const delivery = await givenLiveDelivery('aurora');
    await takedown(delivery.id);
    await fixture.runUntilIdle();
    const outcome = await fixture.answer(delivery, { aurora: removalRefusedAnswer });
    const { status, rejection_code, rejection_reason, expected_by } = outcome.stores[0];
    assert.deepEqual(
      [status, rejection_code, rejection_reason, expected_by],
      ['delivered', 'takedown_refused', 'It is being promoted.', null],
    );
    const repeated = await takedown(delivery.id);
    assert.deepEqual(statusByStore(repeated.json), { aurora: 'takedown_requested' });
    assert.equal(storeDeliveryOf(repeated.json, 'aurora').rejection_reason, null);
  });

  test('contract §3: a takedown’s answer counts once, and only removed or refused', async () => {
    const delivery = await givenLiveDelivery('aurora');
    await takedown(delivery.id);
    await fixture.runUntilIdle();
    for (const answer of [deliveredAnswer, rejectedAnswer, actionRequiredAnswer]) {
      assert.equal(
        statusByStore(await fixture.answer(delivery, { aurora: answer }))['aurora'],
        'takedown_requested',
      );
    }
    const outcome = await fixture.answer(delivery, { aurora: removedAnswer });
    for (const answer of [removedAnswer, removalRefusedAnswer, deliveredAnswer]) {
      assert.deepEqual(await fixture.answer(delivery, { aurora: answer }), outcome);
    }
  });

  test('contract §3: delivered stores of a rejected delivery can be taken down', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora', 'cascade', 'indigo'] });
    await fixture.answer(delivery, {
      aurora: deliveredAnswer,
      cascade: rejectedAnswer,
      indigo: actionRequiredAnswer,
    });
    const { json } = await takedown(delivery.id);
    assert.equal(json.status, 'action_required');
    assert.deepEqual(statusByStore(json), {
      aurora: 'takedown_requested',
      cascade: 'taken_down',
      indigo: 'action_required',
    });
    assert.notEqual(storeDeliveryOf(json, 'indigo').takedown_requested_at, null);
  });

  test('contract §3: a rejected store that has nothing of the release is closed at once', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora', 'lanternfish'] });
    await fixture.answer(delivery, { aurora: rejectedAnswer, lanternfish: rejectedAnswer });
    const { status, json } = await takedown(delivery.id, { stores: ['aurora'] });
    assert.equal(status, 200);
    assert.deepEqual(
      [json.status, statusByStore(json)['aurora'], storeDeliveryOf(json, 'aurora').taken_down_by],
      ['rejected', 'taken_down', 'partner'],
    );
    const last = await takedown(delivery.id);
    assert.equal(last.json.status, 'taken_down', 'also at a store that takes no takedowns');
    assert.deepEqual(last.json.skipped, [{ store_id: 'aurora', reason: 'aurora is taken_down.' }]);
    await fixture.runUntilIdle();
    assert.equal(fixture.sentOf(delivery.id).length, 2, 'no store is asked');
    const again = await fixture.post('', {
      release_id: delivery.release_id,
      stores: ['aurora'],
      territory_codes: ['WORLD'],
    });
    assert.equal(again.status, 201, 'the store is free for another delivery');
  });

  test('contract §3: nothing to take down → 409 invalid_state', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.answer(delivery, { aurora: rejectedAnswer });
    await takedown(delivery.id);
    const closed = await fixture.get(delivery.id);
    const reply = await takedown(delivery.id);
    assert.deepEqual(codeOf(reply), [409, 'invalid_state']);
    assert.deepEqual(await fixture.get(delivery.id), closed, 'no trace');
    const other = await givenLiveDelivery('aurora', 'cascade');
    await takedown(other.id, { stores: ['aurora'] });
    const twice = await takedown(other.id, { stores: ['aurora'] });
    assert.deepEqual([...codeOf(twice), ...fieldsOf(twice)], [409, 'invalid_state', 'stores[0]']);
  });

  test('contract §2: a store without the capability: 409 when named, skipped when not', async () => {
    const delivery = await givenLiveDelivery('aurora', 'lanternfish');
    const named = await takedown(delivery.id, { stores: ['lanternfish'] });
    assert.deepEqual([...codeOf(named), ...fieldsOf(named)], [409, 'invalid_state', 'stores[0]']);
    const { json } = await takedown(delivery.id);
    assert.deepEqual(statusByStore(json), {
      aurora: 'takedown_requested',
      lanternfish: 'delivered',
    });
    const release_id = await fixture.givenApprovedRelease();
    const plan = { release_id, stores: ['lanternfish'], territory_codes: ['WORLD'] };
    const unsent = await fixture.post('', plan);
    const canceled = await takedown(unsent.json.id);
    assert.equal(
      canceled.json.status,
      'taken_down',
      'an unsent message is cancelled without the store',
    );
  });

  test('contract §4: the reason is in the timeline', async () => {
    const delivery = await givenLiveDelivery('aurora');
    await takedown(delivery.id, { reason: 'The contract ended.' });
    const { data } = await fixture.timelineOf(delivery.id);
    const entry = data.find(({ type }: Json) => type === 'takedown');
    assert.deepEqual([entry.reason, entry.stores], ['The contract ended.', ['aurora']]);
  });

  const bad: readonly [body: object, code: string, field: string][] = [
    [{ stores: [] }, 'invalid_field', 'stores'],
    [{ stores: ['hanami'] }, 'invalid_field', 'stores[0]'],
    [{ reason: 'x'.repeat(1_001) }, 'invalid_field', 'reason'],
    [{ reason: '' }, 'invalid_field', 'reason'],
    [{ force: true }, 'unknown_field', 'force'],
  ];
  for (const [body, code, field] of bad) {
    test(`contract §1, §7: ${JSON.stringify(body).slice(0, 30)} → 422 ${code}`, async () => {
      const { id } = await givenLiveDelivery('aurora');
      const reply = await takedown(id, body);
      assert.deepEqual([...codeOf(reply), ...fieldsOf(reply)], [422, code, field]);
    });
  }

  test('contract §3: after a resubmission of a flagged message, the takedown removes the flagged one', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    await fixture.patchRelease(delivery.release_id, { title: 'Corrected' });
    await fixture.post(`/${delivery.id}/resubmit`);
    const { json } = await fixture.post(`/${delivery.id}/takedown`);
    assert.deepEqual(statusByStore(json), { aurora: 'takedown_requested' });
    await fixture.runUntilIdle();
    assert.deepEqual(fixture.sentOf(delivery.id).at(-1)?.split(' ')[1], 'takedown');
    const outcome = await fixture.answer(delivery, { aurora: removedAnswer });
    assert.equal(outcome.status, 'taken_down');
  });

  test('contract §3: a takedown while the message is being sent: it is not sent again, and the takedown follows it', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.service.query(
      `update delivery_stores set message_state = 'sending' where delivery_id = $1`,
      [toUuid(delivery.id)],
    );
    const { json } = await fixture.post(`/${delivery.id}/takedown`);
    assert.deepEqual(statusByStore(json), { aurora: 'in_progress' });
    await fixture.advanceTime(40_000);
    assert.deepEqual(statusByStore(await fixture.get(delivery.id)), {
      aurora: 'takedown_requested',
    });
    const kinds = fixture.sentOf(delivery.id).map((sent) => sent.split(' ')[1]);
    assert.deepEqual(kinds, ['deliver', 'takedown']);
    assert.equal((await fixture.answer(delivery, { aurora: removedAnswer })).status, 'taken_down');
  });

  test('contract §3: a flagged message may still be published after a rejection: it can be taken down', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.answer(delivery, { aurora: actionRequiredAnswer });
    await fixture.patchRelease(delivery.release_id, { title: 'Corrected' });
    await fixture.post(`/${delivery.id}/resubmit`);
    await fixture.runUntilIdle();
    await fixture.answer(delivery, { aurora: rejectedAnswer });
    const { json } = await fixture.post(`/${delivery.id}/takedown`);
    assert.deepEqual(statusByStore(json), { aurora: 'takedown_requested' });
  });
});
