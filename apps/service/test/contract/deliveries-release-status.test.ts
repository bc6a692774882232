/** The status of a release follows from its deliveries: contract §3, and release.status.changed of spec §6. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  actionRequiredAnswer,
  type Json,
  deliveredAnswer,
  openDeliveryFixture,
  rejectedAnswer,
  removedAnswer,
  type DeliveryFixture,
} from '../delivery-fixture.ts';

describe('the status of a release', () => {
  let fixture: DeliveryFixture;
  before(async () => {
    fixture = await openDeliveryFixture();
  });
  after(() => fixture.close());

  const statusOf = async ({ release_id }: Json): Promise<string> =>
    (await fixture.releaseOf(release_id)).status;
  /** Every release.status.changed event, in order, as `previous → status`. */
  const statusChangesOf = async ({ release_id }: Json): Promise<string[]> =>
    (await fixture.eventsOf(release_id))
      .filter(({ type }) => type === 'release.status.changed')
      .map(({ data }) => `${data.previous_status} → ${data.status}`);
  const deliverAgain = async ({ release_id }: Json, ...stores: string[]): Promise<Json> => {
    const reply = await fixture.post('', { release_id, stores, territory_codes: ['WORLD'] });
    assert.equal(reply.status, 201, reply.text);
    await fixture.runUntilIdle();
    return reply.json;
  };
  const submitted = 'draft → submitted';

  test('contract §3: delivered once any store of any of its deliveries is delivered', async () => {
    const first = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    const second = await deliverAgain(first, 'indigo', 'kilima');
    assert.equal(await statusOf(first), 'submitted');
    await fixture.answer(second, { kilima: deliveredAnswer });
    assert.equal(await statusOf(first), 'delivered');
    await fixture.answer(first, { aurora: deliveredAnswer, cascade: rejectedAnswer });
    assert.deepEqual(
      await statusChangesOf(first),
      [submitted, 'submitted → delivered'],
      'one event',
    );
  });

  test('contract §3: rejected when every store of every delivery is rejected', async () => {
    const first = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    const second = await deliverAgain(first, 'indigo');
    await fixture.answer(first, { aurora: rejectedAnswer, cascade: rejectedAnswer });
    assert.equal(await statusOf(first), 'submitted', 'one store is left');
    await fixture.answer(second, { indigo: actionRequiredAnswer });
    assert.equal(await statusOf(first), 'submitted', 'a flag is not a refusal');
    await fixture.answer(second, { indigo: rejectedAnswer });
    assert.equal(await statusOf(first), 'rejected');
    assert.deepEqual(await statusChangesOf(first), [submitted, 'submitted → rejected']);
  });

  test('contract §3: a resubmission makes a rejected release submitted again', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.answer(delivery, { aurora: rejectedAnswer });
    await fixture.post(`/${delivery.id}/resubmit`, { force: true });
    assert.equal(await statusOf(delivery), 'submitted');
    await fixture.runUntilIdle();
    await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.deepEqual(await statusChangesOf(delivery), [
      submitted,
      'submitted → rejected',
      'rejected → submitted',
      'submitted → delivered',
    ]);
  });

  test('contract §3: submitting a rejected release after a correction makes it submitted again', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.answer(delivery, { aurora: rejectedAnswer });
    await fixture.patchRelease(delivery.release_id, { title: 'Night Driver' });
    const reply = await fixture.label.call('POST', `/v1/releases/${delivery.release_id}/submit`);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(await statusOf(delivery), 'submitted');
    await fixture.runUntilIdle();
    assert.equal(await statusOf(delivery), 'submitted', 'approved');
    const { json } = await fixture.post(`/${delivery.id}/resubmit`);
    assert.equal(json.revision, 4);
    await fixture.runUntilIdle();
    await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.equal(await statusOf(delivery), 'delivered');
  });

  test('contract §3: a delivered release stays delivered after takedowns and rejections', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora', 'cascade'] });
    await fixture.answer(delivery, { aurora: deliveredAnswer, cascade: rejectedAnswer });
    await fixture.post(`/${delivery.id}/takedown`);
    await fixture.runUntilIdle();
    await fixture.answer(delivery, { aurora: removedAnswer });
    assert.equal(await statusOf(delivery), 'delivered', 'the only store left refused it');
    await fixture.post(`/${delivery.id}/resubmit`, { force: true });
    assert.equal(await statusOf(delivery), 'delivered');
    assert.deepEqual(await statusChangesOf(delivery), [submitted, 'submitted → delivered']);
  });

  test('contract §3: a release whose delivery is cancelled before it was sent stays submitted', async () => {
    const release_id = await fixture.givenApprovedRelease();
    const plan = { release_id, stores: ['aurora'], territory_codes: ['WORLD'] };
    const { json } = await fixture.post('', plan);
    await fixture.post(`/${json.id}/takedown`);
    assert.equal(await statusOf(json), 'submitted');
    assert.deepEqual(await statusChangesOf(json), [submitted]);
  });

  test('contract §3: a release is rejected although some of its stores were taken down', async () => {
    const release_id = await fixture.givenApprovedRelease({ simulate: '*=silent' });
    const plan = { release_id, stores: ['aurora', 'cascade'], territory_codes: ['WORLD'] };
    const { json } = await fixture.post('', plan);
    await fixture.post(`/${json.id}/takedown`, { stores: ['cascade'] });
    await fixture.runUntilIdle();
    await fixture.answer(json, { aurora: rejectedAnswer });
    assert.equal(await statusOf(json), 'rejected');
  });

  test('contract §3: delivered also when the store delivers after a takedown was requested', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.post(`/${delivery.id}/takedown`);
    await fixture.answer(delivery, { aurora: deliveredAnswer });
    assert.equal((await fixture.releaseOf(delivery.release_id)).status, 'delivered');
  });

  test('contract §3: cancelling another delivery does not reject a release that was submitted again', async () => {
    const first = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.answer(first, { aurora: rejectedAnswer });
    const { release_id } = first;
    await fixture.patchRelease(release_id, { title: 'Corrected' });
    await fixture.label.call('POST', `/v1/releases/${release_id}/submit`);
    const plan = { release_id, stores: ['cascade'], territory_codes: ['DE'] };
    const { json: second } = await fixture.post('', plan);
    await fixture.post(`/${second.id}/takedown`);
    assert.equal((await fixture.releaseOf(release_id)).status, 'submitted');
    await fixture.runUntilIdle();
    const release = await fixture.releaseOf(release_id);
    assert.deepEqual([release.status, release.submission.review_status], ['submitted', 'approved']);
  });

  test('contract §6: release.status.changed comes after the events of the store that caused it, with the release', async () => {
    const delivery = await fixture.givenDelivery({ stores: ['aurora'] });
    await fixture.advanceTime(1_000);
    await fixture.answer(delivery, { aurora: deliveredAnswer });
    const events = (await fixture.eventsOf(delivery.release_id)).slice(-3);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['delivery.store.updated', 'delivery.completed', 'release.status.changed'],
    );
    const release = await fixture.releaseOf(delivery.release_id);
    assert.deepEqual(events[2].data, {
      release_id: delivery.release_id,
      previous_status: 'submitted',
      status: 'delivered',
      release,
    });
    assert.equal(release.updated_at, fixture.service.clock.now().toISOString());
    assert.equal(release.revision, delivery.revision, 'a status change is not a revision');
  });

  test('contract §3: two deliveries that are rejected at the same time change its status once', async () => {
    const first = await fixture.givenDelivery({ stores: ['aurora'] });
    const second = await deliverAgain(first, 'cascade');
    const [firstMessage, secondMessage] = [
      await fixture.latestMessageId(first.id, 'aurora'),
      await fixture.latestMessageId(second.id, 'cascade'),
    ];
    await fixture.applyAnswers(
      { messageId: firstMessage, ...rejectedAnswer },
      { messageId: secondMessage, ...rejectedAnswer },
    );
    assert.deepEqual(await statusChangesOf(first), [submitted, 'submitted → rejected']);
  });
});
